import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("Builds with one label for each feature")
struct LargestPartBuildTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    func square(_ x: Double, _ y: Double, _ side: Double) -> String {
      let corners = [(0.0, 0.0), (side, 0), (side, side), (0, side), (0, 0)]
      return "[[\(corners.map { "[\(x + $0.0), \(y + $0.1)]" }.joined(separator: ", "))]]"
    }
    try folder.write(
      """
      {"type": "Feature", "properties": {"name": "Islands"}, "geometry": {"type": "MultiPolygon",
       "coordinates": [\(square(10, 10, 2)), \(square(20, 10, 5)), \(square(30, 10, 1))]}}
      """, to: "land.geojson")
  }

  private func build(parts: String, _ options: BuildOptions = BuildOptions()) throws -> BuildReport
  {
    let file = try folder.write(
      """
      version: 1
      sources: {land: {type: geojson, data: land.geojson}}
      layers:
        - {id: name, type: symbol, source: land, layout: {text-field: [get, name],
           text-font: [DejaVu Sans], text-allow-overlap: true\(parts)}}
      tiles: {maxzoom: 6, interactivity: {fields: [name]}}
      output: {path: land.mbtiles}
      """, to: "land.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    return try #require(
      PipelineRunner.build(
        definition, options: options, cancellation: Cancellation(), progress: { _ in }
      ).first)
  }

  @Test("a build with another symbol-parts makes another archive, that of a full build")
  func incremental() throws {
    let all = try build(parts: "")
    #expect(try build(parts: ", symbol-parts: all").archive.digest == all.archive.digest)
    let largest = try build(parts: ", symbol-parts: largest")
    #expect(largest.result == .published)
    #expect(largest.archive.digest != all.archive.digest)
    #expect(largest.tiles.planned < all.tiles.planned)
    var full = BuildOptions()
    full.force = true
    full.noCache = true
    let again = try build(parts: ", symbol-parts: largest", full)
    #expect(again.archive.digest == largest.archive.digest && again.tiles.reused == 0)
  }

  @Test("a wrong value of symbol-parts is refused with its place and the values that there are")
  func refused() {
    do {
      _ = try build(parts: ", symbol-parts: biggest")
      Issue.record("accepted")
    } catch {
      #expect("\(error)".contains("land.yml:5:"))
      #expect("\(error)".contains("largest"))
    }
  }
}
