import Definition
import Foundation
import JSON
import MBTiles
import Pipeline
import SQLite
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Reports
@testable import Runs

/// Archives of several segments, which are made from the last one.
@Suite("An archive that is made from the last one")
struct SpliceTests {
  /// Points in a file of their own, which are edited at random.
  private struct Sample {
    let folder: TemporaryFolder
    let layout: String
    var random: SplitMix64
    var rows: [String] = []

    /// The id of each row; those of rows that are added follow.
    var ids = (0..<10_000).map { "n\($0)" }
    var hasIDs = false

    init(points: Int, layout: String, seed: UInt64) throws {
      folder = try TemporaryFolder()
      self.layout = layout
      random = SplitMix64(seed: seed)
      for _ in 0..<points { rows.append(row()) }
    }

    private mutating func row() -> String {
      "\(random.number(in: -40..<40)),\(random.number(in: -40..<40)),\(random.below(6))"
    }

    /// Adds, removes or replaces some rows.
    mutating func edit(_ count: Int) {
      for _ in 0..<count {
        let place = random.below(rows.count)
        switch random.below(4) {
        case 0: rows.remove(at: place)
        case 1: rows.append(row())
        default: rows[place] = row()
        }
      }
    }

    func build(
      whole: Bool = false, tiles: String = "", output: String = "out.mbtiles",
      _ change: (inout BuildOptions) -> Void = { _ in },
      cancellation: Cancellation = Cancellation(), progress: @escaping ProgressHandler = { _ in }
    ) throws -> BuildReport {
      try builds(
        whole: whole, tiles: tiles, output: output, change, cancellation: cancellation,
        progress: progress)[0]
    }

    /// Builds the archive of each pixel density.
    func builds(
      whole: Bool = false, tiles: String = "", output: String = "out.mbtiles",
      _ change: (inout BuildOptions) -> Void = { _ in },
      cancellation: Cancellation = Cancellation(), progress: @escaping ProgressHandler = { _ in }
    ) throws -> [BuildReport] {
      let lines = hasIDs ? zip(rows, ids).map { "\($0),\($1)" } : rows
      try folder.write(
        "lng,lat,kind\(hasIDs ? ",id" : "")\n" + lines.joined(separator: "\n") + "\n",
        to: "places.csv")
      let file = try folder.write(
        """
        version: 1
        name: sample
        sources: {places: {type: csv, data: places.csv,\(hasIDs ? " id: id," : "") cluster: true, clusterMaxZoom: 6}}
        layers:
          - {id: dots, type: circle, source: places, paint: {circle-radius: [interpolate, [linear],
             [coalesce, [get, kind], 2], 0, 3, 6, 12], circle-color: [match, [to-number, [get, kind]], 1,
             red, 2, orange, 3, green, teal], circle-stroke-width: 1.5}}
        tiles: {minzoom: 0, maxzoom: 9\(tiles)}
        output: {path: \(output)\(output.hasSuffix(".pmtiles") ? "" : ", layout: \(layout)")}
        """, to: "sample.yml")
      var options = BuildOptions()
      options.force = whole
      options.noCache = whole
      if whole { options.output = folder.path("whole.mbtiles") }
      change(&options)
      return try PipelineRunner.build(
        PipelineDefinition(contentsOf: file, environment: { _ in nil }), options: options,
        cancellation: cancellation, progress: progress)
    }
  }

  @Test(
    "archives with taps, of both pixel densities, are made from the last ones",
    arguments: [("compact", "dedup"), ("compact", "flat"), ("utfgrid", "dedup")])
  func taps(format: String, layout: String) throws {
    let tiles = ", scale: [1, 2], interactivity: {format: \(format), layers: [dots]}"
    var sample = try Sample(points: 3000, layout: layout, seed: 8)
    _ = try sample.builds(tiles: tiles)
    for count in [1, 3, 1] {
      sample.edit(count)
      let reports = try sample.builds(tiles: tiles)
      #expect(reports.map(\.making) == [.copied, .copied])
      _ = try sample.builds(whole: true, tiles: tiles)
      for (own, whole) in [
        ("out.mbtiles", "whole.mbtiles"), ("out@2x.mbtiles", "whole@2x.mbtiles"),
      ] {
        #expect(try sample.folder.bytes(own) == sample.folder.bytes(whole))
        let path = FilePath(sample.folder.path(own))
        #expect(ArchiveVerifier(level: .full).verify(path).isSound)
      }
    }
  }

  @Test("grids follow ids that change places, and keys that are no longer named lose their data")
  func gridsOfIDs() throws {
    let tiles = ", interactivity: {format: utfgrid, layers: [dots], fields: [kind]}"
    var sample = try Sample(points: 2000, layout: "dedup", seed: 10)
    sample.hasIDs = true
    _ = try sample.build(tiles: tiles)
    let steps: [(inout Sample) -> Void] = [
      // The pictures stay as they are.
      { $0.ids.swapAt(3, 1500) }, { $0.ids[7] = "new" }, { $0.ids[7] = "n7" },
      { $0.rows.swapAt(3, 1500) }, { $0.edit(1) },
    ]
    for step in steps {
      step(&sample)
      try expectCopied(sample, tiles)
    }
  }

