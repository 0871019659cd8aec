import Files
import Foundation
import PipelineSamples
import Publication
import SystemPackage
import TapBlocks
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Baking
@testable import Definition
@testable import MBTiles
@testable import Pipeline
@testable import Reports
@testable import Runs

/// The lists by which apps follow packs stay, are true and are signed, whatever run writes them.
@Suite("Lists of updates of packs")
struct PackUpdatesTests {
  private func rollback(
    _ packs: PackSample, _ change: (inout BuildOptions) -> Void = { _ in }
  ) throws -> [RollbackSummary] {
    var options = BuildOptions()
    change(&options)
    return try PipelineRunner.rollback(
      packs.sample.definition(), options: options, cancellation: Cancellation(),
      progress: { _ in })
  }

  private func list(_ packs: PackSample, _ stem: String) throws -> UpdateList {
    try #require(UpdatePaths(besides: FilePath(packs.path("\(stem).mbtiles"))).list, "\(stem)")
  }

  private static let stems = ["out", "out-shared", "out-west"]

  /// Expects lists that lead to the archives in place.
  private func expectTrue(_ packs: PackSample) throws {
    for stem in Self.stems {
      let list = try list(packs, stem)
      let path = FilePath(packs.path("\(stem).mbtiles"))
      #expect(list.archive.sha256 == (try FileDigest.sha256(of: path)), "\(stem)")
      for delta in list.deltas { #expect(try !packs.sample.folder.bytes(delta.file).isEmpty) }
    }
  }

  @Test("a rollback leads the apps of packs back, too", arguments: [true, false])
  func rollback(byOption: Bool) throws {
    let updates = byOption ? "" : ", updates: {}"
    let packs = try PackSample(more: ", keepArchives: 2\(updates)")
    try packs.build(delta: byOption)
    let old = try packs.files()
    try packs.edit()
    try packs.build(delta: byOption)
    let withdrawn = try Self.stems.map { try list(packs, $0) }
    let summaries = try rollback(packs)
    #expect(summaries.flatMap(\.notes) == [])
    #expect(
      try packs.files().filter { $0.key.hasSuffix(".mbtiles") && !DeltaName.isDownload($0.key) }
        == old.filter { $0.key.hasSuffix(".mbtiles") && !DeltaName.isDownload($0.key) })
    try expectTrue(packs)
    for (stem, last) in zip(Self.stems, withdrawn) {
      let list = try list(packs, stem)
      #expect(list.sequence > last.sequence)
      // Whoever has the withdrawn pack by now finds a way back.
      #expect(list.deltas.contains { $0.start == last.archive.state }, "\(stem)")
      #expect(!list.deltas.contains { $0.end == last.archive.state }, "\(stem)")
    }
    #expect(try !packs.sample.folder.names().contains { $0.hasSuffix(".last") })
  }

