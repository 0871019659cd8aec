import Clustering
import Features
import Foundation
import PNG
import Painting
import PipelineSamples
import PlainPainting
import Raster
import Scenes
import SourceStages
import TestSupport
import Testing

@testable import Reuse
@testable import Baking
@testable import Definition
@testable import Runs

@Suite("The hotel map")
struct BuildHotelsTests {
  private let folder: TemporaryFolder
  private let definition: PipelineDefinition

  /// `pipelines/hotels.yml` with 3,000 hotels in a few crowds instead of the sample data.
  init() throws {
    folder = try TemporaryFolder()
    var random = SplitMix64(seed: 17)
    let rows = (0..<3000).map { row in
      // The nearer to the middle of a crowd, the denser.
      let spread = pow(10, -random.number(in: 0..<4)) * 20
      let longitude = random.pick([-118.2, -87.6, -74]) + random.number(in: -spread..<spread)
      let latitude = 38 + random.number(in: -spread..<spread) / 2
      return "\(longitude), \(latitude), Hotel \(row), USA-United States, +1 \(row)"
    }
    let file = try folder.write(rows.joined(separator: "\n"), to: "hotels.csv")
    var definition = try PipelineDefinition(
      contentsOf: packageRoot.appendingPathComponent("pipelines/hotels.yml").path,
      environment: { _ in nil })
    definition.sources[0].data = .file(file)
    definition.tiles.maxZoom = 8
    self.definition = definition
  }

  private func planned(scale: Int) throws -> PlannedTiles {
    let build = try definition.build()
    let clock = build.context.clock
    return try build.scenes(scale: scale, build.reading.clustered(clock), clock)
  }

  @Test(
    "the sparse path draws the hotel map like the plain one, except for 8 of 255 on edges",
    arguments: [1, 2])
  func sparse(scale: Int) throws {
    let planned = try planned(scale: scale)
    let painter = try planned.painters.painter()
    let plain = PlainPainter(fonts: planned.builder.fonts)
    var painted = 0
    for scenes in planned.zooms {
      for tile in stride(from: 0, to: scenes.count, by: max(1, scenes.count / 4)) {
        var png: [UInt8] = []
        try painter.paint(tile, of: scenes, into: &png)
        let picture = try PNGDecoder().decode(png)
        let expected = try plain.paint(PlainScene(tile, of: scenes))
        let difference = expected.largestDifferencesAtEdges(to: picture)
        #expect(difference.edge <= 8 && difference.elsewhere == 0, "\(scenes.tile(tile))")
        painted += 1
      }
    }
    #expect(painted > 20)
    // The palette of the style does where symbols do not crowd.
    #expect(painter.exactTiles * 2 < painted, "\(painter.exactTiles) of \(painted)")
  }

  @Test("the hotel map shows every hotel once at every zoom")
  func conservation() throws {
    let clock = StageClock(progress: { _ in }, cancellation: Cancellation())
    let build = try definition.build()
    let source = try #require(try build.reading.clustered(clock).first)
    #expect(source.source.ledger.used == 3000)
    for zoom in 0...8 {
      let level = try #require(source.symbols(at: zoom).level)
      #expect(level.counts.reduce(0) { $0 + Int($1) } == 3000)
      #expect(source.itemCount(at: zoom) == level.count)
      #expect(source.pointCount(at: zoom) == 3000)
    }
  }
}
