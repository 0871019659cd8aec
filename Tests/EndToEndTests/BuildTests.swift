import Foundation
import MBTiles
import PNG
import Raster
import SystemPackage
import TestSupport
import Testing
import Tiling

@Suite("A build")
struct BuildTests {
  @Test("a build publishes an archive that verifies, with a report of every record and tile")
  func publishes() throws {
    let sample = try Sample()
    let report = try sample.build()
    #expect(report.result == "published" && report.pipeline == "sample")
    #expect(report.sources["places"]?.used == 400)
    #expect(report.sources["places"]?.balances == true)
    #expect(report.zooms.map(\.zoom) == Array(0...6))
    #expect(report.tiles.planned == report.zooms.reduce(0) { $0 + $1.tiles })
    #expect(report.archive.bytes == (try sample.folder.bytes("out.mbtiles")).count)
    #expect(report.peakAnonymousBytes > 0 && !report.stages.isEmpty)
    let stages = report.stages.compactMap(\.peakAnonymousBytes)
    #expect(stages.max() == report.peakAnonymousBytes)
    let verify = try Program.run("verify", sample.archive)
    #expect(verify.status == 0, "\(verify.errors)")
    #expect(verify.output.contains(report.archive.digest))
    #expect(verify.errors.isEmpty)
    // Nothing else is left but the cache and the sidecars: no temporary file, no lock.
    let names = [
      ".quadrille-cache", "out.legend.json", "out.legend.png", "out.mbtiles", "out.report.json",
      "out.style.json", "out.tilejson", "places.csv", "sample.yml",
    ]
    #expect(try sample.folder.names() == names)
  }

  @Test("a quiet build prints nothing, and another prints the path of its archive")
  func quiet() throws {
    let sample = try Sample()
    let quiet = try Program.run("build", "-q", sample.pipeline)
    #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
    let loud = try Program.run("build", "--force", sample.pipeline)
    #expect(loud.status == 0 && loud.output.contains(sample.archive))
  }

  @Test("a build leaves an archive with unchanged inputs alone")
  func unchanged() throws {
    let sample = try Sample()
    let first = try sample.build()
    let before = try sample.modified()
    let again = try Program.run("build", sample.pipeline, "--report", sample.folder.path("again"))
    #expect(again.status == 0 && again.output.hasPrefix("sample: unchanged"))
    #expect(try sample.modified() == before)
    let report = try sample.report("again")
    #expect(report.result == "unchanged" && report.archive.digest == first.archive.digest)
    // One more row, and it is built again.
    try sample.folder.write(Sample.csv(Sample.rows(401)), to: "places.csv")
    #expect(try sample.build().sources["places"]?.used == 401)
    #expect(try sample.modified() != before)
  }

  @Test("a build counts every point once at every zoom", arguments: ["grid", "radius"])
  func conservation(method: String) throws {
    var settings = Sample.Settings()
    settings.source = "cluster: true\n    clusterMethod: \(method)\n    clusterMaxZoom: 4"
    let sample = try Sample(settings)
    let report = try sample.build()
    for zoom in 0...6 {
      let run = try Program.run("query", sample.pipeline, "--clusters", "\(zoom)")
      #expect(run.status == 0, "\(run.errors)")
      let features = try PointCollection(run.output).features
      let counts = features.map { $0.properties.point_count ?? 1 }
      #expect(counts.reduce(0, +) == 400, "zoom \(zoom)")
      #expect(report.zooms[zoom].clusters == counts.count)
      #expect(report.zooms[zoom].points == 400)
      #expect((zoom > 4) == (report.zooms[zoom].clusters == 400))
    }
  }

