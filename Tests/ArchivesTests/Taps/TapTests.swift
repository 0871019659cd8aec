import ArchiveDeltas
import Features
import Foundation
import Ingest
import JSON
import MBTiles
import OrderedCollections
import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Reports
@testable import Runs

@Suite("Taps on an archive")
struct TapTests {
  /// 100,000 taps where the environment says so.
  static let tapCount =
    ProcessInfo.processInfo.environment["QUADRILLE_SLOW"] == "1" ? 100_000 : 5000

  @Test("taps are answered like a brute-force test of every feature of the sources")
  func bruteForce() throws {
    let sample = try TapSample()
    try sample.build()
    let sources = try sample.clustered()
    let tap = try ArchiveTap(FilePath(sample.archive))
    var random = SplitMix64(seed: 5)
    var answers = 0
    for zoom in TapSample.zooms {
      let model = try TapModel(sources, zoom: zoom)
      let cells = 64 << zoom
      for _ in 0..<(Self.tapCount / TapSample.zooms.count) {
        // Around the features, on both sides of the antimeridian, and at borders of tiles.
        let spread = Double(cells) * 0.02
        var column = Int((0.9986 * Double(cells) + random.number(in: -spread..<spread)).rounded())
        var row = Int((0.4717 * Double(cells) + random.number(in: -spread..<spread)).rounded())
        if zoom < 3 { (column, row) = (random.below(cells), random.below(cells)) }
        column = (column + cells) % cells
        let tile = TileCoord(z: zoom, x: column / 64, y: row / 64)
        let answer = try tap.answer(
          in: tile, x: (Double(column % 64) + 0.5) / 64, y: (Double(row % 64) + 0.5) / 64)
        answers += answer == nil ? 0 : 1
        let fault = model.fault(
          of: answer?.key, left: Double(column) * 4, top: Double(row) * 4)
        #expect(fault == nil, "cell \(column), \(row) of zoom \(zoom)")
      }
    }
    #expect(answers > Self.tapCount / 20)
  }

  @Test("taps describe features and clusters, with the first members of the file")
  func entries() throws {
    let sample = try TapSample(points: 60)
    try sample.build()
    let reader = try Database(path: sample.archive, mode: .immutable)
    let rows = try reader.prepare("SELECT key_name, key_json FROM keymap ORDER BY rowid")
    var clusters = 0
    var names: Set<String> = []
    while try rows.step() {
      let key = rows.text(0) ?? ""
      let isNew = names.insert(key).inserted
      #expect(isNew)
      guard
        case .object(let entry) = try JSONValueParser.parse(Array((rows.text(1) ?? "").utf8))
      else {
        Issue.record("\(key) is no object")
        continue
      }
      #expect(entry["id"] == .string(key))
      guard entry["cluster"] == .bool(true) else {
        let parts = try #require(FeatureKey(key))
        #expect(entry["source"] == .string(parts.source))
        #expect(Array(entry.keys.prefix(1)) != ["source"] || parts.feature == "road")
        continue
      }
      clusters += 1
      guard case .array(let members)? = entry["members"],
        case .number(let count)? = entry["point_count"],
        case .array(let box)? = entry["bbox"], case .number(let next)? = entry["expansion_zoom"],
        case .number? = entry["rooms"]
      else {
        Issue.record("\(key) lacks a member: \(entry)")
        continue
      }
      #expect(members.count == min(5, Int(count)) && box.count == 4)
      #expect(next > Double(key.split(separator: ".").last.flatMap { Int($0) } ?? 99))
      let ids = members.compactMap { member -> Int? in
        guard case .object(let member) = member, case .string(let id)? = member["id"] else {
          return nil
        }
        return FeatureKey(id).flatMap { Int($0.feature.dropFirst()) }
      }
      #expect(ids == ids.sorted() && ids.count == members.count)
    }
    #expect(clusters > 3)
  }

