import Foundation
import MBTiles
import PNG
import Raster
import SystemPackage
import TestSupport
import Testing
import Tiling

/// SpatialConnect configs through the program, as a user builds them.
@Suite("A config with stores") struct StoresTests {
  private let folder: TemporaryFolder

  /// An area from 90° W to 90° E with a look of its own, and one without.
  init() throws {
    folder = try TemporaryFolder()
    func square(_ west: Int, _ east: Int, _ properties: String) -> String {
      """
      {"type": "Feature", "properties": \(properties), "geometry": {"type": "Polygon",
       "coordinates": [[[\(west),-60],[\(east),-60],[\(east),60],[\(west),60],[\(west),-60]]]}}
      """
    }
    try folder.write(
      """
      {"type": "FeatureCollection", "features": [
        \(square(-90, -10, #"{"n": 1}"#)),
        \(square(10, 90, ##"{"n": 2, "fill": "#0000ff", "fill-opacity": 1, "stroke-width": 0}"##))]}
      """, to: "data/areas.geojson")
    try folder.write("lng,lat,name\n0,0,middle\n120,0,east\n", to: "points.csv")
    try folder.write(
      """
      {"stores": [
        {"store_type": "geojson", "version": "1", "uri": "data/areas.geojson", "id": "areas",
         "name": "Areas", "isMainBundle": true, "default_layers": [],
         "style": [{"id": "default", "paint": {"fill-color": "#00ff00", "fill-opacity": 1,
           "line-color": "#ff0000", "line-opacity": 1, "line-width": 6, "icon-color": "#3371fb"}}]},
        {"type": "csv", "version": "1", "uri": "points.csv", "id": "points",
         "style": {"marker-color": "#000000", "circle-radius": 10}}],
       "remote": {"http_host": "localhost"}, "tiles": {"maxzoom": 2}}
      """, to: "two.scfg")
    try folder.write(
      #"{"stores": [{"type": "csv", "uri": "more.csv"}]}"#, to: "more.scfg")
    try folder.write("lng,lat,name\n-120,0,west\n", to: "more.csv")
  }

  private func color(_ picture: Pixmap, _ x: Int, _ y: Int) -> UInt32 {
    picture[x, y].bits & 0xFF_FFFF
  }

  @Test("a config with stores builds as it is, drawn by the stores' styles and the features' own")
  func builds() throws {
    let build = try Program.run("build", folder.path("two.scfg"))
    #expect(build.status == 0, "\(build.errors)")
    #expect(build.errors.contains("two.scfg:3:21: 'isMainBundle' of store 'areas'"))
    #expect(build.errors.contains("'remote' is for SpatialConnect's apps"))
    let archive = folder.path("two.mbtiles")
    #expect(try Program.run("verify", archive).status == 0)
    let reader = try ArchiveReader(FilePath(archive))
    #expect(reader.metadata["name"] == "two" && reader.metadata["maxzoom"] == "2")
    let run = try Program.run("tile", folder.path("two.scfg"), "0/0/0", "-o", folder.path("t.png"))
    #expect(run.status == 0, "\(run.errors)")
    let picture = try PNGDecoder().decode(try folder.bytes("t.png"))
    // The byte order of a pixel is red, green, blue from the lowest.
    #expect(color(picture, 96, 128) == 0x00FF00 && color(picture, 64, 128) == 0x0000FF)
    #expect(color(picture, 160, 128) == 0xFF0000 && color(picture, 192, 128) != 0x0000FF)
    #expect(color(picture, 128, 128) == 0 && picture[128, 128].bits >> 24 == 255)
    #expect(picture[10, 10] == .transparent)
    let again = try Program.run("build", folder.path("two.scfg"))
    #expect(again.output.contains("unchanged"))
  }

  @Test("a config with stores is accepted by every command, and more configs with it")
  func commands() throws {
    let (two, more) = (folder.path("two.scfg"), folder.path("more.scfg"))
    let check = try Program.run("check", two, "--include", more)
    #expect(check.status == 0 && check.output.contains("3 sources, 9 layers, zoom 0 to 2"))
    let plan = try Program.run("plan", "--json", two, "--include", more)
    #expect(plan.status == 0 && plan.output.contains("two.mbtiles"))
    let query = try Program.run("query", two, "--include", more, "--source", "more")
    #expect(query.status == 0, "\(query.errors)")
    #expect(try PointCollection(query.output).features.map(\.properties.name) == ["west"])
    for (arguments, seen) in [([two], false), ([two, "0/0/0", "--include", more], true)] {
      let run = try Program.Run(
        ["tile"] + (seen ? arguments : arguments + ["0/0/0"]) + ["-o", folder.path("t.png")]
      ).finish()
      #expect(run.status == 0, "\(run.errors)")
      let picture = try PNGDecoder().decode(try folder.bytes("t.png"))
      // 120° W is at 42.7 px.
      #expect((picture[43, 128] != .transparent) == seen)
    }
  }

  @Test("configs with stores merge to the same bytes in any order, and duplicates are named")
  func order() throws {
    let orders = [["more.scfg", "z.scfg"], ["z.scfg", "more.scfg"]]
    try folder.write(
      #"{"stores": [{"type": "csv", "uri": "points.csv", "id": "z"}]}"#, to: "z.scfg")
    let archives = try orders.map { files in
      let run = try Program.Run(
        ["build", "-q", "--force", folder.path("two.scfg"), "--include"]
          + files.map { folder.path($0) }
      ).finish()
      #expect(run.status == 0, "\(run.errors)")
      return try folder.bytes("two.mbtiles")
    }
    #expect(archives[0] == archives[1])
    try folder.write(
      #"{"stores": [{"type": "csv", "uri": "more.csv", "id": "areas"}]}"#, to: "twin.scfg")
    let twins = try Program.run(
      "build", folder.path("two.scfg"), "--include", folder.path("twin.scfg"))
    #expect(twins.status == 78 && twins.output.isEmpty)
    #expect(twins.errors.contains("two sources have the name 'areas': here and at"))
    #expect(twins.errors.contains("two.scfg:2:80") && twins.errors.contains("twin.scfg:1:54"))
  }

  @Test(
    "a real config with stores builds, and a missing file is reported with its place",
    .enabled(if: SharedData.isThere, "no ../shared/data"))
  func realFile() throws {
    let data = SharedData.path("overlays/spatialconnect_all.geojson")
    try folder.write(
      #"{"stores": [{"type": "geojson", "version": "1", "uri": "\#(data)", "id": "1", "name": "Simple"}]}"#,
      to: "tests.scfg")
    let run = try Program.run(
      "build", "-z", "4", folder.path("tests.scfg"), "--report", folder.path("r"))
    #expect(run.status == 0, "\(run.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(try folder.bytes("r")))
    #expect(report.sources["1"]?.used == 7)
    try folder.write(
      #"{"stores": [{"type": "geojson", "uri": "gone.geojson", "id": "1"}]}"#, to: "gone.scfg")
    let gone = try Program.run("check", folder.path("gone.scfg"))
    #expect(gone.status == 66 && gone.errors.contains("gone.scfg:1:40"))
  }
}
