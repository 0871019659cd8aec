import DefinitionSamples
import Features
import Foundation
import PNG
import Raster
import SQLite
import TestSupport
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

@testable import Definition
@testable import Drafts
@testable import Pipeline
@testable import Reports
@testable import Runs
@testable import Styling

@Suite("A draft for raster tiles")
struct TilesetDraftTests {
  /// Writes an archive of one colour for each tile of zoom 0 and 1, as other programs do.
  private func write(_ sample: DraftSample, side: Int, metadata: [String: String] = [:]) throws {
    let database = try Database(path: sample.folder.path("photo.mbtiles"), mode: .create)
    try database.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      """)
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
      try database.execute("INSERT INTO metadata VALUES ('\(name)', '\(value)')")
    }
    let picture = Pixmap(width: side, height: side)
    picture.clear(to: PremultipliedColor(bits: 0xFF00_80FF))
    let digits = PNGEncoder().encode(picture).map { String(format: "%02x", $0) }.joined()
    for (zoom, count) in [(0, 1), (1, 2)] {
      for x in 0..<count {
        for y in 0..<count {
          try database.execute("INSERT INTO tiles VALUES (\(zoom), \(x), \(y), x'\(digits)')")
        }
      }
    }
  }

  @Test("raster tiles get one layer at the size of their pictures", arguments: [256, 512])
  func size(side: Int) throws {
    let sample = try DraftSample()
    try write(sample, side: side, metadata: ["bounds": "-180,-85,180,85"])
    let draft = try sample.draft("photo.mbtiles")
    let definition = try sample.definition(draft)
    #expect(definition.sources.map(\.type) == ["raster"])
    #expect(definition.layers.map(\.type) == [.raster])
    #expect(definition.tiles.tileSize == side && definition.tiles.maxZoom == 1)
    #expect(draft.summary == "1 source, 1 layer, zoom 0 to 1")
    let report = try sample.build(draft)[0]
    #expect(report.result == .published && report.tiles.planned == 5)
  }

  @Test("tiles of double density are shown at half of their size")
  func density() throws {
    let sample = try DraftSample()
    try write(sample, side: 512, metadata: ["scale": "2"])
    let definition = try sample.definition(try sample.draft("photo.mbtiles"))
    #expect(definition.tiles.tileSize == 256)
    #expect(definition.sources[0].node["tileSize"]?.integer == 256)
  }

  /// Writes a folder with one vector tile.
  private func write(_ sample: DraftSample, _ layers: [TileSample.Layer]) throws {
    try sample.write(TileSample.tile(layers), to: "town/0/0/0.pbf")
    try sample.folder.write(#"{"tilejson": "3.0.0", "maxzoom": 0}"#, to: "town/tiles.json")
  }

  private static let square = [(500, 500), (3000, 500), (3000, 3000), (500, 3000)]
  private static let path = [(100, 100), (4000, 3900)]

  @Test(
    "layers of vector tiles with lines, areas and points get ids of their own, and can be built",
    arguments: ["roads", "road", "transportation", "streets", "water", "building", "background"])
  func mixedLayers(name: String) throws {
    let sample = try DraftSample()
    let names: [(String, VectorTileValue)] = [("name", .string("A")), ("class", .string("main"))]
    try write(
      sample,
      [name, "\(name)-lines", "\(name)-casing"].map { name in
        .init(
          name,
          [
            .init(.line, [Self.path], names), .init(.polygon, [Self.square], names),
            .init(.point, [[(2000, 2000)]], names),
          ])
      })
    let draft = try sample.draft("town")
    let ids = try sample.definition(draft).layers.map(\.id)
    #expect(Set(ids).count == ids.count && ids.count > 4)
    #expect(try sample.build(draft).first?.result == .published)
  }

  @Test("names of a tileset are the first that a feature has, in Latin letters before others")
  func names() throws {
    let sample = try DraftSample()
    try write(
      sample,
      [
        .init(
          "place",
          [
            .init(.point, [[(9, 9)]], [("name", .string("東京")), ("name:latin", .string("Tokyo"))]),
            .init(.point, [[(2000, 9)]], [("name", .string("Rom"))]),
          ]), .init("poi", [.init(.point, [[(9, 9)]], [("name", .string("Café"))])]),
      ])
    let layers = try sample.definition(try sample.draft("town")).layers
    func text(_ id: String) -> PropertyValue? {
      layers.first { $0.id == id }?.layout.first { $0.key == "text-field" }?.node.propertyValue
    }
    let get = { (name: String) in PropertyValue.array([.string("get"), .string(name)]) }
    #expect(text("place") == .array([.string("coalesce"), get("name:latin"), get("name")]))
    #expect(text("poi") == get("name"))
  }

  @Test(
    "ground is quiet and has the colours of the page, for the layers of three schemas",
    arguments: [
      ["water", "landcover", "transportation", "building", "place", "poi"],
      ["water_polygons", "land", "streets", "buildings", "place_labels", "pois"],
      ["water", "landuse", "roads", "buildings", "places", "pois"],
    ])
  func ground(names: [String]) throws {
    let sample = try DraftSample()
    let name: [(String, VectorTileValue)] = [("name", .string("A"))]
    try write(
      sample,
      [
        .init(names[0], [.init(.polygon, [Self.square])]),
        .init(names[1], [.init(.polygon, [Self.square], [("kind", .string("forest"))])]),
        .init(names[2], [.init(.line, [Self.path], [("kind", .string("motorway"))])]),
        .init(names[3], [.init(.polygon, [Self.square])]),
        .init(names[4], [.init(.point, [[(9, 9)]], name)]),
        .init(names[5], [.init(.point, [[(9, 9)]], name)]),
      ])
    for (palette, water) in [(TilesetPalette.light, "#d5e2e9"), (.dark, "#141b21")] {
      let ground = try #require(try GroundDraft(sample.folder.path("town"), palette))
      let definition = try ground.definition(folder: sample.folder.url.path)
      let shown = definition.layers.compactMap(\.sourceLayer)
      #expect(Set(shown) == Set(names.dropLast()))
      let fill = definition.layers.first { $0.sourceLayer == names[0] }?.paint
        .first { $0.key == "fill-color" }
      #expect(fill?.node.text == water)
    }
  }

  @Test("data over ground get its layers below theirs, and a box to fill")
  func over() throws {
    let sample = try DraftSample()
    try write(sample, [.init("water", [.init(.polygon, [Self.square])])])
    try sample.writeShops(40)
    let draft = try sample.draft("shops.csv") { $0.ground = sample.folder.path("town") }
    let definition = try sample.definition(draft)
    #expect(definition.sources.map(\.type) == ["vector", "csv"])
    #expect(definition.layers.prefix(2).map(\.id) == ["background", "water"])
    let box = try #require(definition.tiles.bounds)
    #expect(box.west > 6 && box.east < 15 && box.west < box.east)
    #expect(try sample.build(draft).first?.result == .published)
  }

  @Test("areas of unknown layers are filled faintly in a map, and those of contours everywhere")
  func unknownAreas() throws {
    func opacity(_ names: [String], of name: String) throws -> Double? {
      let sample = try DraftSample()
      try write(sample, names.map { .init($0, [.init(.polygon, [Self.square])]) })
      let layer = try sample.definition(try sample.draft("town")).layers.first { $0.id == name }
      return layer?.paint.first { $0.key == "fill-opacity" }?.node.number
    }
    #expect(try opacity(["water", "building", "zones"], of: "zones") == 0.1)
    #expect(try opacity(["contour", "zones"], of: "contour") == 0.1)
    #expect(try opacity(["contour", "zones"], of: "zones") == 0.4)
    #expect(try opacity(["hillshade"], of: "hillshade") == 0.1)
  }

  @Test("a folder of gdal2tiles is built with rows from the south, and a bare one with a guess")
  func rows() throws {
    let sample = try DraftSample()
    let picture = Pixmap(width: 256, height: 256)
    picture.clear(to: PremultipliedColor(bits: 0xFF00_80FF))
    for folder in ["told", "bare"] {
      try sample.write(PNGEncoder().encode(picture), to: "\(folder)/2/1/3.png")
    }
    try sample.folder.write(
      #"<TileMap version="1.0.0"><TileSets profile="mercator"></TileSets></TileMap>"#,
      to: "told/tilemapresource.xml")
    let told = try sample.draft("told")
    #expect(!told.text.contains("scheme"))
    #expect(try sample.build(told)[0].notes.filter { $0.contains("rows count") } == [])
    let bare = try sample.draft("bare")
    #expect(bare.text.contains("scheme: xyz") && bare.text.contains("scheme: tms"))
    let silent = bare.text.replacing("scheme: xyz", with: "bounds: [-180, -85, 180, 85]")
    let definition = try PipelineDefinition(document(silent, file: sample.folder.path("map.yml")))
    let report = try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    #expect(report[0].notes.filter { $0.contains("taken from the north") }.count == 1)
  }

  @Test("a folder whose metadata say that its tiles are of another tiling is refused in words")
  func geodetic() throws {
    let sample = try DraftSample()
    try sample.write([0], to: "globe/2/1/3.png")
    try sample.folder.write(
      #"<TileMap><TileSets profile='geodetic'></TileSets></TileMap>"#,
      to: "globe/tilemapresource.xml")
    let error = #expect(throws: PipelineError.self) { try sample.draft("globe") }
    #expect(error?.message.contains("the profile 'geodetic'") == true)
  }
}
