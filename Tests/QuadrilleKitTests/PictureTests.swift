import Baking
import Definition
import Foundation
import PNG
import Pipeline
import Raster
import Runs
import TestSupport
import Testing
import Tiling

@testable import QuadrilleKit

/// Parts of the map, drawn without an archive.
@Suite("pictures of QuadrilleKit")
struct PictureTests {
  private let sample: KitSample
  private let pipeline: TilePipeline

  init() throws {
    sample = try KitSample()
    pipeline = try sample.sequencePipeline()
  }

  @Test("have the PNG of the command 'render', and its pixels premultiplied")
  func pixels() async throws {
    let center = MapPosition(longitude: 8.55, latitude: 47.35)
    let picture = try await pipeline.render(
      .center(center, zoom: 7.5), size: MapSize(width: 90, height: 60), scale: 2)
    #expect(picture.width == 180 && picture.height == 120)
    #expect(picture.pixels.count == 180 * 120 * 4)
    let png = [UInt8](picture.pngData())
    let view = MapView(
      center: LngLat(longitude: 8.55, latitude: 47.35), zoom: 7.5, width: 90, height: 60, ratio: 2)
    let rendered = try PipelineRunner.render(
      pipeline.definition, view: view, options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })
    #expect(png == rendered)
    let decoded = try PNGDecoder().decode(png)
    #expect(decoded.width == 180 && decoded.height == 120)
    let pixels = stride(from: 0, to: picture.pixels.count, by: 4).map {
      picture.pixels[$0..<$0 + 4]
    }
    let isPremultiplied = pixels.allSatisfy { ($0.max() ?? 0) <= ($0.last ?? 0) }
    #expect(isPremultiplied)
    #expect(pixels.contains { $0.last == 255 } && pixels.contains { $0.last == 0 })
  }

  @Test("of a box have its proportions, or a size that shows all of it")
  func boxes() throws {
    let box = MapArea.box(west: -10, south: 0, east: 10, north: 0)
    let picture = try pipeline.render(box)
    #expect(picture.width == 1024 && picture.height == 1)
    let sized = try pipeline.render(box, size: MapSize(width: 30, height: 20))
    #expect(sized.width == 30 && sized.height == 20)
    let square = try pipeline.render(.center(MapPosition(longitude: 8, latitude: 47), zoom: 2))
    #expect(square.width == 1024 && square.height == 1024)
  }

  @Test(
    "out of their ranges are refused",
    arguments: [
      (.box(west: 0, south: 1, east: 1, north: 0), nil, 1, "its south is not north of its north"),
      (.box(west: .nan, south: 0, east: 1, north: 1), nil, 1, "within ±540°"),
      (.box(west: 0, south: 0, east: 90, north: 80, zoom: 20), nil, 1, "Choose a lower zoom"),
      (.box(west: 0, south: 0, east: 1, north: 1, zoom: 23), nil, 1, "from 0 to 22"),
      (.center(MapPosition(longitude: 0, latitude: 91), zoom: 1), nil, 1, "±90° of latitude"),
      (.center(MapPosition(longitude: 0, latitude: 0), zoom: -1), nil, 1, "from 0 to 22"),
      (
        .center(MapPosition(longitude: 0, latitude: 0), zoom: 1), MapSize(width: 0, height: 9), 1,
        "from 1 to 8192"
      ),
      (
        .center(MapPosition(longitude: 0, latitude: 0), zoom: 1), MapSize(width: 9, height: 8193),
        1,
        "from 1 to 8192"
      ),
      (.center(MapPosition(longitude: 0, latitude: 0), zoom: 1), nil, 5, "1, 2, 3 or 4"),
    ] as [(MapArea, MapSize?, Int, String)])
  func refusals(area: MapArea, size: MapSize?, scale: Int, words: String) throws {
    let error = try #require(throws: QuadrilleError.self) {
      try pipeline.render(area, size: size, scale: scale)
    }
    #expect(error.code == .usage && error.sentence.contains(words), "\(error)")
  }
}
