import Files
import MBTiles
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Tilesets

@Suite("Templates of tiles")
struct TemplateTests {
  private static let tile = TileCoord(z: 3, x: 3, y: 5)

  @Test(
    "a template names tiles by the places that MapLibre knows",
    arguments: [
      ("a/{z}-{x}-{y}.mvt", "a/3-3-5.mvt"), ("{y}.{z}{x}", "5.33"), ("q/{quadkey}", "q/213"),
      ("{prefix}/{z}/{x}/{y}{ratio}.pbf", "35/3/3/5.pbf"), ("one.mvt", "one.mvt"),
      (
        "b={bbox-epsg-3857}",
        "b=-5009377.085697312,-10018754.171394622,0,-5009377.085697312"
      ),
    ])
  func names(text: String, name: String) throws {
    #expect(try #require(TileTemplate(text)).name(of: Self.tile, rows: .xyz) == name)
  }

  @Test("rows from the south count from there")
  func southernRows() throws {
    let template = try #require(TileTemplate("{z}/{x}/{y}"))
    #expect(template.name(of: Self.tile, rows: .tms) == "3/3/2")
  }

  @Test(
    "a template with an unknown place, or only some of those of a tile, is none",
    arguments: ["{z}/{x}/{row}", "{z}/{x}", "{z", "{x}/{y}"])
  func noTemplate(text: String) {
    #expect(TileTemplate(text) == nil)
  }

  @Test("tiles of several templates are found where any of them leads to a file")
  func files() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", to: "a/3-3-5.mvt")
    try folder.write("b", to: "b/3-4-5.mvt")
    try folder.write("c", to: "b/3-3-5.mvt")
    try folder.write(#"{"tiles": ["a/{z}-{x}-{y}.mvt", "b/{z}-{x}-{y}.mvt"]}"#, to: "t.json")
    let tileset = try TilesetOpening.open(FilePath(folder.path("t.json")))
    let found = try tileset.presence(zoom: 3).keys.map { TileCoord($0, z: 3) }
    #expect(found == [Self.tile, TileCoord(z: 3, x: 4, y: 5)])
    #expect(try found.map { try tileset.storedTile($0) } == [[97], [98]])
    #expect(try tileset.storedTile(TileCoord(z: 3, x: 0, y: 0)) == nil)
  }

  @Test("more tiles than are looked for one by one are refused, with what helps")
  func tooMany() throws {
    let template = try #require(TileTemplate("/nowhere/{z}-{x}-{y}.mvt"))
    let tileset = TemplateTileset([template], head: TilesetHead())
    let error = #expect(throws: ArchiveError.self) { try tileset.presence(zoom: 9) }
    #expect(error?.message.contains("262144 of zoom 9") == true)
    #expect(error?.message.contains("Set 'bounds'") == true)
    let range = TileRange(zoom: 9, firstColumn: 0, lastColumn: 2, firstRow: 0, lastRow: 2)
    #expect(try tileset.presence(zoom: 9, in: range).keys == [])
  }

  @Test(
    "tiles of a fetched TileJSON are relative to its address",
    arguments: [
      ("t/{z}/{x}/{y}.pbf", "https://a.org/b/t/3/3/5.pbf"),
      ("/t/{z}/{x}/{y}.pbf", "https://a.org/t/3/3/5.pbf"),
      ("//c.org/{z}/{x}/{y}.pbf", "https://c.org/3/3/5.pbf"),
      ("http://c.org/{z}/{x}/{y}.pbf?k=1", "http://c.org/3/3/5.pbf?k=1"),
    ])
  func remote(template: String, address: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"tiles": ["\#(template)"]}"#, to: "t.json")
    let opened = try TilesetOpening.open(
      FilePath(folder.path("t.json")), address: "https://a.org/b/t.json?key=/x")
    let tileset = try #require(opened as? TemplateTileset)
    #expect(tileset.needsFetching)
    #expect(tileset.address(of: Self.tile) == address)
  }
}
