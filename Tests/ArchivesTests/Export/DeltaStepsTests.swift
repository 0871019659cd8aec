import Files
import Foundation
import MBTiles
import PipelineSamples
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// Deltas of earlier runs, which apps need that missed some.
@Suite("Deltas of earlier runs")
struct DeltaStepsTests {
  /// A pipeline that is built with `--delta` after each of some changes.
  private struct Runs {
    let sample: BuildSample

    /// The archives as they were published, oldest first.
    private(set) var archives: [FilePath] = []

    init(_ output: String, count: Int) throws {
      sample = try BuildSample(rows: 40, output: "{path: out.mbtiles\(output)}")
      for _ in 0..<count { try next() }
    }

    /// Changes a row, builds, and keeps a copy of the archive.
    mutating func next() throws {
      let number = archives.count
      let rows = String(decoding: try sample.folder.bytes("places.csv"), as: UTF8.self)
      try sample.folder.write(rows + "\n\(number * 7),\(number),New \(number)", to: "places.csv")
      try build()
      let copy = sample.folder.path("copy-\(number).mbtiles")
      try FileManager.default.copyItem(atPath: sample.folder.path("out.mbtiles"), toPath: copy)
      archives.append(FilePath(copy))
    }

    @discardableResult
    func build() throws -> BuildReport {
      var options = BuildOptions()
      options.writesDeltas = true
      return try #require(try sample.build(options).first)
    }

    func list() throws -> UpdateList {
      try #require(UpdatePaths(besides: FilePath(sample.folder.path("out.mbtiles"))).list)
    }

    /// The names of deltas in the folder.
    func files() throws -> [String] {
      try sample.folder.names().filter { $0.hasSuffix(".delta") }
    }

    /// The second names of archives in the folder.
    func downloads() throws -> [String] {
      try sample.folder.names().filter { DeltaName.isDownload($0, of: "out.mbtiles") }.sorted()
    }

    func state(_ number: Int) throws -> ArchiveState {
      try #require(try ArchiveReader(archives[number]).state)
    }

    /// Follows the list from an archive as docs/updates.md says.
    ///
    /// - Returns: the number of steps; `nil` if the way ends elsewhere.
    func follow(from archive: FilePath) throws -> Int? {
      let list = try list()
      for step in 0... {
        let state = try #require(try ArchiveReader(archive).state)
        if state == list.archive.state { return step }
        let delta = list.deltas.first { $0.start == state && $0.merged == nil }
        guard let delta else { return nil }
        try apply(delta, to: archive)
      }
      return nil
    }

    func apply(_ delta: UpdateList.Entry, to archive: FilePath) throws {
      let clock = StageClock(progress: { _ in }, cancellation: Cancellation())
      _ = try ArchivePatch(
        delta: sample.folder.path(delta.file), archive: archive.string, scratch: nil,
        clock: clock
      ).run()
    }

    /// The steps from each archive.
    func steps() throws -> [Int?] { try archives.map { try follow(from: $0) } }
  }

  private static let kept: [(output: String, steps: [Int?])] = [
    (", keepDeltas: 1000", [4, 3, 2, 1, 0]),
    (", keepDeltas: 2", [nil, 3, 2, 1, 0]),
    (", keepDeltas: 0", [nil, nil, nil, 1, 0]),
    (", keepDeltas: 1GB", [4, 3, 2, 1, 0]),
    (", keepDeltas: 1kB", [nil, nil, nil, 1, 0]),
    (", keepDeltas: 1000, keepArchives: 3", [2, 1, 1, 1, 0]),
  ]

  @Test("deltas of earlier runs lead apps that missed some to the archive", arguments: kept)
  func steps(output: String, steps: [Int?]) throws {
    let runs = try Runs(output, count: 5)
    let listed = try runs.list().deltas.map(\.file)
    #expect(try runs.files() == listed.sorted() && Set(listed).count == listed.count)
    #expect(try runs.steps() == steps)
    // An unchanged build changes nothing.
    let before = try runs.sample.folder.bytes("out.updates.json")
    try runs.build()
    #expect(try runs.sample.folder.bytes("out.updates.json") == before)
    let patched = try #require(runs.archives.dropLast().last)
    #expect(try FileDigest.sha256(of: patched) == runs.list().archive.sha256)
  }

