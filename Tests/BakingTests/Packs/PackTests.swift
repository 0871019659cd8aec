import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("Packs of regions")
struct PackTests {
  @Test("the packs together are the archive, tile by tile, each with the tiles of its region")
  func union() throws {
    let packs = try PackSample()
    let report = try packs.build()
    let list = try packs.list()
    #expect(report.packs?.count == 5 && report.packs?.published == 5 && report.packs?.outside == 0)
    #expect(
      list.all.map(\.file) == [
        "out-shared.mbtiles", "out-west.mbtiles", "out-middle.mbtiles", "out-mid-east.mbtiles",
        "out-pacific.mbtiles",
      ])
    #expect(list.all.map(\.name) == ["sample", "West", "Middle", "Mid East", "Pacific"])
    let whole = try packs.tiles("out.mbtiles")
    #expect(try packs.union() == whole)
    try packs.expectWhole()
    var rest = 0
    for (place, region) in PackSample.regions.enumerated() {
      let tiles = try packs.tiles(list.packs[place].file)
      let box = region.box
      let area = BoxArea(
        GeoBounds(west: box[0], south: box[1], east: box[2], north: box[3]).wrapped)
      let expected = whole.keys.filter { $0.z > 3 && area.meets($0) }
      #expect(Set(tiles.keys) == Set(expected), "\(region.name)")
      #expect(!tiles.isEmpty && list.packs[place].zooms == 4...5)
    }
    for tile in try packs.tiles("out-shared.mbtiles").keys where tile.z > 3 { rest += 1 }
    #expect(rest > 0 && list.shared?.zooms == 0...5)
    let bounds = list.packs[3].bounds
    #expect(abs(bounds.west - 150) < 1e-6 && abs(bounds.east + 170) < 1e-6)
  }

  @Test("a pack has metadata of its own")
  func metadata() throws {
    let packs = try PackSample()
    try packs.build()
    let metadata = try StoredMetadata.read(FilePath(packs.path("out-mid-east.mbtiles")))
    #expect(metadata["name"] == "sample: Mid East")
    #expect(PackMark(metadata) == PackMark(archive: "out.mbtiles", region: "Mid East"))
    let shared = try StoredMetadata.read(FilePath(packs.path("out-shared.mbtiles")))
    #expect(shared["name"] == "sample")
    #expect(PackMark(shared) == PackMark(archive: "out.mbtiles", region: nil))
    let bounds = try #require(metadata["bounds"].flatMap { GeoBounds($0) })
    // The box of the region, and a little more for tiles that extend beyond it.
    #expect(bounds.west <= 20 && bounds.east >= 60 && bounds.east - bounds.west < 80)
    let text = try PipelineRunner.inspect(
      archive: packs.path("out-mid-east.mbtiles"), cancellation: Cancellation())
    #expect(text.contains("quadrille:pack"))
  }

  @Test("packs do not change the archive")
  func archive() throws {
    let packs = try PackSample()
    try packs.build()
    let plain = try BuildSample()
    try plain.build()
    #expect(try packs.sample.folder.bytes("out.mbtiles") == plain.folder.bytes("out.mbtiles"))
  }

  @Test("without a shared pack every pack has all zooms, and tiles of no region are counted")
  func unshared() throws {
    let packs = try PackSample("")
    let report = try packs.build()
    let list = try packs.list()
    let whole = try packs.tiles("out.mbtiles")
    let union = try packs.union()
    #expect(list.shared == nil && list.packs.allSatisfy { $0.zooms == 0...5 })
    #expect(list.outside > 0 && union.count + list.outside == whole.count)
    #expect(whole.merging(union) { $1 } == whole)
    #expect(report.notes.contains { $0.contains("\(list.outside) tiles are in no pack") })
    // The number is known without another pass, too.
    #expect(try packs.build().packs?.outside == list.outside)
  }

  @Test(
    "packs of archives with hit test data answer for their tiles",
    arguments: ["utfgrid", "compact"])
  func taps(format: String) throws {
    let packs = try PackSample(
      tiles: "{maxzoom: 5, snap: 1, interactivity: {fields: [name], format: \(format)}}")
    try packs.build()
    try packs.expectWhole()
    #expect(try packs.union() == packs.tiles("out.mbtiles"))
    let list = try packs.list()
    #expect(list.all.allSatisfy { $0.state.taps != nil } && list.state.taps != nil)
    let before = try packs.statuses()
    try packs.edit()
    try packs.build()
    let after = try packs.statuses()
    let changed = after.filter { before[$0.key] != $0.value }.keys.sorted()
    #expect(changed == ["out-shared.mbtiles", "out-west.mbtiles"], "\(changed)")
    #expect(try packs.union() == packs.tiles("out.mbtiles"))
    try packs.expectWhole()
  }

  @Test("the packs of PMTiles are PMTiles")
  func pmtiles() throws {
    let packs = try PackSample(output: "out.pmtiles")
    try packs.build()
    let list = try packs.list()
    #expect(list.packs.first?.file == "out-west.pmtiles")
    #expect(list.all.allSatisfy { PMTilesMetadata.isPMTiles(FilePath(packs.path($0.file))) })
    #expect(try packs.union() == packs.tiles("out.pmtiles"))
    try packs.expectWhole()
    let before = try packs.statuses()
    try packs.edit()
    #expect(try packs.build().packs?.published == 2)
    #expect(try packs.statuses().filter { before[$0.key] != $0.value }.count == 2)
    try packs.expectWhole()
  }

  @Test("each pixel density has packs of its own")
  func densities() throws {
    let packs = try PackSample(tiles: "{maxzoom: 5, snap: 1, scale: [1, 2]}")
    try packs.build()
    for archive in ["out.mbtiles", "out@2x.mbtiles"] {
      #expect(try packs.union(archive) == packs.tiles(archive))
      try packs.expectWhole(archive)
    }
    #expect(try packs.list("out@2x.mbtiles").packs.first?.file == "out-west@2x.mbtiles")
    try packs.write(regions: PackSample.regions.dropFirst().map { PackSample.feature($0, $1) })
    try packs.build()
    let names = try packs.sample.folder.names().filter { $0.hasPrefix("out-") }
    #expect(names.count == 8 && !names.contains { $0.contains("west") })
    for archive in ["out.mbtiles", "out@2x.mbtiles"] {
      #expect(try packs.union(archive) == packs.tiles(archive))
    }
  }

  @Test("regions without tiles have no pack, and a note names them")
  func empty() throws {
    let packs = try PackSample(
      regions: (PackSample.regions + [("Arctic", [-20, 84, -19, 85])]).map {
        PackSample.feature($0.name, $0.box)
      })
    let report = try packs.build()
    #expect(report.packs?.count == 5)
    #expect(report.notes.contains { $0.contains("no tile is in the pack 'Arctic'") })
    #expect(try packs.union() == packs.tiles("out.mbtiles"))
  }

  @Test("the report tells of the packs, for programs and for people")
  func report() throws {
    let packs = try PackSample()
    let report = try packs.build()
    let file = String(decoding: try packs.sample.folder.bytes("out.report.json"), as: UTF8.self)
    #expect(file.contains("\"packs\": {\"count\": 5, \"published\": 5, \"removed\": 0, "))
    #expect(file.contains("\"name\": \"packs\""))
    #expect(report.summary.contains("5 published, listed in"))
    #expect([report].brief.contains("  packs    5, "))
    #expect(
      try packs.build().summary.contains("5, \(ReportNumber.bytes(report.packs?.bytes ?? 0)), 0"))
  }

  @Test(
    "the countries of Natural Earth divide an archive, and an edit costs one of them",
    .enabled(if: SharedData.isThere, "needs the shared data"))
  func countries() throws {
    // A tile of zoom 4 in the middle of the United States touches Mexico.
    let packs = try PackSample("name: NAME, shared: {maxzoom: 4}", tiles: "{maxzoom: 6}")
    try packs.sample.folder.write(
      String(
        decoding: try SharedData.bytes("overlays/ne_110m_admin_0_countries.json"), as: UTF8.self),
      to: "regions.geojson")
    try packs.build()
    #expect(try packs.union() == packs.tiles("out.mbtiles"))
    #expect(try packs.list().packs.count > 60)
    let before = try packs.statuses()
    // In the middle of the United States.
    let text = String(decoding: try packs.sample.folder.bytes("places.csv"), as: UTF8.self)
    try packs.sample.folder.write(text + "\n-100,40,New", to: "places.csv")
    try packs.build()
    let changed = try packs.statuses().filter { before[$0.key] != $0.value }.keys.sorted()
    #expect(changed == ["out-shared.mbtiles", "out-united-states-of-america.mbtiles"])
    #expect(try packs.union() == packs.tiles("out.mbtiles"))
  }
}
