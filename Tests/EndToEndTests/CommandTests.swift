import Foundation
import MBTiles
import PNG
import Raster
import SystemPackage
import TestSupport
import Testing
import Tiling

@Suite("A command")
struct CommandTests {
  /// A plan as JSON.
  private struct Plan: Decodable {
    struct Tiles: Decodable {
      var planned: Int
    }

    struct Zoom: Decodable {
      var zoom: Int
      var points: Int
      var clusters: Int
      var tiles: Int
      var empty: Int
    }

    var pipeline: String
    var zooms: [Zoom]
    var tiles: Tiles
  }

  @Test("plan lists exactly the tiles that the build makes", arguments: ["children", "none"])
  func plan(fill: String) throws {
    var settings = Sample.Settings()
    settings.tiles += "\n  fill: \(fill)"
    let sample = try Sample(settings)
    let run = try Program.run("plan", "--json", sample.pipeline)
    #expect(run.status == 0, "\(run.errors)")
    let plan = try JSONDecoder().decode(Plan.self, from: Data(run.output.utf8))
    #expect(try sample.folder.names() == ["places.csv", "sample.yml"])
    let report = try sample.build()
    #expect(plan.tiles.planned == report.tiles.planned)
    #expect(plan.zooms.map(\.tiles) == report.zooms.map(\.tiles))
    #expect(plan.zooms.map(\.empty) == report.zooms.map(\.empty))
    #expect(plan.zooms.map(\.points) == report.zooms.map(\.points))
    #expect(plan.zooms.map(\.clusters) == report.zooms.map(\.clusters))
  }

  @Test("tile draws one tile with the bytes of the archive's")
  func tile() throws {
    let sample = try Sample()
    try sample.build()
    let reader = try ArchiveReader(FilePath(sample.archive))
    var all: [(tile: TileCoord, bytes: [UInt8])] = []
    try reader.forEachTile { tile, bytes in all.append((tile, Array(bytes))) }
    for index in stride(from: 0, to: all.count, by: max(1, all.count / 8)) {
      let run = try Program.run(
        "tile", sample.pipeline, "\(all[index].tile)", "-o", sample.folder.path("tile.png"))
      #expect(run.status == 0, "\(run.errors)")
      #expect(try sample.folder.bytes("tile.png") == all[index].bytes, "\(all[index].tile)")
    }
    let dense = try Program.run(
      "tile", sample.pipeline, "0/0/0", "--scale", "2", "-o", sample.folder.path("dense.png"))
    #expect(dense.status == 0)
    #expect(try PNGDecoder().decode(sample.folder.bytes("dense.png")).width == 512)
    let empty = try Program.run(
      "tile", sample.pipeline, "6/0/0", "-o", sample.folder.path("empty.png"))
    #expect(empty.status == 0)
    let picture = try PNGDecoder().decode(sample.folder.bytes("empty.png"))
    #expect(picture.pixels.allSatisfy { $0 == 0 } && picture.width == 256)
  }

  @Test("query returns records as GeoJSON: all, some, or those in a box")
  func query() throws {
    let sample = try Sample()
    let all = try Program.run("query", sample.pipeline)
    #expect(all.status == 0, "\(all.errors)")
    let collection = try PointCollection(all.output)
    #expect(collection.type == "FeatureCollection" && collection.features.count == 400)
    let first = try #require(collection.features.first)
    #expect(first.type == "Feature" && first.geometry.type == "Point")
    #expect(first.properties.name == "Place 0" && first.properties.kind == 0)
    let fields = Sample.rows(1)[0].split(separator: ",")
    #expect(first.geometry.coordinates == fields.prefix(2).compactMap { Double($0) })
    let some = try Program.run("query", sample.pipeline, "--limit", "7")
    #expect(try PointCollection(some.output).features.count == 7)
    // Around the antimeridian, where every third place is.
    let box = try Program.run("query", sample.pipeline, "--bbox", "170,-30,-170,0")
    #expect(try PointCollection(box.output).features.count == 134)
    let none = try Program.run("query", sample.pipeline, "--limit", "0")
    #expect(try PointCollection(none.output).features.isEmpty)
    #expect(try Program.run("query", sample.pipeline, "--source", "x").status == 64)
  }