  @Test("packs have second names in their lists, which belong to no region")
  func secondNames() throws {
    let packs = try PackSample()
    try packs.build()
    #expect(try packs.list().all.allSatisfy { $0.download == nil })
    try packs.build(delta: true)
    let first = try packs.list().all.map { try #require($0.download) }
    for (entry, name) in zip(try packs.list().all, first) {
      #expect(try packs.sample.folder.bytes(name) == packs.sample.folder.bytes(entry.file))
    }
    try packs.edit()
    try packs.build(delta: true)
    // The next publication left those from which deltas start.
    for name in first { #expect(try packs.sample.folder.names().contains(name), "\(name)") }
    let list = try list(packs, "out-west")
    #expect(list.earlier.map(\.file).allSatisfy(first.contains) && !list.earlier.isEmpty)
  }

  @Test("the packs beside a list are read as the archive that they divide")
  func union() throws {
    for interactivity in [
      "", ", interactivity: {format: compact}", ", interactivity: {format: utfgrid}",
    ] {
      let packs = try PackSample(tiles: "{maxzoom: 5, snap: 1\(interactivity)}")
      try packs.build()
      let list = try ArchiveReader.opening(FilePath(packs.path("out.packs.json")))
      let archive = try ArchiveReader.opening(FilePath(packs.path("out.mbtiles")))
      #expect(list.state?.tiles == archive.state?.tiles)
      #expect((list.state?.taps == nil) == (archive.state?.taps == nil))
      #expect(list.metadata["name"] == archive.metadata["name"])
      #expect(list.metadata["minzoom"] == "0" && list.metadata["maxzoom"] == "5")
      guard try archive.hasTapBlocks() else { continue }
      try archive.forEachTile { tile, _ throws(ArchiveError) in
        let (one, other) = (try archive.tapBlock(of: tile), try list.tapBlock(of: tile))
        let bit: UInt64 = 1 << UInt64(TapBlockCoord.index(of: tile))
        #expect(one?.part(of: bit).features == other?.part(of: bit).features, "\(tile)")
        #expect(one?.part(of: bit).symbols.features == other?.part(of: bit).symbols.features)
      }
    }
    // Without any of its packs there is nothing to read.
    let packs = try PackSample()
    try packs.build()
    for entry in try packs.list().all {
      try FileManager.default.removeItem(atPath: packs.path(entry.file))
    }
    #expect(throws: ArchiveError.self) {
      try ArchiveReader.opening(FilePath(packs.path("out.packs.json")))
    }
  }

  @Test("a rollback that was killed before it divided the archive is finished by the next build")
  func killed() throws {
    let packs = try PackSample(more: ", keepArchives: 1, updates: {}")
    try packs.build()
    let old = try packs.files()
    try packs.edit()
    try packs.build()
    // As it is up to the archive itself.
    _ = try PipelineRunner.rollback(
      archives: [packs.path("out.mbtiles")], options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })
    #expect(throws: PipelineError.self) { try packs.build() }
    let files = try packs.files()
    for (name, bytes) in old where name.hasSuffix(".mbtiles") { #expect(files[name] == bytes) }
    try expectTrue(packs)
  }

  @Test("the pipeline signs: any build and rollback of it writes the same lists")
  func signed() throws {
    let packs = try PackSample(
      more: ", keepArchives: 2, updates: {sign: [one.key, two.key], keep: 5}")
    let error = #expect(throws: PipelineError.self) { try packs.build() }
    #expect(error?.code == .missingInput && error?.message.contains("one.key") == true)
    #expect(error?.place?.file.hasSuffix("sample.yml") == true)
    let check = #expect(throws: PipelineError.self) {
      try PipelineRunner.check(packs.sample.definition(), options: BuildOptions())
    }
    #expect(check?.message == error?.message)
    for name in ["one", "two"] { _ = try KeyFile.create(packs.path(name)) }
    _ = try PipelineRunner.check(packs.sample.definition(), options: BuildOptions())
    func expectSigned() throws {
      try expectTrue(packs)
      for stem in Self.stems {
        let paths = UpdatePaths(besides: FilePath(packs.path("\(stem).mbtiles")))
        let file = try #require(UpdateFile(contentsOf: paths.current))
        let keys = try list(packs, stem).keys
        #expect(keys.count == 2 && file.isSigned(by: keys), "\(stem)")
      }
    }
    for number in 0..<3 {
      // By hand, and by a line of cron from before.
      let report = try packs.build(delta: number == 1)
      #expect(report.notes == [])
      try expectSigned()
      try packs.edit(number)
    }
    #expect(try rollback(packs).flatMap(\.notes) == [])
    try expectSigned()
    #expect(try packs.sample.definition().output.keptDeltas == .count(5))
  }

  @Test(
    "packs and their lists go with 'packs', also if the archive stays", arguments: [false, true])
  func dropped(hasList: Bool) throws {
    let packs = try PackSample(more: ", updates: {}")
    try packs.build()
    let text = String(decoding: try packs.sample.folder.bytes("sample.yml"), as: UTF8.self)
    try packs.sample.folder.write(
      text.replacing(", packs: {by: regions.geojson, shared: {maxzoom: 3}}", with: ""),
      to: "sample.yml")
    // A run may have been killed when the list was gone.
    if !hasList { try FileManager.default.removeItem(atPath: packs.path("out.packs.json")) }
    let report = try packs.build()
    #expect(report.result == .unchanged && report.packs == nil)
    #expect(report.notes.contains { $0.contains("packs") })
    let names = try packs.sample.folder.names()
    #expect(!names.contains { $0.hasSuffix(".mbtiles") && $0.hasPrefix("out-") })
    #expect(!names.contains { $0.hasPrefix("out-") && $0.hasSuffix(".updates.json") })
    #expect(!names.contains("out.packs.json"))
    #expect(try packs.build().notes == [])
  }

  private static let refused: [(output: String, message: String)] = [
    ("keepDeltas: 3, updates: {keep: 4}", "mean the same"), ("updates: {keep: many}", "50MB"),
    ("updates: {sign: 'https://a.b/c.key'}", "local files"), ("updates: {sig: a}", "sign"),
    ("updates: {sign: []}", "sign"), ("updates: true", "updates"),
  ]

  @Test("keys of updates that are wrong are refused with their place", arguments: refused)
  func keys(output: String, message: String) throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, \(output)}")
    let error = #expect(throws: PipelineError.self) { try sample.definition() }
    #expect(error?.message.contains(message) == true, "\(error as Any)")
    #expect(error?.place?.file.hasSuffix("sample.yml") == true)
  }
}