  @Test("a build accounts for rows that are filtered, rejected or have no position")
  func ledger() throws {
    var settings = Sample.Settings()
    settings.source = "filter: ['!=', [get, kind], 3]\n    onError: {max: 10}"
    let sample = try Sample(rows: 40, settings)
    var rows = Sample.rows(40)
    rows += [
      "1,89,Arctic,1", "1,91,Nowhere,1", "x,2,Letter,1", ",,Nowhere,1", "1000,2,Far,1", "1,2",
    ]
    try sample.folder.write(Sample.csv(rows), to: "places.csv")
    let source = try #require(try sample.build().sources["places"])
    #expect(source.read == 46 && source.used == 30 && source.filtered == 10)
    #expect(
      source.noGeometry == 1 && source.beyondMap == 1 && source.limited == 0 && source.balances)
    #expect(
      source.rejected == [
        "latitude_out_of_range": 1, "invalid_coordinate": 1, "longitude_out_of_range": 1,
        "ragged_row": 1,
      ])
    let verify = try Program.run("verify", sample.archive)
    #expect(verify.status == 0, "\(verify.errors)")
  }

  @Test("a build takes the records within a polygon")
  func within() throws {
    var settings = Sample.Settings()
    settings.source =
      "filter: [within, {type: Polygon, coordinates: [[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]]]}]"
    let sample = try Sample(settings)
    let rows = ["5,5,In,1", "15,5,Out,1", "9,5,Edge,1", "1,8,In,1"]
    try sample.folder.write(Sample.csv(rows), to: "places.csv")
    let source = try #require(try sample.build().sources["places"])
    #expect(source.read == 4 && source.used == 2 && source.filtered == 2 && source.balances)
  }

  @Test("a build makes a second archive with twice the pixels for the density of two")
  func density() throws {
    var settings = Sample.Settings()
    settings.tiles += "\n  scale: [1, 2]"
    let sample = try Sample(settings)
    try sample.build()
    let plain = try ArchiveReader(FilePath(sample.archive))
    let dense = try ArchiveReader(FilePath(sample.folder.path("out@2x.mbtiles")))
    #expect(dense.metadata["scale"] == "2")
    var tiles: [[TileCoord: Int]] = [[:], [:]]
    for (index, reader) in [plain, dense].enumerated() {
      try reader.forEachTile { tile, bytes in
        tiles[index][tile] = (try? PNGDecoder().decode(bytes))?.width
      }
    }
    #expect(Set(tiles[0].values) == [256] && Set(tiles[1].values) == [512])
    // The same grid: a symbol shows in the same tiles but for its last half px.
    #expect(!Set(tiles[0].keys).isDisjoint(with: tiles[1].keys))
    #expect(try Program.run("verify", sample.folder.path("out@2x.mbtiles")).status == 0)
    #expect(try sample.report("out@2x.report.json").zooms.count == 7)
  }

  @Test("a build has the same tiles in either layout")
  func layouts() throws {
    let digests = try ["flat", "dedup"].map { layout in
      var settings = Sample.Settings()
      settings.output += "\n  layout: \(layout)"
      let sample = try Sample(settings)
      let report = try sample.build()
      let inspect = try Program.run("inspect", sample.archive)
      #expect(inspect.output.contains("\(layout) layout"))
      #expect(try Program.run("verify", sample.archive).status == 0)
      return report.archive.digest
    }
    #expect(digests[0] == digests[1])
  }

  @Test("a build gives empty children of shown quadrants the transparent tile on request")
  func fill() throws {
    var settings = Sample.Settings()
    // Below the last zoom of a layer its tiles' children are empty.
    settings.layers = settings.layers.replacingOccurrences(
      of: "source: places", with: "source: places\n    maxzoom: 4")
    let filled = try Sample(settings)
    let report = try filled.build()
    #expect(report.zooms.last?.zoom == 4)
    let last = try #require(report.zooms.last)
    #expect(last.empty == last.tiles && last.empty > 0 && last.distinct == 1)
    settings.tiles += "\n  fill: none"
    let bare = try Sample(settings).build()
    #expect(bare.zooms.allSatisfy { $0.empty == 0 } && bare.zooms.last?.zoom == 3)
    #expect(bare.zooms.map(\.tiles) == report.zooms.prefix(4).map { $0.tiles - $0.empty })
  }

  @Test("a build draws only the tiles inside its bounds")
  func bounds() throws {
    let sample = try Sample()
    try sample.build("--bbox", "-80,35,-60,50", "-Z", "2", "-z", "5")
    let reader = try ArchiveReader(FilePath(sample.archive))
    let box = WorldBox(GeoBounds(west: -80, south: 35, east: -60, north: 50))
    var zooms = Set<Int>()
    try reader.forEachTile { tile, _ in
      zooms.insert(tile.z)
      let own = WorldBox(tile)
      #expect(own.west <= box.east && box.west <= own.east, "\(tile)")
      #expect(own.north <= box.south && box.north <= own.south, "\(tile)")
    }
    #expect(zooms == [2, 3, 4, 5])
  }
}

extension Sample {
  /// When the archive was last written.
  func modified() throws -> Date? {
    try FileManager.default.attributesOfItem(atPath: archive)[.modificationDate] as? Date
  }
}