  @Test("earlier archives stay under their second names as long as a delta starts from them")
  func secondNames() throws {
    let runs = try Runs(", keepDeltas: 1", count: 4)
    let list = try runs.list()
    // The delta from the archive that was replaced, and one step before it.
    #expect(list.earlier.map(\.state) == (try [2, 1].map { try runs.state($0) }))
    let names = list.earlier.map(\.file) + [try #require(list.archive.download)]
    #expect(try runs.downloads() == names.sorted())
    for (name, number) in zip(names, [2, 1, 3]) {
      #expect(
        try runs.sample.folder.bytes(name) == runs.sample.folder.bytes("copy-\(number).mbtiles"))
    }
    let status = names.map { FileStatus(FilePath(runs.sample.folder.path($0))) }
    let own = try #require(FileStatus(FilePath(runs.sample.folder.path("out.mbtiles"))))
    #expect(status.last??.isSameFile(as: own) == true)
    // A link that a killed run left, and one that somebody removed.
    try runs.sample.folder.write("left", to: "out.0123456789abcdef.mbtiles")
    try FileManager.default.removeItem(atPath: runs.sample.folder.path(names[2]))
    try runs.build()
    #expect(try runs.downloads() == names.sorted())
    // A build without deltas removes them with their list.
    try runs.sample.folder.write("x,y,name\n1,2,One\n", to: "places.csv")
    _ = try runs.sample.build(BuildOptions())
    #expect(try runs.downloads() == [] && runs.files() == [])
  }

  @Test("an archive without the second name of its last list gets one, under the next number")
  func firstSecondName() throws {
    let runs = try Runs("", count: 1)
    var list = try runs.list()
    list.archive.download = nil
    try runs.sample.folder.write(
      UpdateFile(list, signedBy: []).text, to: "out.updates.json")
    try runs.build()
    let next = try runs.list()
    #expect(next.sequence == list.sequence + 1 && next.archive.download != nil)
  }