  @Test(
    "taps name features by the keys that a query prints, also for a source without ids",
    arguments: ["", ", select: [name]", ", where: 'rooms < 4'"])
  func keys(of records: String) throws {
    let folder = try TemporaryFolder()
    // Twins, and records that differ only in what no layer and no field reads.
    let rows = (0..<40).map { "\($0 % 8 * 20 - 80).0,\($0 % 3 * 10),Inn \($0 % 4),\($0 % 5)" }
    try folder.write(
      "lng,lat,name,rooms\n" + (rows + rows.prefix(6)).joined(separator: "\n"), to: "inns.csv")
    let squares = (0..<4).map { number in
      let (west, south) = (number % 2 * 40, -20 - number / 2 * 30)
      return #"{"type":"Feature","properties":{"n":\#(number),"all":[1]},"geometry":"#
        + #"{"type":"Polygon","coordinates":[[[\#(west),\#(south)],[\#(west + 9),\#(south)],"#
        + #"[\#(west),\#(south + 9)],[\#(west),\#(south)]]]}}"#
    }
    try folder.write(
      #"{"type":"FeatureCollection","features":[\#(squares.joined(separator: ","))]}"#,
      to: "land.geojson")
    let file = try folder.write(
      """
      version: 1
      sources:
        inns: {type: csv, data: inns.csv, x: lng, y: lat\(records)}
        land: {type: geojson, data: land.geojson}
      layers:
        - {id: area, type: fill, source: land, paint: {fill-color: green}}
        - {id: ring, type: circle, source: inns, paint: {circle-radius: 5}}
      tiles: {maxzoom: 3, interactivity: {fields: [name]}}
      output: {path: out.mbtiles}
      """, to: "keys.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    func build() throws -> Set<String> {
      _ = try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
      let reader = try Database(path: folder.path("out.mbtiles"), mode: .immutable)
      let keys = try reader.prepare("SELECT key_name FROM keymap")
      var found: Set<String> = []
      while try keys.step() { found.insert(keys.text(0) ?? "") }
      return found
    }
    var query = QueryOptions()
    query.format = .geojsonseq
    final class Output { var bytes: [UInt8] = [] }
    let output = Output()
    _ = try PipelineRunner.query(
      definition, query: query, options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in }
    ) { output.bytes += $0 }
    let printed = Set(
      String(decoding: output.bytes, as: UTF8.self)
        .matches(of: #/"key":"([^"]*)"/#).map { String($0.1) })
    // Of features in one place the topmost alone answers.
    let found = try build()
    #expect(found.isSubset(of: printed) && found.count >= 4 + 8, "\(found.subtracting(printed))")
    // The records of the cache are called the same.
    try FileManager.default.removeItem(atPath: folder.path("out.mbtiles"))
    #expect(try build() == found)
  }

  @Test("taps leave the rest of an archive unchanged, and are verified")
  func cost() throws {
    let sample = try TapSample(points: 60)
    let report = try #require(try sample.build().first)
    let grids = try #require(report.grids)
    #expect(grids.tiles > 0 && grids.distinct <= grids.tiles && grids.keys > 60 && grids.bytes > 0)
    #expect(report.summary.contains("taps: \(grids.tiles) tiles answer"))
    #expect(report.json.line.contains("\"grids\": {\"tiles\": \(grids.tiles)"))
    #expect(try PipelineRunner.inspect(archive: sample.archive).contains("taps: \(grids.tiles)"))
    let verification = try PipelineRunner.verify(
      archive: sample.archive, cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults.isEmpty, "\(verification.faults)")
    #expect(verification.warnings.isEmpty, "\(verification.warnings)")
    // Grids and keys lie besides: the tiles are those of a build without.
    let text = try String(contentsOfFile: sample.file, encoding: .utf8)
    let plain = text.replacingOccurrences(
      of: ", interactivity: {fields: [name, rooms, n], format: utfgrid}", with: "")
    try plain.write(toFile: sample.file, atomically: true, encoding: .utf8)
    let without = try #require(try sample.build().first)
    #expect(without.archive.digest == report.archive.digest && without.grids == nil)
    let reader = try Database(path: sample.archive, mode: .immutable)
    #expect(
      try reader.integer("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%grid%'") == 0)
    #expect(try reader.integer("SELECT count(*) FROM metadata WHERE name = 'template'") == 0)
  }

