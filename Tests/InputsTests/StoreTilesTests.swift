import Features
import Inputs
import PipelineSamples
import SourceStages
import SQLite
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("A GeoPackage store")
struct StoreTilesTests {
  private static let tiles = TileTable.tiles("pics", TileTable.quarters)

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A config with one store, whose file is made of these tables.
  private func definition(
    _ tables: [String], keys: String = "", more: String = ""
  ) throws -> PipelineDefinition {
    if !tables.isEmpty {
      let database = try Database(path: folder.path("store.gpkg"), mode: .create)
      try database.execute(TileTable.base + tables.joined(separator: "\n"))
    }
    let file = try folder.write(
      """
      stores: [{id: s, type: gpkg, version: 1, uri: store.gpkg\(keys)}]
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      \(more)
      """, to: "x.scfg")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func build(_ definition: PipelineDefinition) throws -> BuildReport {
    try #require(
      PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
      ).first)
  }

  @Test("a GeoPackage store with tiles is an image", arguments: [", default_layers: [pics]", ""])
  func tiles(keys: String) throws {
    let report = try build(definition([Self.tiles], keys: keys))
    #expect(report.sources.map(\.name) == ["s"])
    #expect(report.sources[0].image == ImageReport(format: "GeoPackage", width: 4, height: 4))
    #expect(report.tiles.planned == 5)
    let check = try PipelineRunner.check(definition([], keys: keys), options: BuildOptions())
    #expect(check.failure == nil)
  }

  @Test("a GeoPackage store with tiles and features is drawn as both, the tiles below")
  func both() throws {
    let definition = try definition([Self.tiles, TileTable.features])
    let report = try build(definition)
    #expect(report.sources.map(\.name) == ["s/pics", "s"])
    #expect(report.sources[0].image != nil && report.sources[1].ledger.used == 1)
    var pipeline = try definition.located()
    try pipeline.resolveStores()
    #expect(
      pipeline.definition.layers.map(\.id) == ["s/pics-raster", "s-fill", "s-line", "s-circle"])
    #expect(try build(self.definition([])).result == .unchanged)
  }

  @Test("a GeoPackage store with features is drawn as before")
  func features() throws {
    let report = try build(definition([TileTable.features]))
    #expect(report.sources.map(\.name) == ["s"] && report.sources[0].ledger.used == 1)
    #expect(report.notes.isEmpty)
  }

  @Test("a GeoPackage store draws its tiles with its own raster layers")
  func ownLayers() throws {
    let style =
      ", style: [{type: raster, paint: {raster-opacity: 0.5}}, {type: circle, paint: {circle-radius: 3}}]"
    let definition = try definition([Self.tiles, TileTable.features], keys: style)
    var pipeline = try definition.located()
    try pipeline.resolveStores()
    #expect(pipeline.definition.layers.map(\.source) == ["s/pics", "s"])
    #expect(try build(definition).sources.count == 2)
  }

  @Test("a GeoPackage store without tiles refuses a raster layer")
  func noTiles() throws {
    let definition = try definition([TileTable.features], keys: ", style: [{type: raster}]")
    let error = #expect(throws: PipelineError.self) { try build(definition) }
    #expect(error?.message.contains("holds no tiles") == true)
  }

  @Test("a GeoPackage store with unsupported tiles draws its features, with a note")
  func otherSystem() throws {
    let tiles = Self.tiles.replacing("('pics', 3857,", with: "('pics', 4326,")
    let report = try build(definition([tiles, TileTable.features]))
    #expect(report.sources.map(\.name) == ["s"])
    #expect(report.notes.contains { $0.contains("'pics'") && $0.contains("are not drawn") })
  }

  @Test("a pipeline's own source of records notes the tiles beside them")
  func note() throws {
    _ = try definition([Self.tiles, TileTable.features])
    let file = try folder.write(
      """
      version: 1
      sources: {g: {type: gpkg, data: store.gpkg}}
      layers: [{id: a, type: circle, source: g}]
      tiles: {maxzoom: 1}
      output: {path: other.mbtiles}
      """, to: "y.yml")
    let report = try build(PipelineDefinition(contentsOf: file, environment: { _ in nil }))
    #expect(report.notes.contains { $0.contains("also holds tiles (pics)") })
  }
}
