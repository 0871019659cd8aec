import Examination
import Features
import Foundation
import Ingest
import PNG
import PipelineSamples
import SourceStages
import SQLite
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Reports
@testable import Runs

@Suite("Packed data")
struct PackedDataTests {
  private let folder: TemporaryFolder

  private static let rows: [(longitude: Int, latitude: Int, name: String)] = {
    var random = SplitMix64(seed: 22)
    return (0..<500).map { (random.below(360) - 180, random.below(120) - 60, "Place \($0)") }
  }()

  private static let table = Array(
    ("lng,lat,name\n"
      + rows.map { "\($0.longitude),\($0.latitude),\($0.name)\n" }.joined()).utf8)

  private static let features = rows.map {
    """
    {"type": "Feature", "geometry": {"type": "Point", "coordinates": [\($0.longitude), \
    \($0.latitude)]}, "properties": {"name": "\($0.name)"}}
    """
  }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
  }

  private func definition(_ source: String, more: String = "") throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      name: packed
      sources:
        places: {\(source), cluster: true, clusterMaxZoom: 2}
      layers:
        - {id: disc, type: circle, source: places, paint: {circle-radius: 5}}
      tiles: {maxzoom: 3}
      output: {path: out.mbtiles}
      \(more)
      """, to: "packed.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func build(_ source: String, more: String = "") throws -> BuildReport {
    var options = BuildOptions()
    options.temporaryFolder = folder.url.path
    return try #require(
      PipelineRunner.build(
        definition(source, more: more), options: options, cancellation: Cancellation(),
        progress: { _ in }
      ).first)
  }

  private func writeGeoPackage() throws {
    try write(Self.table, to: "places.csv")
    var query = QueryOptions()
    query.format = .gpkg
    query.output = folder.path("places.gpkg")
    _ = try PipelineRunner.query(
      definition("type: csv, data: places.csv"), query: query, options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in }, write: { _ in })
  }

  @Test("one data set has one tiles digest, whatever its format and however it is packed")
  func oneDigest() throws {
    try writeGeoPackage()
    let lines = Array((Self.features.joined(separator: "\n") + "\n").utf8)
    let collection = Array(
      ("{\"type\": \"FeatureCollection\", \"features\": [" + Self.features.joined(separator: ",")
        + "]}").utf8)
    try write(PackedSample.gzip(Self.table), to: "places.csv.gz")
    try write(PackedSample.zstd(Self.table), to: "places.csv.zst")
    try write(collection, to: "places.geojson")
    try write(PackedSample.gzip(lines), to: "places.geojsonl.gz")
    try write(
      PackedSample.zip([
        .init("README.md", Array("about".utf8)), .init("data/places.csv", Self.table),
        .init("places.geojson", collection), .init("places.gpkg", try folder.bytes("places.gpkg")),
      ]), to: "places.zip")
    let expected = try build("type: csv, data: places.csv")
    #expect(expected.sources.first?.ledger.used == Self.rows.count)
    for source in [
      "type: csv, data: places.csv.gz", "type: csv, data: places.csv.zst",
      "type: csv, data: places.zip", "type: csv, data: places.zip/data/places.csv",
      "type: geojson, data: places.geojson", "type: geojson, data: places.zip",
      "type: geojsonseq, data: places.geojsonl.gz", "type: gpkg, data: places.gpkg",
      "type: gpkg, data: places.zip",
    ] {
      let report = try build(source)
      #expect(report.archive.digest == expected.archive.digest, "\(source)")
      #expect(report.sources.first?.ledger.used == Self.rows.count, "\(source)")
    }
    #expect(try folder.names().filter { $0.contains("unpacked") } == [])
  }

  @Test("an unchanged packed file is not unpacked, and another member is other data")
  func incremental() throws {
    let other = Array("lng,lat,name\n1,2,other\n".utf8)
    try write(
      PackedSample.zip([.init("a.csv", Self.table), .init("b.csv", other)]), to: "places.zip")
    #expect(try build("type: csv, data: places.zip/a.csv").result == .published)
    #expect(try build("type: csv, data: places.zip/a.csv").result == .unchanged)
    let changed = try build("type: csv, data: places.zip/b.csv")
    #expect(changed.result == .published)
    #expect(changed.sources.first?.ledger.used == 1)
    let incremental = try folder.bytes("out.mbtiles")
    try FileManager.default.removeItem(atPath: folder.path("out.mbtiles"))
    try FileManager.default.removeItem(atPath: folder.path(".quadrille-cache"))
    _ = try build("type: csv, data: places.zip/b.csv")
    #expect(try folder.bytes("out.mbtiles") == incremental)
  }

  @Test(
    "packed data that cannot be read ends the build with its name, and the last archive stays",
    arguments: [
      ("cut.csv.gz", 65, "places/cut.csv.gz: ends in the middle of its packed data"),
      ("two.zip", 78, "two.zip: holds several files: a.csv, b.csv"),
      ("two.zip/c.csv", 78, "two.zip: holds no 'c.csv'. Name one of its files: a.csv, b.csv"),
      ("out.zip", 65, "out.zip/../a.csv: has a name that leads out of its folder"),
      ("bomb.csv.gz", 65, "bomb.csv.gz: unpacks to more than 250 times its size"),
      ("plain.zip/a.csv", 78, "plain.zip/a.csv: cannot be read: the file is no zip file"),
    ])
  func refusal(name: String, code: Int, words: String) throws {
    try write(Self.table, to: "places.csv")
    _ = try build("type: csv, data: places.csv")
    let old = try folder.bytes("out.mbtiles")
    try write(Array(PackedSample.gzip(Self.table).dropLast(200)), to: "cut.csv.gz")
    try write(
      PackedSample.zip([.init("a.csv", Self.table), .init("b.csv", Self.table)]), to: "two.zip")
    try write(PackedSample.zip([.init("../a.csv", Self.table)]), to: "out.zip")
    try write(
      PackedSample.gzip([UInt8](repeating: 0x30, count: 100 << 20)), to: "bomb.csv.gz")
    try write(Self.table, to: "plain.zip")
    let error = #expect(throws: PipelineError.self) {
      try build("type: csv, data: \(name)")
    }
    #expect(error.map { Int($0.exitCode) } == code)
    let text = error?.description ?? ""
    #expect(text.contains(words.replacing("places/", with: "")), "\(text)")
    #expect(try folder.bytes("out.mbtiles") == old)
    #expect(try folder.names().filter { $0.contains("unpacked") } == [])
  }

  @Test("lines of packed data count in the unpacked text, under the member's name")
  func places() throws {
    try write(
      PackedSample.zip([.init("a.csv", Array("lng,lat\n1,2\nx,2\n".utf8))]), to: "a.zip")
    let error = #expect(throws: PipelineError.self) { try build("type: csv, data: a.zip") }
    #expect(error?.description.contains("a.zip/a.csv:3:1") == true, "\(error?.description ?? "")")
  }

  @Test("check reads packed data and names the members to choose from")
  func check() throws {
    try write(
      PackedSample.zip([.init("a.csv", Self.table), .init("b.csv", Self.table)]), to: "two.zip")
    try write(PackedSample.gzip(Self.table), to: "places.csv.gz")
    func check(_ source: String) throws -> CheckSummary {
      try PipelineRunner.check(definition(source), options: BuildOptions())
    }
    #expect(
      try check("type: csv, data: two.zip").failure?.description
        .contains("Name one: 'data: \(folder.path("two.zip"))/a.csv'") == true)
    let good = try check("type: csv, data: places.csv.gz")
    #expect(good.failure == nil)
    #expect(good.sources.first?.examination?.ledger.used == Self.rows.count)
    let wrong = try check("type: geojson, data: places.csv.gz").failure?.description
    #expect(wrong?.contains("csv") == true)
  }

  @Test("a packed image is placed by the world file beside it")
  func image() throws {
    let plain = PNGEncoder().encode(ImageSample.blots())
    try write(plain, to: "rain.png")
    try write(PackedSample.gzip(plain), to: "packed.png.gz")
    for name in ["rain", "packed"] { try folder.write("1\n0\n0\n-1\n1\n2\n", to: "\(name).pgw") }
    func build(_ url: String) throws -> String {
      let file = try folder.write(
        """
        version: 1
        name: image
        sources: {rain: {type: image, url: \(url), projection: equirectangular}}
        layers: [{id: rain, type: raster, source: rain}]
        tiles: {maxzoom: 2}
        output: {path: image.mbtiles}
        """, to: "image.yml")
      return try #require(
        PipelineRunner.build(
          PipelineDefinition(contentsOf: file, environment: { _ in nil }),
          options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
        ).first
      ).archive.digest
    }
    #expect(try build("packed.png.gz") == build("rain.png"))
  }
}
