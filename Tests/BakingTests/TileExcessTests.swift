import PipelineSamples
import SourceStages
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Raster
@testable import Reuse
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

  /// The commands that refuse a pipeline.
  private static func refusal(by command: String, of definition: PipelineDefinition) throws
    -> PipelineError?
  {
    let options = BuildOptions()
    do throws(PipelineError) {
      switch command {
      case "check":
        return try PipelineRunner.check(definition, options: options).refusal
      case "plan":
        _ = try PipelineRunner.plan(
          definition, options: options, cancellation: Cancellation(), progress: { _ in })
      default:
        _ = try PipelineRunner.build(
          definition, options: options, cancellation: Cancellation(), progress: { _ in })
      }
      return nil
    } catch {
      return error
    }
  }

  private static let commands = ["check", "plan", "build"]

  @Test("an image that would fill too many tiles is refused by its box", arguments: commands)
  func image(command: String) throws {
    let sample = try ImageSample(source: "bounds: [-180, -85, 180, 85]", tiles: "{}")
    let error = try #require(try Self.refusal(by: command, of: sample.definition()))
    #expect(error.code == .definition)
    #expect(error.place?.line == 6)
    #expect(error.message.hasPrefix("the image would fill 356,785,493 tiles at zoom 0 to 14, and"))
  }

  @Test("an image that its world file places is counted by its box, too", arguments: commands)
  func worldFile(command: String) throws {
    let sample = try ImageSample(source: "projection: equirectangular", tiles: "{maxzoom: 14}")
    _ = try sample.folder.write("5.142857\n0\n0\n-3.4\n-177.428\n83.3\n", to: "photo.pgw")
    let error = try #require(try Self.refusal(by: command, of: sample.definition()))
    #expect(error.code == .definition)
    #expect(error.message.contains("tiles at zoom 0 to 14"))
  }

  @Test("an image in a small part of the map may have all zooms")
  func smallImage() throws {
    let sample = try ImageSample(source: "bounds: [8, 48, 8.1, 48.1]", tiles: "{}")
    #expect(try Self.refusal(by: "plan", of: sample.definition()) == nil)
  }

  @Test(
    "loops over tiles end when the run is to stop",
    arguments: [
      "type: raster, source: photo", "type: fill, source: areas", "type: line, source: areas",
      "type: circle, source: places, paint: {circle-radius: 800}",
      "type: heatmap, source: places, paint: {heatmap-radius: 1000}",
      "type: background, paint: {background-color: red}",
    ])
  func stop(layer: String) throws {
    let sample = try ImageSample(
      source: "bounds: [-180, -85, 180, 85]", layers: "[{id: a, \(layer)}]",
      tiles: "{minzoom: 5, maxzoom: 5}",
      more: """
        areas: {type: geojson, data: world.geojson}
          places: {type: csv, data: places.csv}
        """)
    _ = try sample.folder.write(Self.world, to: "world.geojson")
    _ = try sample.folder.write("id,lng,lat\n1,8,50\n", to: "places.csv")
    let build = try sample.definition().build()
    let sources = try build.reading.clustered(build.context.clock)
    func tiles(isStopped: Bool) throws -> Int {
      try sources.scenes(
        build.drawing(scale: 1), zooms: 5...5, isStopped: { isStopped }, advance: { _, _ in }
      ).rowCount
    }
    #expect(try tiles(isStopped: false) > 8)
    #expect(try tiles(isStopped: true) == 0)
  }
}
