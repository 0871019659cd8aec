import Archives
import Baking
import Definition
import Examination
import Features
import Foundation
import Ingest
import JSON
import Pipeline
import Queries
import Reports
import Runs
import SourceStages
import SQLite
import TestSupport
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

private typealias Sample = VectorSourceSample

@Suite("The commands on vector tiles")
struct VectorTileCommandTests {
  private static let layers = """
    [{id: park, type: fill, source: town, source-layer: parks},
     {id: road, type: line, source: town, source-layer: roads, paint: {line-width: 5}}]
    """

  /// The numbers of tiles of zoom 2 that have a part of each area, and of the road.
  private static let pieces = (parks: 6 + 4, roads: 6)

  private func written(
    _ container: VectorSourceSample.Container = .archive
  ) throws -> VectorSourceSample {
    let sample = try VectorSourceSample(container)
    try sample.write()
    return sample
  }

  private func path(_ sample: VectorSourceSample) -> String {
    sample.folder.path(sample.container.rawValue)
  }

  /// Returns the lines with a word at their beginning, their columns separated by single spaces.
  private func rows(_ text: String, _ word: String) -> [String] {
    text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      .filter { $0.hasPrefix("\(word) ") }
  }

  // MARK: check

  @Test("check has a row for each layer of vector tiles, and each kind of finding once")
  func check() throws {
    let layers = """
      [{id: road, type: line, source: town, source-layer: roads, paint: {line-width: [get, nmae]}},
       {id: name, type: symbol, source: town, source-layer: roads, layout: {text-field: '{name}'}}]
      """
    let sample = try written()
    let summary = try PipelineRunner.check(sample.pipeline(layers), options: BuildOptions())
    let text = summary.text(file: "town.yml")
    #expect(rows(text, "roads 0–2").count == 1 && rows(text, "roads, labels 0–2").count == 1)
    #expect(text.contains("  roads at zoom 0–2:\n"))
    #expect(text.ranges(of: "layer 'road' asks for 'nmae', which no record has").count == 1)
  }

  // MARK: inspect

  @Test(
    "inspect counts the features of vector tiles by layer, with their zooms and fields",
    arguments: VectorSourceSample.Container.listed)
  func inspect(container: VectorSourceSample.Container) throws {
    let sample = try written(container)
    var counts: [String: Int] = [:]
    for (_, bytes) in sample.tiles {
      for layer in try VectorTile(bytes).layers { counts[layer.name, default: 0] += layer.count }
    }
    let text = try PipelineRunner.inspect(archive: path(sample))
    let (parks, roads, places) = (
      try #require(counts["parks"]), try #require(counts["roads"]), try #require(counts["places"])
    )
    #expect(rows(text, "parks") == ["parks 0 to 2 0 0 \(parks) kind (String)"])
    #expect(rows(text, "roads") == ["roads 0 to 2 0 \(roads) 0 name (String)"])
    #expect(rows(text, "places") == ["places 0 to 2 \(places) 0 0 name (String)"])
    let tiles = sample.tiles.filter { $0.tile.z == 2 }.count
    #expect(rows(text, "2").contains { $0.hasPrefix("2 \(tiles) ") })
    #expect(text.contains("largest tiles"))
    #expect(!text.contains("cannot be read") && !text.contains(#""vector_layers""#))
  }

  @Test("inspect says which vector tiles are broken and which layers the metadata leave out")
  func inspectFaults() throws {
    let sample = try VectorSourceSample()
    let broken = TileCoord(z: 2, x: 1, y: 0)
    try sample.write { tile, bytes in
      if tile == broken { bytes = [0x1A, 0x7F, 0x00] }
      if tile.z == 0 {
        bytes += TileSample.tile([.init("rivers", [.init(.line, [[(1, 1), (9, 9)]])])])
      }
    }
    let text = try PipelineRunner.inspect(archive: path(sample))
    #expect(text.contains("the metadata do not list the layers rivers."))
    #expect(text.contains("1 tiles and 0 features cannot be read. The first: tile 2/1/0, byte "))
    #expect(rows(text, "rivers") == ["rivers 0 to 0 0 1 0"])
  }