  /// Expects that a build copies from the last archive, and counts the tiles that change.
  private func expectCopied(_ sample: Sample, _ tiles: String) throws {
    let old = sample.folder.path("old.mbtiles")
    try? FileManager.default.removeItem(atPath: old)
    try FileManager.default.copyItem(atPath: sample.folder.path("out.mbtiles"), toPath: old)
    let report = try sample.build(tiles: tiles)
    #expect(report.making == .copied)
    _ = try sample.build(whole: true, tiles: tiles)
    #expect(try sample.folder.bytes("out.mbtiles") == sample.folder.bytes("whole.mbtiles"))
    let path = FilePath(sample.folder.path("out.mbtiles"))
    #expect(ArchiveVerifier(level: .full).verify(path).isSound)
    let comparison = ArchiveComparison(
      old: try ArchiveReader(FilePath(old)), new: try ArchiveReader(path))
    #expect(try report.changes == comparison.count())
    #expect(report.changes?.differing ?? 0 > 0)
  }

  @Test("an archive with UTFGrids is not copied from when they are left out")
  func grids() throws {
    var sample = try Sample(points: 2000, layout: "dedup", seed: 9)
    _ = try sample.build(tiles: ", interactivity: {format: utfgrid, layers: [dots]}")
    sample.edit(1)
    #expect(try sample.build().making == .whole(.taps))
    _ = try sample.build(whole: true)
    #expect(try sample.folder.bytes("out.mbtiles") == sample.folder.bytes("whole.mbtiles"))
  }

  @Test(
    "an archive that is made from the last one has the bytes of a full build",
    arguments: ["dedup", "flat"])
  func edits(layout: String) throws {
    var sample = try Sample(points: 6000, layout: layout, seed: 4)
    #expect(try sample.build().making == .whole(.unknown))
    for count in runsSlowTests ? (0..<60).map({ $0 % 20 }) : [1, 1, 40] {
      sample.edit(max(count, 1))
      let old = sample.folder.path("old.mbtiles")
      try? FileManager.default.removeItem(atPath: old)
      try FileManager.default.copyItem(atPath: sample.folder.path("out.mbtiles"), toPath: old)
      let report = try sample.build()
      #expect(report.result == .published && report.making == .copied)
      // Nobody has read the whole file.
      #expect(report.archive.sha256.isEmpty)
      let unchanged = try sample.build()
      #expect(unchanged.result == .unchanged && unchanged.making == nil)
      let whole = try sample.build(whole: true)
      #expect(try sample.folder.bytes("out.mbtiles") == sample.folder.bytes("whole.mbtiles"))
      #expect(report.archive.digest == whole.archive.digest)
      #expect(report.tiles.rendered < whole.tiles.rendered)
      #expect(report.zooms.map(\.tiles) == whole.zooms.map(\.tiles))
      #expect(report.tiles.distinct == whole.tiles.distinct)
      let comparison = ArchiveComparison(
        old: try ArchiveReader(FilePath(old)),
        new: try ArchiveReader(FilePath(sample.folder.path("out.mbtiles"))))
      #expect(try report.changes == comparison.count())
      #expect(report.changes?.differing ?? 0 > 0)
    }
  }

  @Test(
    "a build says why it made the scenes of all tiles, or read all records, though little changed")
  func anew() throws {
    let folder = try TemporaryFolder()
    try folder.write("id,lng,lat\n1,2,3\n2,20,30\n", to: "places.csv")
    try folder.write("id,op\n1,delete\n", to: "log.csv")
    func anew(source: String, layers: String) throws -> [WhyNot] {
      let file = try folder.write(
        """
        version: 1
        sources: {places: {type: csv, data: places.csv, id: id\(source)}}
        layers: [{id: dots, type: circle, source: places}\(layers)]
        tiles: {maxzoom: 3}
        output: {path: out.mbtiles}
        """, to: "sample.yml")
      let report = try PipelineRunner.build(
        PipelineDefinition(contentsOf: file, environment: { _ in nil }), options: BuildOptions(),
        cancellation: Cancellation(), progress: { _ in })[0]
      let json = try JSONSerialization.jsonObject(with: Data(report.json.pretty.utf8))
      let list = (json as? [String: Any])?["anew"] as? [String] ?? []
      #expect(list == report.anew.map(\.rawValue))
      for reason in report.anew { #expect(report.summary.contains(reason.words)) }
      return report.anew
    }
    #expect(try anew(source: "", layers: "") == [])
    #expect(try anew(source: ", edits: log.csv", layers: "") == [])
    let background = ", {id: ground, type: background, paint: {background-color: red}}"
    #expect(try anew(source: "", layers: background) == [.shapes])
    #expect(
      try anew(source: ", edits: log.csv, where: \"id > 1\"", layers: background)
        == [.shapes, .edits])
  }

