import Foundation
import TestSupport
import Testing

@Suite("Deltas")
struct DeltaTests {
  /// A sample that was built, edited, and built again with `--delta`.
  private struct Edited {
    let sample: Sample

    init(_ settings: Sample.Settings = Sample.Settings()) throws {
      sample = try Sample(rows: 200, settings)
      try sample.build("--delta")
      try copy("out.mbtiles", to: "old.mbtiles")
      var rows = Sample.rows(200)
      rows[7] = "12.34567,51.5,Moved,1"
      rows.removeLast(3)
      try sample.folder.write(Sample.csv(rows), to: "places.csv")
      try sample.build("--delta")
    }

    func copy(_ name: String, to other: String) throws {
      try Data(try sample.folder.bytes(name)).write(
        to: sample.folder.url.appendingPathComponent(other))
    }

    func list() throws -> List {
      let file = try JSONDecoder().decode(
        Signed.self, from: Data(sample.folder.bytes("out.updates.json")))
      #expect(file.signatures.isEmpty)
      return try JSONDecoder().decode(List.self, from: Data(file.list.utf8))
    }

    /// The names in the folder that `build` made.
    func names() throws -> [String] {
      try sample.folder.names().filter { $0.hasPrefix("out") || $0.hasPrefix(".out") }
    }
  }

  /// The file beside an archive.
  private struct Signed: Decodable {
    var list: String
    var signatures: [[String: String]]
  }

  /// The list in the file.
  private struct List: Decodable {
    struct Archive: Decodable {
      var file: String
      var digest: String
      var sha256: String
      var download: String?
    }

    struct Delta: Decodable {
      var before: String
      var after: String
      var file: String
      var bytes: Int
      var sha256: String
      var merged: Int?
    }

    var sequence: Int
    var archive: Archive
    var deltas: [Delta]
    var earlier: [Archive]?
  }

