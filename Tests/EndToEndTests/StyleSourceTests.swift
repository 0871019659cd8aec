import Foundation
import MBTiles
import PNG
import Raster
import SystemPackage
import TestSupport
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

/// Styles of the web and tilesets through the program, as a user joins them.
@Suite("A style of the web with tiles of one's own") struct StyleSourceTests {
  private let folder: TemporaryFolder

  /// Tiles of zoom 0 and 1 with a lake in the middle of each, a road and a town; and a style that names
  /// tiles of a server.
  init() throws {
    folder = try TemporaryFolder()
    let tile = TileSample.tile([
      TileSample.Layer(
        "water",
        [
          TileSample.Feature(
            .polygon, [[(1024, 1024), (3072, 1024), (3072, 3072), (1024, 3072)]],
            [("class", .string("lake"))])
        ]),
      TileSample.Layer(
        "transportation",
        [TileSample.Feature(.line, [[(0, 3600), (4096, 3600)]], [("class", .string("motorway"))])]),
      TileSample.Layer(
        "place",
        [
          TileSample.Feature(
            .point, [[(2048, 400)]], [("class", .string("city")), ("name", .string("Town"))])
        ]),
    ])
    for name in ["0/0/0", "1/0/0", "1/1/0", "1/0/1", "1/1/1"] {
      try folder.write(bytes: tile, to: "tiles/\(name).pbf")
    }
    try folder.write(
      """
      {"name": "Town", "format": "pbf", "minzoom": 0, "maxzoom": 1, "attribution": "© Surveyors",
       "bounds": [-10, -10, 10, 10],
       "vector_layers": [{"id": "water", "fields": {"class": "String"}},
        {"id": "transportation", "fields": {"class": "String"}},
        {"id": "place", "fields": {"class": "String", "name": "String"}}]}
      """, to: "tiles/metadata.json")
    try folder.write(
      """
      {"version": 8, "name": "Web", "center": [100, 50], "zoom": 12, "fog": {},
       "sources": {
         "omt": {"type": "vector", "url": "https://tiles.invalid/tiles.json?key={key}"},
         "heights": {"type": "raster-dem", "url": "https://tiles.invalid/dem.json"}},
       "glyphs": "https://tiles.invalid/{fontstack}/{range}.pbf",
       "layers": [
        {"id": "ground", "type": "background", "filter": ["all"],
         "paint": {"background-color": "#ffffff"}},
        {"id": "shade", "type": "hillshade", "source": "heights"},
        {"id": "raised", "type": "fill-extrusion", "source": "omt", "source-layer": "water",
         "slot": "middle",
         "paint": {"fill-extrusion-color": "#0000ff", "fill-extrusion-height": 30}}]}
      """, to: "style.json")
  }

  private var replacement: String { "omt=\(folder.path("tiles"))" }

  private func color(_ name: String, _ x: Int, _ y: Int) throws -> UInt32 {
    try PNGDecoder().decode(try folder.bytes(name))[x, y].bits & 0xFF_FFFF
  }

  @Test("a source's data is replaced by --source, and what is not flat is drawn flat or left out")
  func tile() throws {
    let run = try Program.run(
      "tile", folder.path("style.json"), "0/0/0", "--source", replacement, "-o",
      folder.path("t.png"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("layers 'raised' (fill-extrusion) are drawn flat"))
    #expect(run.errors.contains("layers 'shade' (hillshade) are left out"))
    #expect(run.errors.contains("sources 'heights' (raster-dem) are left out"))
    // The byte order of a pixel is red, green, blue from the lowest.
    #expect(try color("t.png", 256, 256) == 0xFF0000)
    #expect(try color("t.png", 20, 20) == 0xFFFFFF)
  }

  @Test("zooms, box and attribution of an archive are those of the tileset")
  func build() throws {
    let run = try Program.run("build", folder.path("style.json"), "--source", replacement)
    #expect(run.status == 0, "\(run.errors)")
    let reader = try ArchiveReader(FilePath(folder.path("Web.mbtiles")))
    #expect(reader.metadata["maxzoom"] == "1" && reader.metadata["attribution"] == "© Surveyors")
    // The style's own view lies elsewhere.
    #expect(reader.metadata["center"]?.hasPrefix("100") == false)
    let deeper = try Program.run(
      "build", folder.path("style.json"), "--source", replacement, "-z", "3", "-o",
      folder.path("deep.mbtiles"))
    #expect(deeper.status == 0, "\(deeper.errors)")
    #expect(
      try ArchiveReader(FilePath(folder.path("deep.mbtiles"))).metadata["maxzoom"] == "3")
  }

  @Test("a source that is not there is refused with the nearest, and one without data is left out")
  func names() throws {
    let typo = try Program.run("check", folder.path("style.json"), "--source", "omtt=x")
    #expect(typo.status == 64)
    #expect(typo.errors.contains("--source: no source 'omtt'; did you mean 'omt'?"))
    let missing = try Program.run("check", folder.path("style.json"), "--source", "omt=nowhere")
    #expect(missing.errors.contains("--source: source 'omt': there is no tileset nowhere."))
    let none = try Program.run(
      "tile", folder.path("style.json"), "0/0/0", "--source", "omt=", "-o", folder.path("n.png"))
    #expect(none.status == 0, "\(none.errors)")
    #expect(try color("n.png", 256, 256) == 0xFFFFFF)
    let bad = try Program.run("check", folder.path("style.json"), "--source", "omt")
    #expect(bad.status == 64 && bad.errors.contains("'omt' is not NAME=FILE"))
  }

  @Test("a draft of tiles with the land itself leaves the sea blue around it")
  func seaOfDraft() throws {
    let ring = [(0, 0), (2048, 0), (2048, 4096), (0, 4096)]
    let earth = TileSample.Layer("earth", [TileSample.Feature(.polygon, [ring])])
    try folder.write(bytes: TileSample.tile([earth]), to: "globe/0/0/0.pbf")
    let new = try Program.run("new", folder.path("globe"), "-o", folder.path("globe.yml"))
    #expect(new.status == 0, "\(new.errors)")
    let tile = try Program.run(
      "tile", folder.path("globe.yml"), "0/0/0", "-o", folder.path("g.png"))
    #expect(tile.status == 0, "\(tile.errors)")
    #expect(try color("g.png", 100, 256) == 0xEAF1F4)
    #expect(try color("g.png", 400, 256) == 0xE3CFA9)
  }

  @Test("new drafts a style for the layers of vector tiles, which checks and draws")
  func draft() throws {
    let new = try Program.run("new", folder.path("tiles"), "-o", folder.path("map.yml"))
    #expect(new.status == 0, "\(new.errors)")
    let text = try String(contentsOf: folder.url.appendingPathComponent("map.yml"), encoding: .utf8)
    let ids = text.split(separator: "\n").filter { $0.contains("- id:") }.map {
      $0.trimmingCharacters(in: .whitespaces).dropFirst("- id: ".count)
    }
    #expect(ids == ["background", "water", "transportation-casing", "transportation", "place"])
    let check = try Program.run("check", folder.path("map.yml"))
    #expect(check.status == 0, "\(check.errors)\(check.output)")
    let tile = try Program.run("tile", folder.path("map.yml"), "0/0/0", "-o", folder.path("t.png"))
    #expect(tile.status == 0, "\(tile.errors)")
    #expect(try color("t.png", 256, 256) == 0xE3CFA9)
  }
}