  @Test("merged deltas lead from the last few archives in one step, of fewer bytes than the steps")
  func merged() throws {
    let runs = try Runs(", keepDeltas: 1000", count: 8)
    let list = try runs.list()
    let merged = list.deltas.filter { $0.merged != nil }
    #expect(merged.map(\.merged) == [2, 3, 4, 5, 6])
    #expect(
      list.deltas.map { $0.end == list.archive.state } == Array(repeating: true, count: 6)
        + Array(repeating: false, count: 6))
    for delta in merged {
      let start = try #require(
        try runs.archives.first { try ArchiveReader($0).state == delta.start })
      var (way, state) = (0, delta.start)
      while let step = list.deltas.first(where: { $0.start == state && $0.merged == nil }) {
        (way, state) = (way + step.bytes, step.end)
      }
      #expect(state == list.archive.state && delta.bytes < way)
      try runs.apply(delta, to: start)
      #expect(try FileDigest.sha256(of: start) == list.archive.sha256)
    }
    // The same, whatever was merged before.
    let files = try merged.map { try runs.sample.folder.bytes($0.file) }
    for delta in merged {
      try FileManager.default.removeItem(atPath: runs.sample.folder.path(delta.file))
    }
    try runs.build()
    #expect(try merged.map { try runs.sample.folder.bytes($0.file) } == files)
    #expect(try runs.list() == list)
  }

  @Test("a damaged delta of an earlier run is not merged, and the run notes it")
  func damagedStep() throws {
    var runs = try Runs(", keepDeltas: 1000", count: 3)
    let step = try #require(runs.list().deltas.last)
    try runs.sample.folder.write(String(repeating: "x", count: step.bytes), to: step.file)
    try runs.next()
    let report = try runs.build()
    #expect(report.notes.contains { $0.contains("not merged") }, "\(report.notes)")
    #expect(try runs.list().deltas.compactMap(\.merged) == [2])
  }

  @Test(
    "the number of deltas of earlier runs is a count or a size",
    arguments: ["1001", "-1", "0.5", "many", "5 apples"])
  func refused(value: String) throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, keepDeltas: \(value)}")
    let error = #expect(throws: PipelineError.self) { try sample.definition() }
    #expect(error?.exitCode == 78 && error?.message.contains("keepDeltas") == true, "\(value)")
  }

  @Test("deltas of earlier runs stay by default while they are no larger than the archive")
  func defaultLimit() throws {
    let runs = try Runs("", count: 6)
    let list = try runs.list()
    let further = list.deltas.filter { $0.end != list.archive.state }
    #expect(!further.isEmpty && further.reduce(0) { $0 + $1.bytes } <= list.archive.bytes)
    #expect(try runs.files().count == list.deltas.count)
  }

  @Test("deltas of earlier runs stay when nothing but the metadata changes")
  func metadata() throws {
    let runs = try Runs(", keepDeltas: 1000", count: 3)
    let rows = String(decoding: try runs.sample.folder.bytes("places.csv"), as: UTF8.self)
    try runs.sample.folder.write(rows + "\n", to: "places.csv")
    let state = try runs.list().archive.state
    try runs.build()
    #expect(try runs.list().archive.state == state)
    #expect(try runs.steps() == [2, 1, 0])
  }

  @Test("deltas of earlier runs do not lead over an archive that was rolled back")
  func rollback() throws {
    let runs = try Runs(", keepDeltas: 1000, keepArchives: 1", count: 4)
    _ = try PipelineRunner.rollback(
      archives: [runs.sample.folder.path("out.mbtiles")], options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })
    #expect(try runs.steps() == [2, 1, 0, 1])
  }

  @Test("a way of deltas ends at the archive from whatever list of an earlier run")
  func ways() {
    func entry(_ start: String, _ end: String, merged: Int? = nil) -> UpdateList.Entry {
      UpdateList.Entry(
        file: "\(start)-\(end)", bytes: 10, sha256: "", start: ArchiveState(tiles: start),
        end: ArchiveState(tiles: end), merged: merged)
    }
    func list(_ digest: String, _ deltas: [UpdateList.Entry]) -> UpdateList {
      UpdateList(
        archive: .init(
          file: "a", bytes: 100, sha256: digest, state: ArchiveState(tiles: digest)),
        deltas: deltas)
    }
    let earlier = list(
      "d",
      [
        entry("c", "d"), entry("b", "d"), entry("a", "b"), entry("e", "a"), entry("z", "y"),
        entry("y", "z"), entry("x", "lost"), entry("w", "b"), entry("v", "d", merged: 2),
      ])
    func taken(
      _ withdrawn: ArchiveState? = nil, count: Int = 10, bytes: Int = 1000,
      missing: String = ""
    ) -> [String] {
      var new = list("e", [entry("d", "e"), entry("b", "e")])
      new.appendSteps(of: earlier, avoiding: withdrawn, limits: (count, bytes)) {
        $0.file != missing
      }
      return new.deltas.dropFirst(2).map(\.file)
    }
    // The archive is that of before a; b is known; z and y lead in a circle.
    #expect(taken() == ["c-d", "a-b", "w-b"])
    #expect(taken(count: 1) == ["c-d"] && taken(bytes: 25) == ["c-d", "a-b"])
    #expect(taken(missing: "c-d") == ["a-b", "w-b"])
    #expect(taken(ArchiveState(tiles: "d")) == ["a-b", "w-b"])
  }

  @Test("merged deltas are offered where they save bytes, from the newest states")
  func offers() {
    func entry(_ start: String, _ end: String, _ bytes: Int, merged: Int? = nil) -> UpdateList.Entry
    {
      UpdateList.Entry(
        file: "\(start)-\(end)", bytes: bytes, sha256: "", start: ArchiveState(tiles: start),
        end: ArchiveState(tiles: end), merged: merged)
    }
    func offers(_ count: Int, _ bytes: [String: Int], archive: Int = 1000) -> [String] {
      var list = UpdateList(
        archive: .init(
          file: "a", bytes: archive, sha256: "", state: ArchiveState(tiles: "e")),
        deltas: [
          entry("d", "e", 10), entry("c", "d", 10), entry("b", "c", 10), entry("a", "b", 10),
        ])
      list.addMerged(count) { first, second in
        let file = first.start.tiles + second.end.tiles
        return bytes[file].map {
          entry(first.start.tiles, second.end.tiles, $0, merged: (second.merged ?? 1) + 1)
        }
      } discard: { _ in
      }
      return list.deltas.map { "\($0.file) \($0.merged ?? 1)" }
    }
    let steps = ["c-d 1", "b-c 1", "a-b 1"]
    #expect(
      offers(5, ["ce": 12, "be": 14, "ae": 16]) == ["d-e 1", "c-e 2", "b-e 3", "a-e 4"] + steps)
    #expect(offers(1, ["ce": 12, "be": 14]) == ["d-e 1", "c-e 2"] + steps)
    // One that saves nothing is not offered, nor are those over it.
    #expect(offers(5, ["ce": 12, "be": 22, "ae": 1]) == ["d-e 1", "c-e 2"] + steps)
    #expect(offers(5, ["be": 1]) == ["d-e 1"] + steps)
    #expect(offers(5, ["ce": 12], archive: 12) == ["d-e 1"] + steps)
    #expect(offers(5, ["ce": 12], archive: 10) == ["d-e 1"] + steps)
  }
}
