import Foundation
import PNG
import PipelineSamples
import Raster
import TestSupport
import Testing
import Tiling

@testable import Reuse
@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Runs

/// The folder of PngSuite, `nil` without shared data.
private let pngSuite: String? =
  SharedData.isThere ? SharedData.path("conformance/pngsuite") : nil

@Suite("PngSuite as images on a map", .enabled(if: pngSuite != nil, "shared data is absent"))
struct PNGSuiteTilesTests {
  static let names: [String] = {
    guard let pngSuite else { return [] }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: pngSuite)) ?? []
    return files.filter { $0.hasSuffix(".png") }.sorted()
  }()

  /// A pipeline that shows a file pixel by pixel, its corner at 0° E 0° N, at zoom 4.
  private func pipeline(_ name: String, width: Int, height: Int) throws -> (TemporaryFolder, String)
  {
    let folder = try TemporaryFolder()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(pngSuite ?? "")/\(name)"))
    try bytes.write(to: URL(fileURLWithPath: folder.path("photo.png")))
    let world = 256.0 * 16
    let east = Double(width) / world * 360
    let south = -atan(sinh(2 * Double.pi * Double(height) / world)) * 180 / Double.pi
    let file = try folder.write(
      """
      version: 1
      name: suite
      sources:
        photo: {type: image, url: photo.png, bounds: [0, \(south), \(east), 0], resampling: nearest}
      layers: [{id: r, type: raster, source: photo}]
      tiles: {minzoom: 4, maxzoom: 4}
      output: {path: photo.mbtiles}
      """, to: "photo.yml")
    return (folder, file)
  }

  /// The valid files; one in five without the long tests, as each is a build of its own.
  static let validFiles: [String] = names.filter { !$0.hasPrefix("x") }.enumerated().compactMap {
    index, name in
    runsSlowTests || index % 5 == 0 ? name : nil
  }

  @Test("every valid file of PngSuite is shown as libpng reads it", arguments: validFiles)
  func valid(name: String) throws {
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: "\(pngSuite ?? "")/\(name)")))
    let wanted = try PNGDecoder().decode(bytes)
    let (folder, file) = try pipeline(name, width: wanted.width, height: wanted.height)
    defer { withExtendedLifetime(folder) {} }
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let build = try definition.build()
    let tile = try PNGDecoder().decode(build.tile(TileCoord(z: 4, x: 8, y: 8), scale: 1))
    for y in 0..<256 {
      for x in 0..<256 {
        let isInside = x < wanted.width && y < wanted.height
        let color = isInside ? wanted[x, y] : .transparent
        if tile[x, y] != color {
          Issue.record("\(x), \(y): \(tile[x, y]) instead of \(color)")
          return
        }
      }
    }
  }

  @Test(
    "every damaged file of PngSuite is refused in one sentence that names it",
    arguments: names.filter { $0.hasPrefix("x") })
  func damaged(name: String) throws {
    let (folder, file) = try pipeline(name, width: 32, height: 32)
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.code == .badData)
    #expect(error?.description.contains("photo.png") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path("photo.mbtiles")))
  }
}
