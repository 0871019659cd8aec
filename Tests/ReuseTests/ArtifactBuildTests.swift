import Features
import Foundation
import JSON
import PipelineSamples
import SourceStages
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Reports
@testable import Reuse
@testable import Runs

/// Builds that take records and clusters from the cache make the same bytes as builds that do not.
@Suite("A build from artifacts")
struct ArtifactBuildTests {
  /// A pipeline with enough data to be worth an artifact.
  private struct Sample {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      var random = SplitMix64(seed: 4)
      func place() -> (x: Double, y: Double) {
        (Double(random.below(20_000)) / 1000 - 10, Double(random.below(20_000)) / 1000 + 40)
      }
      var points = "lng,lat,key,rooms,name,stars\n"
      for row in 0..<240 {
        let (x, y) = place()
        points +=
          "\(row == 7 ? "x" : "\(x)"),\(y),k\(row),\(row % 9),Place \(row % 40),\(row % 5)\n"
      }
      try folder.write(points, to: "points.csv")
      try folder.write(
        "key,op,time,rooms,lng,lat,name\nk1,update,2020-01-01,88,,,\nk2,delete,2020-01-01,,,,\n"
          + "n1,,2020-01-01,3,5,45,New\nnone,delete,2020-01-01,,,,\n", to: "edits.csv")
      try folder.write(
        "name,owner\n" + (0..<30).map { "Place \($0),Owner \($0 % 4)\n" }.joined(), to: "owners.csv"
      )
      var shapes = ""
      for row in 0..<60 {
        let (x, y) = place()
        let geometry =
          row % 2 == 0
          ? #""Polygon","coordinates":[[[\#(x),\#(y)],[\#(x + 1),\#(y)],[\#(x),\#(y + 1)],"#
            + #"[\#(x),\#(y)]]]"#
          : #""LineString","coordinates":[[\#(x),\#(y)],[\#(x + 2),\#(y + 1)]]"#
        shapes +=
          #"{"type":"Feature","properties":{"rooms":\#(row % 9),"name":"S \#(row)"},"#
          + #""geometry":{"type":\#(geometry)}}"# + "\n"
      }
      try folder.write(shapes, to: "shapes.geojsonl")
    }

    /// Writes the pipeline file with the keys of its source `s` after its type.
    func define(_ source: String, color: String = "red", more: String = "") throws {
      try folder.write(
        """
        version: 1
        name: sample
        sources:
          s: {\(source)}
        \(more)
        layers:
          - {id: area, type: fill, source: s, filter: [==, [geometry-type], Polygon],
             paint: {fill-color: \(color), fill-opacity: 0.5}}
          - {id: line, type: line, source: s, paint: {line-color: \(color)}}
          - {id: dot, type: circle, source: s, paint: {circle-color: \(color),
             circle-radius: [case, [has, point_count], 9, [<, [to-number, [get, rooms]], 5], 3, 6]}}
        tiles: {minzoom: 2, maxzoom: 4}
        output: {path: out.mbtiles}
        """, to: "x.yml")
    }