  @Test("inspect of a tile shows its layers and features", arguments: Sample.Container.listed)
  func inspectTile(container: VectorSourceSample.Container) throws {
    let sample = try written(container)
    let text = try PipelineRunner.inspect(TileCoord(z: 2, x: 0, y: 2), of: path(sample))
    #expect(text.hasPrefix("\(path(sample)), tile 2/0/2: "))
    #expect(rows(text, "roads") == ["roads 2 4096 1 0 1 0 2"])
    #expect(rows(text, "places") == ["places 2 4096 1 1 0 0 1"])
    #expect(rows(text, "3") == [#"3 line 2 {"name":"Ring"}"#])
    #expect(rows(text, "point") == [#"point 1 {"name":"A"}"#])
  }

  @Test("inspect of a tile that is not there names the next one above it")
  func inspectAbsentTile() throws {
    let sample = try written()
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.inspect(TileCoord(z: 4, x: 1, y: 9), of: path(sample))
    }
    #expect(error?.message == "there is no tile 4/1/9. Of those above it, 2/0/2 is there.")
    let broken = try VectorSourceSample()
    try broken.write { _, bytes in bytes = [0x1A, 0x7F, 0x00] }
    let damaged = #expect(throws: PipelineError.self) {
      try PipelineRunner.inspect(TileCoord(z: 0, x: 0, y: 0), of: path(broken))
    }
    #expect(damaged?.code == .badData && damaged?.message.hasPrefix("tile 0/0/0, byte ") == true)
  }

  @Test("inspect of a picture's tile names its format and size")
  func inspectPicture() throws {
    let sample = try written()
    _ = try Sample.build(try sample.pipeline(Self.layers, tiles: "{maxzoom: 0}"))
    let archive = sample.folder.path("town.mbtiles")
    let text = try PipelineRunner.inspect(TileCoord(z: 0, x: 0, y: 0), of: archive)
    #expect(text.hasPrefix("\(archive), tile 0/0/0: ") && text.contains("PNG of 256 × 256 px"))
    #expect(try !PipelineRunner.inspect(archive: archive).contains("largest tiles"))
  }

  // MARK: query

  private func query(
    _ definition: PipelineDefinition, _ change: (inout QueryOptions) -> Void
  ) throws -> (lines: [String], summary: QuerySummary) {
    var options = QueryOptions()
    options.format = .geojsonseq
    change(&options)
    var bytes: [UInt8] = []
    let summary = try PipelineRunner.query(
      definition, query: options, options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in }, write: { bytes += $0 })
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return (lines, summary)
  }

  @Test("a query finds the tiles that a TileJSON has at local://")
  func queryLocal() throws {
    let sample = try written(.template)
    try sample.folder.write(
      #"{"tiles": ["local://flat/{z}-{x}-{y}.mvt"], "maxzoom": 2}"#, to: "town.json")
    let file = try sample.folder.write(
      """
      {"version": 8, "sources": {"town": {"type": "vector", "url": "local://town.json"}},
       "layers": [{"id": "a", "type": "fill", "source": "town", "source-layer": "parks"}]}
      """, to: "style.json")
    let definition = try PipelineDefinition(
      contentsOf: file, environment: { $0 == "QUADRILLE_LOCAL" ? sample.folder.path(".") : nil })
    #expect(try query(definition) { _ in }.lines.count == Self.pieces.parks)
  }

  @Test("a map of tiles without a feature to draw says each reason once, and adds up the zooms")
  func nothingDrawn() throws {
    let sample = try written()
    let definition = try sample.pipeline(
      "[{id: park, type: fill, source: town, source-layer: places}]")
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.message.contains("(of source 'town' 9 read, 0 filtered, 9 used)") == true)
    #expect(error?.message.components(separatedBy: "draws nothing").count == 2)
  }

  @Test("a query of a tileset prints the features of each tile", arguments: Sample.Container.listed)
  func queryTileset(container: VectorSourceSample.Container) throws {
    let sample = try written(container)
    #expect(TilesetInspection.isVector(path(sample)))
    let definition = try PipelineDefinition(tileset: path(sample))
    let parks = try query(definition) { $0.tileLayers = ["parks"] }
    #expect(parks.lines.count == Self.pieces.parks)
    #expect(parks.lines[0].contains(#""sourceId":1,"#))
    #expect(parks.lines[0].contains(#""sourceLayer":"parks","geometry":"#))
    #expect(parks.lines[0].contains(#""properties":{"kind":"wood"}"#))
    #expect(parks.summary.notes.isEmpty)
    let lawn = try query(definition) {
      $0.tileLayers = ["parks", "roads"]
      $0.whereText = "kind = 'lawn'"
    }
    #expect(lawn.lines.count == 4)
    #expect(lawn.summary.sources.count == 2)
    #expect(lawn.summary.sources[1].contains(", layer roads of zoom 2: \(Self.pieces.roads) read"))
    #expect(try query(definition) { _ in }.lines.count == Self.pieces.parks + Self.pieces.roads + 3)
  }

  @Test("a query reads the tiles of its box at the zoom that is asked for")
  func queryBox() throws {
    let sample = try written()
    let definition = try PipelineDefinition(tileset: path(sample))
    // The point at the middle of the world, and the one in the north-east.
    let middle = try query(definition) {
      $0.tileLayers = ["places"]
      $0.bounds = GeoBounds(west: -10, south: -10, east: 10, north: 10)
    }
    #expect(middle.lines.count == 1 && middle.lines[0].contains(#""name":"B""#))
    for zoom in [0, 1, 2, 9] {
      let found = try query(definition) {
        $0.tileLayers = ["places"]
        $0.tileZoom = zoom
      }
      #expect(found.lines.count == 3)
      #expect(found.summary.sources[0].contains("of zoom \(min(zoom, 2)): "))
    }
  }

  @Test("a query of a pipeline reads the layers that it draws")
  func queryPipeline() throws {
    let sample = try written()
    let definition = try sample.pipeline(Self.layers, source: ", minzoom: 1")
    let found = try query(definition) { $0.sources = ["town"] }
    #expect(found.lines.count == Self.pieces.parks + Self.pieces.roads)
    #expect(
      found.lines.filter { $0.contains(#""sourceLayer":"roads""#) }.count == Self.pieces.roads)
    let others = try query(definition) { $0.tileLayers = ["places"] }
    #expect(others.lines.count == 3)
    let bounded = try sample.pipeline(
      Self.layers, tiles: "{minzoom: 2, maxzoom: 2, bounds: [-170, 70, -150, 80]}")
    // The tile of the box and three around it have the first area; the second begins further south.
    #expect(try query(bounded) { $0.tileLayers = ["parks"] }.lines.count == 4)
    let early = #expect(throws: PipelineError.self) { try query(definition) { $0.tileZoom = 0 } }
    #expect(early?.message.contains("has tiles from zoom 1 on, not of zoom 0") == true)
    let wrong = #expect(throws: PipelineError.self) { try query(definition) { $0.sources = ["a"] } }
    #expect(wrong?.message == "there is no source 'a'; sources are town.")
  }

  @Test("a query for a layer that is not listed notes the one that was meant")
  func queryUnlisted() throws {
    let sample = try written()
    let found = try query(try PipelineDefinition(tileset: path(sample))) {
      $0.tileLayers = ["rods"]
    }
    #expect(found.lines.isEmpty)
    #expect(found.summary.notes.contains { $0.contains("did you mean 'roads'?") })
    let direct = try sample.directPipeline(nil)
    let error = #expect(throws: PipelineError.self) { try query(direct) { $0.tileZoom = 2 } }
    #expect(error?.code == .usage && error?.message.contains("vector tiles") == true)
  }

  @Test("a feature of vector tiles has one key at all zooms, in queries and in taps")
  func keys() throws {
    let sample = try written()
    let layers =
      String(Self.layers.dropLast()) + """
        , {id: name, type: symbol, source: town, source-layer: parks, layout: {text-field: x}}]
        """
    let definition = try sample.pipeline(
      layers, tiles: "{maxzoom: 2, interactivity: {text: '{kind}'}}")
    let key = FeatureKey(source: "town", layer: "parks", feature: "1").description
    for zoom in 0...2 {
      let found = try query(definition) {
        $0.tileZoom = zoom
        $0.ids = [key]
      }
      #expect(found.lines.allSatisfy { $0.contains(#""key":"\#(key)""#) } && !found.lines.isEmpty)
    }
    _ = try Sample.build(definition)
    let database = try Database(path: sample.folder.path("town.mbtiles"), mode: .readOnly)
    var names: [String] = []
    let statement = try database.prepare("SELECT key_name, key_json FROM keymap ORDER BY key_name")
    while try statement.step() {
      names.append(statement.text(0) ?? "")
      #expect(statement.text(1)?.contains(#""source":"town""#) == true)
    }
    let expected = [("parks", "1"), ("parks", "2"), ("roads", "3")].map {
      FeatureKey(source: "town", layer: $0, feature: $1).description
    }
    #expect(names == expected.sorted())
    let why = try PipelineRunner.why(
      definition, question: .feature(key), scale: 1, options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })
    #expect(rows(why.text, "0").first?.contains("park") == true)
    #expect(rows(why.text, "2").first?.contains("park") == true)
  }

  @Test(
    "a feature of vector tiles without an id has the key of its properties, in queries and in taps")
  func keysWithoutID() throws {
    let sample = try written()
    let layers = "[{id: place, type: circle, source: town, source-layer: places}]"
    let definition = try sample.pipeline(
      layers, tiles: "{maxzoom: 2, interactivity: {fields: [name]}}")
    var keys: [Set<String>] = []
    for zoom in 0...2 {
      let found = try query(definition) {
        $0.tileZoom = zoom
        $0.format = .geojsonseq
      }
      keys.append(
        Set(
          found.lines.compactMap { line in
            line.range(of: #""key":""#).map {
              String(line[$0.upperBound...].prefix { $0 != "\"" })
            }
          }))
    }
    #expect(keys[0].count == 3 && keys.allSatisfy { $0 == keys[0] })
    _ = try Sample.build(definition)
    let database = try Database(path: sample.folder.path("town.mbtiles"), mode: .readOnly)
    var names: Set<String> = []
    let statement = try database.prepare("SELECT key_name FROM keymap")
    while try statement.step() { names.insert(statement.text(0) ?? "") }
    #expect(names == keys[0])
  }

  // MARK: why and check

  @Test("why names the layer, the id and the source tile of a pixel's feature")
  func why() throws {
    let sample = try written()
    let definition = try sample.pipeline(Self.layers)
    let answer = try PipelineRunner.why(
      definition, question: .pixel(TileCoord(z: 2, x: 1, y: 0), x: 20, y: 200), scale: 1,
      options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    let row = try #require(rows(answer.text, "park").first)
    #expect(row.hasPrefix("park fill town one record "))
    #expect(row.contains("tiles.mbtiles, tile 2/1/0, layer parks, id 1 "))
    for member in [
      #""layer": "park""#, #""source": "town""#, #""sourceLayer": "parks""#, #""id": "1""#,
      #""tile": "2/1/0""#,
    ] {
      #expect(answer.json.pretty.contains(member), "\(member)")
    }
  }

  @Test(
    "check shows the layers of vector tiles in one table, without advice for their maker's files")
  func checked() throws {
    let sample = try written()
    let check = try PipelineRunner.check(
      try sample.pipeline(Self.layers, tiles: "{maxzoom: 2}"), options: BuildOptions())
    let text = check.text(file: "town.yml")
    #expect(text.contains("source town: vector, "))
    let count = check.sources.prefix(3).reduce(0) { $0 + ($1.examination?.ledger.read ?? 0) }
    #expect(count > 0 && rows(text, "parks") == ["parks 0–2 \(count) \(count) 0 0 0"])
    #expect(rows(text, "roads").count == 1)
    for advice in ["ring_winding", "constant_columns", "town/parks"] {
      #expect(!text.contains(advice), "\(text)")
    }
  }

  @Test("a broken tile is rejected as invalid_tile, in reports and by check")
  func invalidTile() throws {
    let sample = try VectorSourceSample()
    try sample.write { tile, bytes in
      if tile == TileCoord(z: 2, x: 1, y: 0) { bytes = [0x1A, 0x7F, 0x00] }
    }
    let definition = try sample.pipeline(
      Self.layers, source: ", onError: {max: 1}", tiles: "{minzoom: 2, maxzoom: 2}")
    let report = try Sample.build(definition)
    #expect(report.sources[0].ledger.rejected == [.invalidTile: 1])
    let check = try PipelineRunner.check(definition, options: BuildOptions())
    #expect(check.sources[0].examination?.ledger.rejected == [.invalidTile: 1])
  }
}