  @Test(
    "a build's deltas make a copy of the previous archive into the new one",
    arguments: ["dedup", "flat"])
  func build(layout: String) throws {
    var settings = Sample.Settings()
    settings.output = "path: out.mbtiles\n  layout: \(layout)"
    let edited = try Edited(settings)
    let folder = edited.sample.folder
    let list = try edited.list()
    let delta = try #require(list.deltas.first)
    #expect(list.archive.file == "out.mbtiles" && list.deltas.count == 1)
    #expect(try list.archive.digest == edited.sample.report().archive.digest)
    #expect(list.archive.digest == delta.after && list.sequence == 2)
    #expect(try folder.bytes(delta.file).count == delta.bytes)
    #expect(delta.file == "out.\(delta.before.prefix(8))-\(delta.after.prefix(8)).delta")
    #expect(
      try edited.names()
        == [
          delta.file, try #require(list.archive.download),
          try #require(list.earlier?.first?.file), "out.legend.json", "out.legend.png",
          "out.mbtiles", "out.report.json",
          "out.style.json", "out.tilejson", "out.updates.json",
        ].sorted())
    let apply = try Program.run("apply", folder.path(delta.file), folder.path("old.mbtiles"))
    #expect(apply.status == 0 && apply.errors.isEmpty, "\(apply.errors)")
    #expect(apply.output.contains("\(delta.before.prefix(8)) is now \(delta.after.prefix(8))"))
    #expect(try folder.bytes("old.mbtiles") == folder.bytes("out.mbtiles"))
    // Once more: nothing is written, and quiet means quiet.
    let again = try Program.run("apply", "-q", folder.path(delta.file), folder.path("old.mbtiles"))
    #expect(again.status == 0 && again.output.isEmpty && again.errors.isEmpty)
    #expect(try !folder.names().contains { $0.hasPrefix(".out") })
    let inspect = try Program.run("inspect", folder.path(delta.file))
    #expect(inspect.status == 0 && inspect.output.contains("ATTACH '\(delta.file)' AS delta;"))
  }

  @Test("deltas are removed with the archives they start from; the next run makes missing ones")
  func upkeep() throws {
    let edited = try Edited()
    let folder = edited.sample.folder
    let first = try #require(try edited.list().deltas.first)
    // A kept archive is another way in. The run finds all inputs unchanged.
    try edited.copy("old.mbtiles", to: "out.mbtiles.1")
    try FileManager.default.removeItem(atPath: folder.path(first.file))
    try FileManager.default.removeItem(atPath: folder.path("out.updates.json"))
    try folder.write("half", to: ".out.mbtiles.tmp-99999999-delta")
    let report = try edited.sample.build("--delta", "--report", folder.path("report"))
    #expect(
      try report.result == "published" && edited.sample.report("report").result == "unchanged")
    #expect(try edited.list().deltas.map(\.file) == [first.file])
    #expect(try edited.list().deltas.first?.sha256 == first.sha256)
    // The next archive has ways in from both, and the last way is gone.
    try folder.write(Sample.csv(Sample.rows(150)), to: "places.csv")
    try edited.sample.build("--delta")
    let list = try edited.list()
    #expect(list.deltas.map(\.before) == [first.after, first.before])
    #expect(list.deltas.allSatisfy { $0.after == list.archive.digest })
    let deltas = try edited.names().filter { $0.hasSuffix(".delta") }
    #expect(deltas == list.deltas.map(\.file).sorted())
    #expect(try !folder.names().contains { $0.hasPrefix(".out") })
    let last = try #require(list.deltas.last)
    let run = try Program.run("apply", folder.path(last.file), folder.path("old.mbtiles"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.bytes("old.mbtiles") == folder.bytes("out.mbtiles"))
  }

  @Test("deltas stay listed while the archive stays, even if what it replaced is not kept")
  func unchanged() throws {
    let edited = try Edited()
    let names = try edited.names()
    let list = try edited.sample.folder.bytes("out.updates.json")
    try edited.sample.build("--delta")
    #expect(try edited.names() == names && names.contains { $0.hasSuffix(".delta") })
    #expect(try edited.sample.folder.bytes("out.updates.json") == list)
  }

  @Test("deltas lead to the current file, even if only its metadata changed")
  func metadata() throws {
    var settings = Sample.Settings()
    settings.output = "path: out.mbtiles\n  keepArchives: 2"
    let edited = try Edited(settings)
    let folder = edited.sample.folder
    // A row that no tile shows: equal tiles, another fingerprint.
    let text = String(decoding: try folder.bytes("places.csv"), as: UTF8.self)
    try folder.write(text + "\n", to: "places.csv")
    try edited.sample.build("--delta")
    let delta = try #require(try edited.list().deltas.first)
    let run = try Program.run("apply", folder.path(delta.file), folder.path("old.mbtiles"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.bytes("old.mbtiles") == folder.bytes("out.mbtiles"))
    #expect(try edited.list().archive.sha256 == edited.sample.report().archive.sha256)
  }

  @Test("deltas lead back after a rollback, and none applies to the archive that was rolled back")
  func rollback() throws {
    var settings = Sample.Settings()
    settings.output = "path: out.mbtiles\n  keepArchives: 2"
    let edited = try Edited(settings)
    let folder = edited.sample.folder
    let forth = try #require(try edited.list().deltas.first)
    try edited.copy(forth.file, to: "forth.delta")
    try edited.copy("out.mbtiles", to: "bad.mbtiles")
    #expect(try Program.run("rollback", edited.sample.archive).status == 0)
    let list = try edited.list()
    #expect(list.archive.digest == forth.before)
    #expect(list.deltas.map(\.before) == [forth.after])
    #expect(try edited.names().filter { $0.hasSuffix(".delta") } == list.deltas.map(\.file))
    let back = try #require(list.deltas.first)
    let run = try Program.run("apply", folder.path(back.file), folder.path("bad.mbtiles"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.bytes("bad.mbtiles") == folder.bytes("old.mbtiles"))
    // Only a build that is told so ends the hold.
    let refused = try Program.run("apply", folder.path("forth.delta"), edited.sample.archive)
    #expect(refused.status == 65 && refused.errors.contains("rolled back"), "\(refused.errors)")
    #expect(try folder.bytes("out.mbtiles") == folder.bytes("old.mbtiles"))
    #expect(try folder.names().contains("out.mbtiles.bad"))
  }

  @Test("diff writes the same deltas as the build, with the tiles that differ")
  func diff() throws {
    let edited = try Edited()
    let folder = edited.sample.folder
    let (old, new) = (folder.path("old.mbtiles"), folder.path("out.mbtiles"))
    let run = try Program.run("diff", old, new, "-o", folder.path("x.delta"))
    #expect(run.status == 0, "\(run.errors)")
    let file = try #require(try edited.list().deltas.first?.file)
    #expect(try folder.bytes("x.delta") == folder.bytes(file))
    let changed = run.output.split(separator: "\n").filter { $0.hasPrefix("changed ") }
    #expect(changed.contains { $0.split(separator: "/").count == 3 }, "\(run.output)")
    #expect(run.output.contains(/\n +zoom +added/), "\(run.output)")
    #expect(run.output.contains("tiles: "), "\(run.output)")
    struct Difference: Decodable {
      struct Changes: Decodable {
        var added: Int
        var changed: Int
        var removed: Int
        var unchanged: Int
      }
      var changes: Changes
      var tiles: [String: [String]]?
    }
    let json = try Program.run("diff", old, new, "--format", "json")
    let difference = try JSONDecoder().decode(Difference.self, from: Data(json.output.utf8))
    let counts = difference.changes
    #expect(difference.tiles?["added"]?.count == counts.added)
    #expect(difference.tiles?["changed"]?.count == counts.changed)
    #expect(difference.tiles?["removed"]?.count == counts.removed)
    #expect(
      try counts.unchanged + counts.added + counts.changed == edited.sample.report().tiles.planned)
    let lines = try Program.run("diff", old, new, "--format", "ndjson").output
      .split(separator: "\n")
    let kinds = try lines.dropLast().map { line in
      try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
    }
    #expect(
      kinds.filter { $0["change"] == "changed" }.compactMap { $0["tile"] }
        == difference.tiles?["changed"])
    #expect(lines.count == counts.added + counts.changed + counts.removed + 1)
    let last = try JSONDecoder().decode(Difference.self, from: Data((lines.last ?? "").utf8))
    #expect(last.changes.changed == counts.changed && last.tiles == nil)
    let same = try Program.run("diff", "-q", new, new)
    #expect(same.status == 0 && same.output.isEmpty && same.errors.isEmpty)
  }

  @Test("diff --merge writes one delta in the place of two")
  func merge() throws {
    let edited = try Edited()
    let folder = edited.sample.folder
    let first = folder.path(try #require(try edited.list().deltas.first?.file))
    try folder.write(Sample.csv(Sample.rows(150)), to: "places.csv")
    try edited.sample.build("--delta")
    let second = folder.path(try #require(try edited.list().deltas.first?.file))
    let run = try Program.run("diff", "--merge", first, second, "-o", folder.path("both.delta"))
    #expect(run.status == 0 && run.output.contains("merged from 2"), "\(run.errors)")
    let inspect = try Program.run("inspect", folder.path("both.delta"))
    #expect(inspect.output.contains(/merged from +2 deltas/), "\(inspect.output)")
    // The build offers the same.
    let offered = try #require(try edited.list().deltas.first { $0.merged == 2 })
    #expect(try folder.bytes(offered.file) == folder.bytes("both.delta"))
    let apply = try Program.run("apply", folder.path("both.delta"), folder.path("old.mbtiles"))
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(try folder.bytes("old.mbtiles") == folder.bytes("out.mbtiles"))
    let cases: [([String], Int32, String)] = [
      ([first, second], 64, "-o NAME.delta"),
      ([second, first, "-o", folder.path("x.delta")], 65, "follow one another"),
      ([first, edited.sample.archive, "-o", folder.path("x.delta")], 65, "is no delta"),
      ([first, second, "-o", folder.path("x.mbtiles")], 64, "does not end in .delta"),
    ]
    for (arguments, status, words) in cases {
      let run = try Program.Run(["diff", "--merge"] + arguments, in: folder).finish()
      #expect(run.status == status && run.errors.contains(words), "\(arguments): \(run.errors)")
    }
    #expect(try !folder.names().contains("x.delta"))
  }

  @Test("a build signs its list with the keys of 'keys new', and refuses others before it begins")
  func signed() throws {
    let sample = try Sample(rows: 20, Sample.Settings())
    let folder = sample.folder
    let keys = try Program.run("keys", "new", folder.path("city"))
    #expect(keys.status == 0 && keys.output.contains(/city.pub: public key [0-9a-f]{16}/))
    let again = try Program.run("keys", "new", folder.path("city"))
    #expect(again.status == 73 && again.errorLines.count == 1, "\(again.errors)")
    let refused = try Program.run(
      "build", folder.path("sample.yml"), "--sign", folder.path("city.pub"))
    #expect(refused.status == 65 && refused.errors.contains("public key"), "\(refused.errors)")
    #expect(try !folder.names().contains("out.mbtiles"))
    // A signature implies the list.
    try sample.build("--sign", folder.path("city.key"))
    let file = try JSONDecoder().decode(
      Signed.self, from: Data(folder.bytes("out.updates.json")))
    let id = try #require(file.signatures.first?["key"])
    #expect(file.signatures.count == 1 && keys.output.contains(id))
  }

  @Test("wrong deltas are refused in one sentence with the right exit code, and the archive stays")
  func refused() throws {
    let edited = try Edited()
    let folder = edited.sample.folder
    let delta = folder.path(try #require(try edited.list().deltas.first?.file))
    try folder.write(Sample.csv(Sample.rows(90)), to: "places.csv")
    try edited.sample.build("-o", folder.path("other.mbtiles"))
    let before = try folder.bytes("other.mbtiles")
    var bytes = try folder.bytes((delta as NSString).lastPathComponent)
    bytes[4096 + 2000] ^= 0xFF
    bytes.removeLast(4096)
    try Data(bytes).write(to: folder.url.appendingPathComponent("cut.delta"))
    try folder.write("{}", to: "rain.frames.json")
    let (old, new) = (folder.path("old.mbtiles"), folder.path("out.mbtiles"))
    let cases: [([String], Int32, String)] = [
      (["apply", delta, folder.path("other.mbtiles")], 65, "leads from"),
      (["apply", folder.path("cut.delta"), old], 65, "damaged delta"),
      (["apply", new, old], 65, "is no delta"),
      (["apply", folder.path("none.delta"), old], 66, "there is no delta"),
      (["apply", delta, folder.path("none.mbtiles")], 66, "there is no archive"),
      (["diff", old, folder.path("none.mbtiles")], 66, "there is no archive"),
      (["diff", old, new, "-o", folder.path("x.mbtiles")], 64, "does not end in .delta"),
      (["diff", old, new, "-o", folder.path("no/x.delta")], 73, "no/"),
      (["diff", old, folder.path("rain.frames.json")], 64, "manifest of a series"),
      (["diff", old, folder.path("places.csv")], 65, "is no SQLite file"),
    ]
    for (arguments, status, words) in cases {
      let run = try Program.Run(arguments, in: folder).finish()
      #expect(run.status == status && run.output.isEmpty, "\(arguments): \(run.errors)")
      #expect(run.errorLines.count == 1 && run.errors.contains(words), "\(run.errors)")
    }
    #expect(try folder.bytes("other.mbtiles") == before)
    #expect(try !folder.names().contains { $0.hasPrefix(".out") })
  }

  @Test("deltas of a killed run leave the old archive or the new one, and the next run continues")
  func killed() throws {
    let edited = try Edited()
    let folder = edited.sample.folder
    let delta = folder.path(try #require(try edited.list().deltas.first?.file))
    let (before, after) = (try folder.bytes("old.mbtiles"), try folder.bytes("out.mbtiles"))
    let slow = ProcessInfo.processInfo.environment["QUADRILLE_SLOW"] != nil
    var random = SplitMix64(seed: 4)
    for _ in 0..<(slow ? 60 : 6) {
      try Data(before).write(to: folder.url.appendingPathComponent("old.mbtiles"))
      let run = try Program.Run(["apply", "-q", delta, folder.path("old.mbtiles")], in: folder)
      usleep(UInt32(random.below(60_000)))
      kill(run.process.processIdentifier, SIGKILL)
      _ = try run.finish()
      let found = try folder.bytes("old.mbtiles")
      #expect(found == before || found == after)
      let next = try Program.run("apply", delta, folder.path("old.mbtiles"))
      #expect(next.status == 0, "\(next.errors)")
      #expect(try folder.bytes("old.mbtiles") == after)
      #expect(try !folder.names().contains { $0.hasPrefix(".out") })
    }
  }
}
