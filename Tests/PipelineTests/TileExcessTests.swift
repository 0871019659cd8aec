import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Runs

@Suite("Too many tiles")
struct TileExcessTests {
  /// One source of the world without its rims, and its north-east quarter.
  private static let world = """
    {"type": "GeometryCollection", "geometries": [
      {"type": "Polygon", "coordinates":
        [[[-179, -80], [-60, -80], [60, -80], [179, -80], [179, 80], [60, 80], [-60, 80], [-179, 80], [-179, -80]]]},
      {"type": "Polygon", "coordinates": [[[0, 0], [90, 0], [90, 60], [0, 60], [0, 0]]]}]}
    """

  private func definition(
    _ layers: String, tiles: String, folder: TemporaryFolder
  ) throws -> PipelineDefinition {
    _ = try folder.write(Self.world, to: "world.geojson")
    let file = try folder.write(
      """
      version: 1
      name: sample
      sources:
        world: {type: geojson, data: world.geojson}
      layers:
      \(layers)
      tiles: {\(tiles)}
      output: {path: out.mbtiles}

      """, to: "sample.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private static let background =
    "  - {id: dot, type: circle, source: world}\n"
    + "  - {id: ground, type: background, paint: {background-color: white}}"
  private static let area = "  - {id: land, type: fill, source: world}"

  private func failure(
    _ layers: String, tiles: String, checks: Bool = false
  ) throws -> PipelineError? {
    let folder = try TemporaryFolder()
    let definition = try definition(layers, tiles: tiles, folder: folder)
    do {
      if checks {
        _ = try PipelineRunner.check(definition, options: BuildOptions())
      } else {
        _ = try PipelineRunner.plan(
          definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
      }
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "too many tiles of a background are refused before anything is read", arguments: [true, false])
  func background(checks: Bool) throws {
    // 4¹² and 4¹³ tiles are few enough, 4¹⁴ more are not.
    let error = try #require(
      try failure(Self.background, tiles: "minzoom: 12, maxzoom: 14", checks: checks))
    #expect(error.code == .definition)
    #expect(error.place?.line == 7)
    #expect(error.message.contains("352,321,536 tiles at zoom 12 to 14"))
    let inside = "minzoom: 12, maxzoom: 14, bounds: [16, 48, 16.5, 48.5]"
    #expect(try failure(Self.background, tiles: inside, checks: checks) == nil)
  }

  @Test("too many tiles of polygons are refused before they are made")
  func polygons() throws {
    let error = try #require(try failure(Self.area, tiles: "minzoom: 14, maxzoom: 15"))
    #expect(error.code == .definition)
    #expect(error.place?.line == 6)
    #expect(error.message.contains("the polygons would fill 2"))
    #expect(error.message.contains("tiles at zoom 14,"))
    // Where only a corner of the world is made, what lies outside does not count.
    let inside = "minzoom: 14, maxzoom: 14, bounds: [16, 48, 16.5, 48.5]"
    #expect(try failure(Self.area, tiles: inside) == nil)
    #expect(try failure(Self.area, tiles: "minzoom: 3, maxzoom: 5") == nil)
  }
}