  @Test("check examines a pipeline without building it")
  func check() throws {
    let sample = try Sample()
    let run = try Program.run("check", sample.pipeline)
    #expect(run.status == 0 && run.output.contains("sample is good"), "\(run.errors)")
    #expect(try sample.folder.names() == ["places.csv", "sample.yml"])
    let quiet = try Program.run("check", "-q", sample.pipeline)
    #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
  }

  @Test("schema prints the schema of the pipeline file as JSON")
  func schema() throws {
    let run = try Program.run("schema")
    #expect(run.status == 0)
    let schema = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let definitions = schema?["$defs"] as? [String: [String: Any]]
    let properties = definitions?["pipeline"]?["properties"] as? [String: Any]
    #expect(properties?["sources"] != nil && properties?["tiles"] != nil)
  }

  @Test("inspect describes an archive")
  func inspect() throws {
    let sample = try Sample()
    let report = try sample.build()
    let run = try Program.run("inspect", sample.archive)
    #expect(run.status == 0 && run.errors.isEmpty)
    for part in ["minzoom", "maxzoom", "bounds", "sample", report.archive.digest] {
      #expect(run.output.contains(part), "\(part)")
    }
    #expect(try Program.run("inspect", sample.folder.path("none.mbtiles")).status == 66)
  }

  /// A description as JSON; other containers have some of the members.
  private struct Description: Decodable {
    struct Zoom: Decodable, Equatable {
      var zoom: Int
      var tiles: Int
    }

    var container: String
    var tiles: Int?
    var zooms: [Zoom]?
    var minzoom: Int?
    var bounds: [Double]?
  }

  private func description(_ path: String) throws -> Description {
    let run = try Program.run("inspect", "--json", "-q", path)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    return try JSONDecoder().decode(Description.self, from: Data(run.output.utf8))
  }

  @Test("inspect --json has the numbers of an archive, of its PMTiles and of its folder of tiles")
  func inspectJSON() throws {
    let sample = try Sample()
    try sample.build()
    let archive = try description(sample.archive)
    let summary = try ArchiveReader(FilePath(sample.archive)).summary()
    #expect(archive.container == "mbtiles" && archive.tiles == summary.tiles)
    let zooms = try #require(archive.zooms)
    #expect(zooms.map(\.zoom) == summary.zooms.map(\.zoom))
    #expect(zooms.map(\.tiles) == summary.zooms.map(\.tiles))
    for (target, container) in [("out.pmtiles", "pmtiles"), ("tiles", "tiles")] {
      let path = sample.folder.path(target)
      #expect(try Program.run("export", sample.archive, path).status == 0)
      let copy = try description(path)
      #expect(copy.container == container && copy.zooms == zooms)
      #expect(copy.minzoom == zooms.first?.zoom && copy.bounds?.count == 4)
    }
    let tile = try Program.run("inspect", "--json", "--tile", "0/0/0", sample.archive)
    #expect(tile.status == 64 && tile.errors.contains("--json and --tile exclude each other"))
  }

  @Test(
    "a refused command line begins with 'error:', as all other errors do",
    arguments: [["build"], ["build", "--nope"], ["-x"], ["preview", "--watch"]])
  func refusal(arguments: [String]) throws {
    let run = try Program.Run(arguments).finish()
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("error: ") && run.errors.contains("\nUsage: quadrille"))
  }

  @Test("a command prints its version and usage")
  func help() throws {
    let version = try Program.run("--version")
    #expect(version.status == 0 && !version.output.isEmpty)
    #expect(try Program.run("-V").output == version.output)
    let help = try Program.run("--help")
    #expect(help.status == 0)
    for command in [
      "build", "check", "plan", "query", "tile", "inspect", "verify", "schema",
    ] {
      #expect(help.output.contains(command))
    }
  }
}