  @Test("taps are the same after a change as in a full build, byte for byte")
  func incremental() throws {
    let (sample, fresh) = (try TapSample(points: 80), try TapSample(points: 80))
    try sample.build()
    let rows =
      try String(contentsOfFile: sample.folder.path("inns.csv"), encoding: .utf8)
      .replacingOccurrences(of: "k7,", with: "k700,") + "\nnew,179.2,10.1,New Inn,3\n"
    for one in [sample, fresh] { try one.folder.write(rows, to: "inns.csv") }
    let report = try #require(try sample.build().first)
    var options = BuildOptions()
    options.threads = 1
    options.noCache = true
    try fresh.build(options)
    #expect(report.tiles.reused > 0)
    #expect(
      FileManager.default.contents(atPath: sample.archive)
        == FileManager.default.contents(atPath: fresh.archive))
  }

  @Test(
    "damaged taps are found, each with a tile or key",
    arguments: [
      ("UPDATE grid_utfgrid SET grid_utfgrid = zeroblob(9) WHERE rowid = 3", "is not named by"),
      ("DELETE FROM grid_key WHERE rowid = (SELECT max(rowid) FROM grid_key)", "'grid_key'"),
      ("DELETE FROM keymap WHERE rowid = 2", "'keymap' lacks"),
      ("UPDATE keymap SET key_json = '{}' WHERE rowid = 2", "the taps give"),
      ("DELETE FROM grid_utfgrid WHERE rowid = 2", "which is not stored"),
      ("UPDATE map SET grid_id = NULL WHERE rowid = 2", "is shown by no tile"),
      (
        "INSERT INTO grid_key VALUES ((SELECT grid_id FROM grid_utfgrid WHERE rowid = 1), 'x')",
        "'x' that 'grid_key' has"
      ),
      ("INSERT INTO grid_key SELECT * FROM grid_key LIMIT 1", "twice in 'grid_key'"),
      ("DROP INDEX grid_key_index", "no index on grid_key(grid_id)"),
    ])
  func damage(sql: String, fault: String) throws {
    let sample = try TapSample(points: 30)
    try sample.build()
    do {
      let database = try Database(path: sample.archive, mode: .readWrite)
      try database.execute(sql)
    }
    let verification = try PipelineRunner.verify(
      archive: sample.archive, cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults.contains { $0.contains(fault) }, "\(verification.faults)")
  }

  @Test("an index over grids and keys, as other programs create it, is as good as one over grids")
  func indexOfKeys() throws {
    let sample = try TapSample(points: 30)
    try sample.build()
    do {
      let database = try Database(path: sample.archive, mode: .readWrite)
      try database.execute(
        "DROP INDEX grid_key_index; CREATE UNIQUE INDEX i ON grid_key (grid_id, key_name)")
    }
    let verification = try PipelineRunner.verify(
      archive: sample.archive, cancellation: Cancellation(), progress: { _ in })
    #expect(verification.warnings.isEmpty, "\(verification.warnings)")
    #expect(!verification.faults.contains { $0.contains("grid_key") }, "\(verification.faults)")
  }

  @Test(
    "a build's delta carries taps: applied, it gives the new archive, and so do its statements",
    arguments: [TapFormat.utfgrid, .compact])
  func delta(format: TapFormat) throws {
    let sample = try TapSample(points: 60, format: format)
    var options = BuildOptions()
    options.writesDeltas = true
    try sample.build(options)
    let (old, patched) = (sample.folder.path("old.mbtiles"), sample.folder.path("app.mbtiles"))
    for copy in [old, patched] {
      try FileManager.default.copyItem(atPath: sample.archive, toPath: copy)
    }
    // Nothing is drawn otherwise, but taps tell another name.
    let file = sample.folder.path("inns.csv")
    var rows = try String(contentsOfFile: file, encoding: .utf8)
    rows = rows.replacingOccurrences(of: "Inn \"\"7\"\"", with: "House 7")
    try sample.folder.write(rows, to: "inns.csv")
    let renamed = try #require(try sample.build(options).first)
    let changes = try #require(renamed.changes)
    // A block of compact taps is none of the tiles that are compared.
    #expect((changes.changed > 0) == (format == .utfgrid))
    #expect(changes.added + changes.removed == 0)
    #expect(renamed.notes.isEmpty, "\(renamed.notes)")
    try apply(try #require(renamed.deltas.first).file, to: old, patched, sample)
    // Then clusters change, too.
    rows = rows.replacingOccurrences(of: "k9,", with: "k900,") + "\nnew,179.2,10.1,New Inn,3\n"
    try sample.folder.write(rows, to: "inns.csv")
    let moved = try #require(try sample.build(options).first)
    #expect(moved.notes.isEmpty, "\(moved.notes)")
    let delta = sample.folder.path("again.delta")
    let summary = try PipelineRunner.diff(
      old: old, new: sample.archive, output: delta, cancellation: Cancellation(),
      progress: { _ in }, each: { _, _ in })
    #expect(summary.changes == moved.changes)
    let made = try #require(moved.deltas.first).file
    #expect(
      FileManager.default.contents(atPath: delta)
        == FileManager.default.contents(atPath: sample.folder.path(made)))
    try apply(made, to: old, patched, sample)
  }

  /// Applies a delta in both ways, and compares with the archive in place.
  private func apply(
    _ delta: String, to archive: String, _ patched: String, _ sample: TapSample
  ) throws {
    let delta = sample.folder.path(delta)
    let summary = try PipelineRunner.apply(
      delta: delta, archive: archive, scratch: nil, cancellation: Cancellation(),
      progress: { _ in })
    #expect(summary.result == .applied)
    #expect(
      FileManager.default.contents(atPath: archive)
        == FileManager.default.contents(atPath: sample.archive))
    do {
      let database = try Database(path: patched, mode: .readWrite)
      try database.execute("ATTACH '\(delta)' AS delta")
      #expect(try database.integer(DeltaFormat.question) == 1)
      try database.execute("BEGIN IMMEDIATE")
      let form = try DeltaReader(FilePath(delta)).facts.form
      for statement in DeltaFormat.statements(form) {
        try database.execute(statement)
      }
      try database.execute("COMMIT; DETACH delta")
    }
    let verification = try PipelineRunner.verify(
      archive: patched, cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults.isEmpty, "\(verification.faults)")
    let inn = LngLat(longitude: 179.45, latitude: 9.45)
    for zoom in TapSample.zooms {
      #expect(
        try PipelineRunner.tap(archive: patched, at: inn, zoom: zoom)
          == PipelineRunner.tap(archive: sample.archive, at: inn, zoom: zoom))
    }
  }

  @Test("UTFGrid taps need the layout dedup")
  func layout() throws {
    let error = #expect(throws: PipelineError.self) {
      try TapSample(points: 3, layout: ", layout: flat").definition()
    }
    #expect(error?.message.contains("'interactivity' has the layout dedup") == true)
  }

  @Test("taps on the command line are a collection of one feature or none")
  func collection() throws {
    let sample = try TapSample(points: 30)
    try sample.build()
    let inn = LngLat(longitude: 179.45, latitude: 9.45)
    let answer = try PipelineRunner.tap(archive: sample.archive, at: inn, zoom: nil)
    #expect(String(decoding: answer, as: UTF8.self).contains(#""geometry":null,"properties":{"#))
    let nothing = try PipelineRunner.tap(
      archive: sample.archive, at: LngLat(longitude: 0, latitude: 0), zoom: 3)
    #expect(
      String(decoding: nothing, as: UTF8.self) == #"{"type":"FeatureCollection","features":[]}"#
        + "\n"
    )
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.tap(archive: sample.file, at: inn, zoom: 3)
    }
    #expect(error?.code == .usage)
  }
}