    func build(_ change: (inout BuildOptions) -> Void = { _ in }) throws -> BuildReport {
      var options = BuildOptions()
      options.force = true
      change(&options)
      let definition = try PipelineDefinition(
        contentsOf: folder.path("x.yml"), environment: { _ in nil })
      return try #require(
        PipelineRunner.build(
          definition, options: options, cancellation: Cancellation(), progress: { _ in }
        ).first)
    }

    /// Reads and clusters the source only.
    func read(_ change: (inout BuildOptions) -> Void = { _ in }) throws -> SourceReport {
      var options = BuildOptions()
      change(&options)
      let definition = try PipelineDefinition(
        contentsOf: folder.path("x.yml"), environment: { _ in nil }
      ).applying(options)
      let artifacts = ArtifactCache(besideArchive: definition.output.path, options: options)
      // The next reading of the test finds what this one stored.
      defer { artifacts.settle() }
      let build = try definition.build(RunContext(options: options, artifacts: artifacts))
      let clock = StageClock(progress: { _ in }, cancellation: Cancellation())
      return try #require(try build.reading.clustered(clock).first).report
    }

    /// The bytes of the archive that a build without the cache makes.
    func plainBytes() throws -> [UInt8] {
      _ = try build { ($0.noCache, $0.output) = (true, folder.path("plain.mbtiles")) }
      return try folder.bytes("plain.mbtiles")
    }

    var cacheFolder: String { ".quadrille-cache/artifacts" }

    func artifacts() throws -> [String] {
      let path = folder.path(cacheFolder)
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Writes the points as a GeoPackage.
    func writeGeoPackage() throws {
      try define("type: csv, data: points.csv, onError: {max: 1}")
      var query = QueryOptions()
      query.format = .gpkg
      query.output = folder.path("points.gpkg")
      let definition = try PipelineDefinition(
        contentsOf: folder.path("x.yml"), environment: { _ in nil })
      _ = try PipelineRunner.query(
        definition, query: query, options: BuildOptions(), cancellation: Cancellation(),
        progress: { _ in }, write: { _ in })
    }
  }

  private static let csv = "type: csv, data: points.csv, onError: {max: 1}"

  @Test(
    "a build from artifacts has the bytes and counts of one from the files",
    arguments: [
      csv,
      "\(csv), cluster: true, clusterMaxZoom: 3",
      "\(csv), cluster: true, clusterMethod: radius, clusterMaxZoom: 4, clusterMinPoints: 3",
      "\(csv), cluster: true, clusterMaxZoom: 4, clusterProperties: {rooms: [+, [to-number, [get, rooms]]]}",
      "\(csv), cluster: true, clusterMaxZoom: 4, clusterProperties: {rooms: "
        + "[[+, [accumulated], ['*', 2, [get, rooms]]], [to-number, [get, rooms]]]}",
      "\(csv), cluster: true, clusterMaxZoom: 4, clusterProperties: {name: [mode, [get, name]], "
        + "names: [string-agg, [get, name], {limit: 3}], top: [first, [get, name], {orderBy: [rooms, desc]}]}",
      "\(csv), cluster: true, clusterMethod: radius, clusterMaxZoom: 3, "
        + "clusterProperties: {m: [median, [to-number, [get, rooms]]], l: [list-distinct, [get, name]]}",
      "\(csv), cluster: true, clusterMethod: hexagon, clusterMaxZoom: 3, classes: {n: 3}",
      "\(csv), cluster: true, clusterMethod: square, clusterCellMeters: 900000, clusterMaxZoom: 3",
      "\(csv), id: key, edits: edits.csv, cluster: true, clusterMaxZoom: 3",
      "\(csv), join: {data: owners.csv, on: name}, filter: [has, owner]",
      "\(csv), featureLimit: {perTile: 3, orderBy: [rooms, desc]}",
      "\(csv), where: \"rooms > 2\"",
      "type: geojsonseq, data: shapes.geojsonl",
      "type: geojsonseq, data: shapes.geojsonl, featureLimit: {perTile: 3, orderBy: [rooms, desc]}",
      "type: gpkg, data: points.gpkg, cluster: true, clusterMaxZoom: 3",
    ])
  func equalBytes(source: String) throws {
    let sample = try Sample()
    if source.contains("gpkg") { try sample.writeGeoPackage() }
    try sample.define(source)
    let first = try sample.build()
    #expect(first.notes == [] && first.sources[0].isCached == false)
    // Clusters of the grid are kept from the second run on that has the same records.
    try sample.define(source, color: "green")
    #expect(try sample.build().sources[0].hasCachedClusters == source.contains("radius"))
    // A new look: nothing is read or clustered.
    try sample.define(source, color: "blue")
    let second = try sample.build()
    // Those of edited records are computed each time.
    let isClustered = source.contains("cluster: true") && !source.contains("edits")
    #expect(second.sources[0].isCached && second.sources[0].hasCachedClusters == isClustered)
    #expect(second.sources[0].ledger == first.sources[0].ledger)
    #expect(second.zooms.map(\.points) == first.zooms.map(\.points))
    #expect(try sample.folder.bytes("out.mbtiles") == sample.plainBytes())
    let names = try sample.artifacts()
    let records = names.count { $0.hasPrefix("rec") }
    let clusters = names.count { $0.hasPrefix("clu") }
    #expect(records == 1)
    #expect(clusters == (isClustered ? 1 : 0))
  }

  @Test("the report lists what was taken from the cache")
  func report() throws {
    let sample = try Sample()
    try sample.define("\(Self.csv), cluster: true, clusterMaxZoom: 3")
    #expect(try !sample.build().json.pretty.contains("cached"))
    #expect(try !sample.build().json.pretty.contains("clustersCached"))
    let text = try sample.build().json.pretty
    #expect(text.contains(#""cached": true"#) && text.contains(#""clustersCached": true"#))
  }

  @Test("only the source whose filter changed is read again")
  func oneOfTwo() throws {
    let sample = try Sample()
    let other = "  t: {\(Self.csv), cluster: true, clusterMaxZoom: 3, filter: [has, rooms]}"
    func flags(_ filter: String) throws -> [Bool] {
      try sample.define("\(Self.csv), cluster: true, clusterMaxZoom: 3\(filter)", more: other)
      let report = try sample.build()
      #expect(try sample.folder.bytes("out.mbtiles") == sample.plainBytes())
      return report.sources.flatMap { [$0.isCached, $0.hasCachedClusters] }
    }
    #expect(try flags("") == [false, false, false, false])
    #expect(try flags(", filter: [==, [get, rooms], 3]") == [false, false, true, false])
    #expect(try flags(", where: \"rooms = 4\"") == [false, false, true, true])
    #expect(try flags("") == [true, false, true, true])
    #expect(try flags("") == [true, true, true, true])
  }

  @Test("a changed cluster option or zoom clusters again without reading")
  func clusterOptions() throws {
    let sample = try Sample()
    let changes: [(String, (inout BuildOptions) -> Void)] = [
      ("clusterMaxZoom: 3", { _ in }), ("clusterMaxZoom: 4", { _ in }),
      ("clusterMaxZoom: 3, clusterMinPoints: 4", { _ in }),
      ("clusterMaxZoom: 3, clusterCellSize: {0: 60}", { _ in }),
      ("clusterMaxZoom: 3, clusterCellSize: {0: 60, 3: 30}", { _ in }),
      ("clusterMaxZoom: 3, clusterMethod: radius", { _ in }),
      ("clusterMaxZoom: 3, clusterMethod: radius, clusterRadius: 30", { _ in }),
      ("clusterMaxZoom: 3, clusterMethod: hexagon", { _ in }),
      ("clusterMaxZoom: 3, clusterMethod: square", { _ in }),
      ("clusterMaxZoom: 3, clusterMethod: square, clusterCellMeters: 900000", { _ in }),
      (
        "clusterMaxZoom: 3, clusterProperties: {a: [quantile, [get, rooms], {fraction: 0.1}]}",
        { _ in }
      ),
      (
        "clusterMaxZoom: 3, clusterProperties: {a: [quantile, [get, rooms], {fraction: 0.2}]}",
        { _ in }
      ),
      ("clusterMaxZoom: 3", { $0.minZoom = 1 }), ("clusterMaxZoom: 3", { $0.tileSize = 512 }),
      ("clusterMaxZoom: 3, clusterProperties: {a: [+, [to-number, [get, rooms]]]}", { _ in }),
      ("clusterMaxZoom: 3, clusterProperties: {b: [+, [to-number, [get, rooms]]]}", { _ in }),
      ("clusterMaxZoom: 3, clusterProperties: {a: [max, [to-number, [get, rooms]]]}", { _ in }),
    ]
    for (index, (keys, change)) in changes.enumerated() {
      try sample.define("\(Self.csv), cluster: true, \(keys)")
      let source = try sample.read(change)
      #expect(source.isCached == (index > 0), "\(keys)")
      #expect(!source.hasCachedClusters, "\(keys)")
    }
  }

  @Test("a change of anything that decides the records reads them again")
  func recordKeys() throws {
    let sample = try Sample()
    let changes = [
      "\(Self.csv)", "type: csv.1, data: points.csv, onError: {max: 2}", "\(Self.csv), id: key",
      "\(Self.csv), id: name, onDuplicateId: first", "\(Self.csv), id: name, onDuplicateId: last",
      "\(Self.csv), select: [name, rooms]", "\(Self.csv), types: {rooms: number}",
      "\(Self.csv), nullValues: ['3']", "\(Self.csv), filter: [has, name]",
      "\(Self.csv), where: \"rooms > 3\"", "\(Self.csv), x: lat, y: lng, onError: {max: 9}",
      "\(Self.csv), join: {data: owners.csv, on: name}",
      "\(Self.csv), join: {data: owners.csv, on: name, select: []}",
      "\(Self.csv), cluster: true, clusterProperties: {n: [max, [length, [get, name]]]}",
      "\(Self.csv), featureLimit: {perTile: 3, orderBy: [stars, desc]}",
    ].map { $0.replacing("onError: {max: 1}, x: lat", with: "x: lat") }
    for keys in changes {
      try sample.define(keys)
      #expect(try !sample.read().isCached, "\(keys)")
    }
    for (file, text) in [("edits.csv", "k3,delete,2021-01-01,,,,\n"), ("owners.csv", "Z,z\n")] {
      let keys =
        "\(Self.csv), id: key, edits: edits.csv, join: {data: owners.csv, on: name}"
      try sample.define(keys)
      _ = try sample.read()
      let old = String(decoding: try sample.folder.bytes(file), as: UTF8.self)
      try sample.folder.write(old + text, to: file)
      #expect(try !sample.read().isCached, "\(file)")
      #expect(try sample.read().isCached)
    }
  }

  @Test("a log of edits is laid over the records of the cache, which its base need not be read for")
  func edits() throws {
    let sample = try Sample()
    let source = "\(Self.csv), id: key, cluster: true, clusterMaxZoom: 3"
    try sample.define(source)
    _ = try sample.build()
    let base = try sample.artifacts().filter { $0.hasPrefix("rec") }
    try sample.define("\(source), edits: edits.csv")
    for entry in [
      "", "k9,update,2020-01-02,,7,44,", "k3,delete,2021-01-01,,,,", "n2,,,1,2,50,Newer",
    ] {
      let log = String(decoding: try sample.folder.bytes("edits.csv"), as: UTF8.self)
      try sample.folder.write(log + entry + (entry.isEmpty ? "" : "\n"), to: "edits.csv")
      let report = try sample.build()
      #expect(report.sources[0].isCached, "\(entry)")
      #expect(try sample.folder.bytes("out.mbtiles") == sample.plainBytes(), "\(entry)")
      let plain = try sample.build { $0.noCache = true }
      #expect(report.sources[0].ledger == plain.sources[0].ledger, "\(entry)")
      // The records of the base are the only ones.
      #expect(try sample.artifacts().filter { $0.hasPrefix("rec") } == base)
    }
  }

  @Test("a source over its tolerance is an error each time, and never cached")
  func tolerance() throws {
    let sample = try Sample()
    try sample.define("type: csv, data: points.csv")
    for _ in 0..<2 {
      let error = #expect(throws: PipelineError.self) { try sample.build() }
      #expect(error?.code == .badData)
    }
    #expect(try sample.artifacts().filter { $0.hasPrefix("rec") } == [])
    // One that was read with more tolerance does not help.
    try sample.define(Self.csv)
    _ = try sample.build()
    try sample.define("type: csv, data: points.csv")
    #expect(throws: PipelineError.self) { try sample.build() }
  }

  @Test("little data and data in the pipeline file are not cached; --no-cache writes nothing")
  func notCached() throws {
    let sample = try Sample()
    try sample.folder.write("lng,lat,rooms\n1,45,2\n", to: "small.csv")
    for source in [
      "type: csv, data: small.csv, cluster: true",
      "type: geojson, data: {type: Point, coordinates: [1, 45]}",
    ] {
      try sample.define(source)
      for _ in 0..<2 { #expect(try !sample.read().isCached) }
      #expect(try sample.artifacts() == [])
    }
    try sample.define(Self.csv)
    _ = try sample.read { $0.noCache = true }
    _ = try sample.read { $0.cacheSize = CacheSize(bytes: 0) }
    #expect(try sample.artifacts() == [])
    #expect(try !sample.read().isCached)
    #expect(try !sample.read { $0.noCache = true }.isCached)
    #expect(try sample.artifacts().count == 1)
  }

  @Test("damaged artifacts are recreated, and the archive is the same")
  func damage() throws {
    let sample = try Sample()
    try sample.define("\(Self.csv), cluster: true, clusterMaxZoom: 3")
    for _ in 0..<2 { _ = try sample.build() }
    let whole = try sample.folder.bytes("out.mbtiles")
    for name in try sample.artifacts()
    where name.hasPrefix("records-") || name.hasPrefix("clusters-") {
      let path = "\(sample.cacheFolder)/\(name)"
      let good = try sample.folder.bytes(path)
      for damage in 0..<4 {
        var bytes = good
        switch damage {
        case 0: bytes[good.count / 2] ^= 4
        case 1: bytes.removeLast(64)
        case 2: bytes = []
        default: bytes[30] ^= 1
        }
        try Data(bytes).write(to: URL(fileURLWithPath: sample.folder.path(path)))
        let report = try sample.build()
        let isRecords = name.hasPrefix("records")
        #expect(report.sources[0].isCached != isRecords)
        #expect(report.sources[0].hasCachedClusters == isRecords)
        #expect(try sample.folder.bytes("out.mbtiles") == whole)
        #expect(try sample.folder.bytes(path) == good)
      }
    }
  }

  @Test("the palette of a style is kept for builds of other data, and made anew if damaged")
  func palette() throws {
    let sample = try Sample()
    try sample.define(Self.csv)
    _ = try sample.build { $0.force = false }
    let whole = try sample.folder.bytes("out.mbtiles")
    let name = try #require(try sample.artifacts().first { $0.hasPrefix("palette-") })
    let path = "\(sample.cacheFolder)/\(name)"
    let good = try sample.folder.bytes(path)
    let points = String(decoding: try sample.folder.bytes("points.csv"), as: UTF8.self)
    try sample.folder.write(points + "3,4,new,1,New,2\n", to: "points.csv")
    _ = try sample.build { $0.force = false }
    #expect(try sample.folder.bytes("out.mbtiles") == sample.plainBytes())
    #expect(try sample.artifacts().filter { $0.hasPrefix("palette-") } == [name])
    try sample.folder.write("damaged", to: path)
    try sample.folder.write(points, to: "points.csv")
    _ = try sample.build { $0.force = false }
    #expect(try sample.folder.bytes(path) == good)
    #expect(try sample.folder.bytes("out.mbtiles") == whole)
  }

  @Test("an unwritable cache folder is a note, and the archive is the same")
  func unwritable() throws {
    let sample = try Sample()
    try sample.folder.write("in the way", to: ".quadrille-cache")
    try sample.define(Self.csv)
    let report = try sample.build()
    #expect(report.result == .published && report.notes.count == 1)
    #expect(report.notes.first?.contains("cannot be written") == true)
    #expect(try sample.folder.bytes("out.mbtiles") == sample.plainBytes())
    #expect(
      String(decoding: try sample.folder.bytes(".quadrille-cache"), as: UTF8.self) == "in the way")
  }

  @Test("a moved or renamed file is recognized by its bytes; other bytes of equal length are not")
  func contents() throws {
    let sample = try Sample()
    try sample.define(Self.csv)
    _ = try sample.build()
    let bytes = try sample.folder.bytes("points.csv")
    try Data(bytes).write(to: URL(fileURLWithPath: sample.folder.path("moved.csv")))
    try sample.define("type: csv, data: moved.csv, onError: {max: 1}")
    #expect(try sample.build().sources[0].isCached)
    let text = String(decoding: bytes, as: UTF8.self).replacing("Place 9,", with: "Other 9,")
    try sample.folder.write(text, to: "moved.csv")
    #expect(try !sample.build().sources[0].isCached)
    #expect(try sample.folder.bytes("out.mbtiles") == sample.plainBytes())
  }
}