  @Test("an archive that was touched since is not copied from, and the next one is whole")
  func touched() throws {
    var sample = try Sample(points: 2000, layout: "dedup", seed: 5)
    _ = try sample.build()
    var bytes = try sample.folder.bytes("out.mbtiles")
    bytes[bytes.count / 2] ^= 255
    try Data(bytes).write(to: URL(fileURLWithPath: sample.folder.path("out.mbtiles")))
    sample.edit(1)
    #expect(try sample.build().making == .whole(.touched))
    _ = try sample.build(whole: true)
    #expect(try sample.folder.bytes("out.mbtiles") == sample.folder.bytes("whole.mbtiles"))
  }

  @Test("an archive that was compacted by SQLite is not copied from, though its tiles are the same")
  func compacted() throws {
    var sample = try Sample(points: 2000, layout: "dedup", seed: 6)
    _ = try sample.build()
    // A second build, which does not know the SHA-256 of its file.
    sample.edit(1)
    #expect(try sample.build().making == .copied)
    try Database(path: sample.folder.path("out.mbtiles"), mode: .readWrite).execute("VACUUM")
    #expect(try sample.build().result == .unchanged)
    sample.edit(1)
    #expect(try sample.build().making == .whole(.touched))
    _ = try sample.build(whole: true)
    #expect(try sample.folder.bytes("out.mbtiles") == sample.folder.bytes("whole.mbtiles"))
  }

  @Test("a build that writes its archive as a whole says why")
  func reasons() throws {
    var sample = try Sample(points: 2000, layout: "dedup", seed: 7)
    _ = try sample.build()
    sample.edit(1)
    #expect(try sample.build { $0.force = true }.making == .whole(.forced))
    sample.edit(1)
    #expect(try sample.build { $0.noCache = true }.making == .whole(.noCache))
    #expect(try sample.build(output: "out.pmtiles").making == .whole(.pmtiles))
    sample.edit(1)
    _ = try sample.build()
    #expect(try sample.build(tiles: ", interactivity: {}").making == .whole(.taps))
    _ = try sample.build()
    sample.edit(1500)
    let report = try sample.build()
    #expect(report.making == .whole(.changes))
    #expect(
      report.summary.contains("  archive: written as a whole, since so many of its tiles change"))
    #expect(report.json.pretty.contains(#""making": {"copied": false, "whyNot": "changes"}"#))
  }

  @Test(
    "a build whose time is over among the tiles that change keeps them, and the next one copies",
    arguments: [("dedup", false), ("flat", false), ("dedup", true)], [false, true])
  func stopped(form: (layout: String, hasGrids: Bool), isLate: Bool) throws {
    let tiles = form.hasGrids ? ", interactivity: {format: utfgrid, layers: [dots]}" : ""
    var sample = try Sample(points: 6000, layout: form.layout, seed: 10)
    _ = try sample.build(tiles: tiles)
    sample.edit(3)
    let limited = Cancellation(maxSeconds: 3600)
    let error = #expect(throws: PipelineError.self) {
      try sample.build(tiles: tiles, { $0.threads = 1 }, cancellation: limited) { event in
        switch event {
        case .began("tiles", _, _) where !isLate: limited.runOut()
        case .advanced("tiles", let done, _) where done > 2 && isLate: limited.runOut()
        default: break
        }
      }
    }
    #expect(error?.code == .outOfTime)
    let next = Cancellation(maxSeconds: 3600)
    let paintedAgain = Atomic<Int>(0)
    let report = try sample.build(tiles: tiles, cancellation: next) { event in
      guard case .ended(let stage) = event, stage.name == "tiles" else { return }
      // The pictures are there before the archive is made, which takes no time limit.
      if paintedAgain.add(1, ordering: .relaxed).newValue == 1 { next.runOut() }
    }
    #expect(report.making == .copied && report.tiles.rendered > 0)
    let whole = try sample.build(whole: true, tiles: tiles)
    #expect(try sample.folder.bytes("out.mbtiles") == sample.folder.bytes("whole.mbtiles"))
    #expect(report.tiles.rendered + report.tiles.reused == whole.tiles.rendered)
  }

  @Test("a build with a time limit that it does not reach copies as well")
  func limited() throws {
    var sample = try Sample(points: 2000, layout: "dedup", seed: 11)
    _ = try sample.build()
    sample.edit(1)
    #expect(try sample.build(cancellation: Cancellation(maxSeconds: 3600)).making == .copied)
    _ = try sample.build(whole: true)
    #expect(try sample.folder.bytes("out.mbtiles") == sample.folder.bytes("whole.mbtiles"))
  }

  @Test("every reason has words of its own")
  func words() {
    #expect(Set(WhyNot.allCases.map(\.words)).count == WhyNot.allCases.count)
  }
}
