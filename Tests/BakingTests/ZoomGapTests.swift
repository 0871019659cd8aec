import Columns
import PipelineSamples
import Scenes
import SourceStages
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Raster
@testable import Reports
@testable import Reuse
@testable import Runs

/// Readers accept no archive whose zooms have a gap.
@Suite("Zooms without a tile between others")
struct ZoomGapTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write("id,lng,lat\n1,8,50\n2,8.1,50.1\n3,100,-40\n", to: "s.csv")
  }

  private func definition(
    layers: String, tiles: String, output: String
  ) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources: {s: {type: csv, data: s.csv, cluster: true, clusterMaxZoom: 3}}
      layers: [\(layers)]
      tiles: \(tiles)
      output: {path: \(output)}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private static let apart =
    "{id: a, type: circle, source: s, maxzoom: 2}, {id: b, type: circle, source: s, minzoom: 5}"
  /// Clusters, which the data ends at zoom 3, and places from zoom 6.
  private static let byData = """
    {id: a, type: circle, source: s, filter: [has, point_count]},
    {id: b, type: circle, source: s, minzoom: 6, filter: ["!", [has, point_count]]}
    """

  @Test(
    "a zoom without a tile between others gets a transparent one, so that the archive is published",
    arguments: [
      (apart, "{maxzoom: 6}", "out.mbtiles"), (apart, "{maxzoom: 6, fill: none}", "out.mbtiles"),
      (apart, "{maxzoom: 6, bounds: [7, 49, 9, 51]}", "out.pmtiles"),
      (apart, "{minzoom: 1, maxzoom: 6, interactivity: {format: compact}}", "out.mbtiles"),
      (byData, "{maxzoom: 7}", "out.mbtiles"), (byData, "{maxzoom: 7, fill: none}", "out.mbtiles"),
    ])
  func gap(layers: String, tiles: String, output: String) throws {
    let definition = try definition(layers: layers, tiles: tiles, output: output)
    #expect(try PipelineRunner.check(definition, options: BuildOptions()).failure == nil)
    let plan = try PipelineRunner.plan(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    let report = try #require(
      PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
      ).first)
    let zooms = definition.tiles.minZoom...definition.tiles.maxZoom
    #expect(report.zooms.map(\.zoom) == Array(zooms))
    #expect(report.zooms.map(\.tiles) == plan.zooms.map(\.tiles))
    let verified = try PipelineRunner.verify(
      archive: folder.path(output), cancellation: Cancellation(), progress: { _ in })
    #expect(verified.faults.isEmpty)
  }

  @Test("the tile in a gap lies where no tile is enlarged, if there is such a place")
  func place() throws {
    let definition = try definition(
      layers: Self.apart, tiles: "{maxzoom: 6, fill: none}", output: "out.mbtiles")
    let build = try definition.build()
    let sources = try build.reading.clustered(build.context.clock)
    let planned = try build.scenes(scale: 1, sources, build.context.clock)
    let drawn = planned.zooms[1]
    let blank = try #require(planned.rows.zooms[2].blanks.first)
    let tile = TileCoord(TileKey(rawValue: blank), z: 2)
    let parent = TileCoord(z: 1, x: tile.x / 2, y: tile.y / 2)
    let index = try #require(drawn.index(of: parent))
    #expect(drawn.quadrants[index] & UInt8(1 << (2 * (tile.y % 2) + tile.x % 2)) == 0)
    #expect(planned.rows.zooms.map(\.blanks.count) == [0, 0, 1, 1, 1, 0, 0])
  }
}
