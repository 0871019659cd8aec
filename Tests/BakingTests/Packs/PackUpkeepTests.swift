import Files
import Foundation
import Hashing
import MBTiles
import PipelineSamples
import Reuse
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("Packs from run to run")
struct PackUpkeepTests {
  @Test("a change in one region leaves the packs of others untouched, and equals a fresh build")
  func edit() throws {
    let packs = try PackSample()
    try packs.build()
    let before = try packs.statuses()
    try packs.edit()
    let report = try packs.build()
    #expect(report.packs?.published == 2 && report.packs?.count == 5)
    let after = try packs.statuses()
    #expect(
      after.filter { before[$0.key] != $0.value }.keys.sorted() == [
        "out-shared.mbtiles", "out-west.mbtiles",
      ])
    #expect(try packs.union() == packs.tiles("out.mbtiles"))
    try packs.expectWhole()
    let fresh = try PackSample()
    try fresh.edit()
    try fresh.build()
    #expect(try fresh.content() == packs.content())
  }

  @Test("a run without a change touches nothing", arguments: [false, true])
  func unchanged(isForced: Bool) throws {
    let packs = try PackSample()
    try packs.build()
    let before = try packs.statuses()
    let list = try InputStatus(path: packs.path("out.packs.json"))
    let report = try packs.build { options in
      options.force = isForced
      options.noCache = isForced
    }
    #expect(report.result == (isForced ? .published : .unchanged))
    #expect(report.packs?.published == 0 && report.packs?.count == 5)
    #expect(try packs.statuses() == before)
    #expect(try InputStatus(path: packs.path("out.packs.json")) == list)
  }

  @Test("the pack of a region that is gone is removed, and one that is new is added")
  func regions() throws {
    let packs = try PackSample()
    try packs.build()
    let archive = try InputStatus(path: packs.path("out.mbtiles"))
    let before = try packs.statuses()
    try packs.write(
      regions: [("Middle", [-70, -60, 20, 60]), ("East", [60, -60, 150, 60])].map {
        PackSample.feature($0, $1)
      })
    let report = try packs.build()
    #expect(report.result == .unchanged && report.packs?.removed == 3)
    #expect(
      try packs.sample.folder.names().filter { $0.hasPrefix("out-") } == [
        "out-east.mbtiles", "out-middle.mbtiles", "out-shared.mbtiles",
      ])
    #expect(try InputStatus(path: packs.path("out.mbtiles")) == archive)
    #expect(try packs.statuses()["out-middle.mbtiles"] == before["out-middle.mbtiles"])
    #expect(try packs.union() == packs.tiles("out.mbtiles"))
    try packs.expectWhole()
  }

  private enum Loss: CaseIterable {
    /// The run was killed before it wrote the list, or any pack.
    case oldList, old, noList
    case missing, flipped, cut
  }

  @Test(
    "packs that a killed run left old, or that were damaged, are made again",
    arguments: Loss.allCases)
  private func repair(loss: Loss) throws {
    let packs = try PackSample()
    try packs.build()
    let old = try packs.files()
    try packs.edit()
    try packs.build()
    let new = try packs.files()
    let content = try packs.content()
    func restore(_ name: String, _ bytes: [UInt8]?) throws {
      let path = packs.path(name)
      try FileManager.default.removeItem(atPath: path)
      if let bytes { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    }
    let west = "out-west.mbtiles"
    switch loss {
    case .oldList: try restore("out.packs.json", old["out.packs.json"])
    case .old:
      for (name, bytes) in old { try restore(name, bytes) }
    case .noList: try restore("out.packs.json", nil)
    case .missing: try restore(west, nil)
    case .flipped:
      var bytes = try #require(new[west])
      bytes[bytes.count / 2] ^= 1
      try restore(west, bytes)
    case .cut: try restore(west, new[west].map { Array($0.dropLast(4096)) })
    }
    let report = try packs.build()
    #expect(report.result == .unchanged)
    #expect(try packs.content() == content)
    try packs.expectWhole()
  }

  @Test("every pack that changes has a delta from its last state")
  func deltas() throws {
    let packs = try PackSample()
    try packs.build(delta: true)
    let old = try packs.files()
    func names() throws -> [String] {
      try packs.sample.folder.names().filter { $0.hasPrefix("out-") && $0.hasSuffix(".delta") }
    }
    #expect(try names() == [])
    try packs.edit()
    try packs.build(delta: true)
    let deltas = try names()
    #expect(deltas.count == 2)
    for stem in ["out-shared", "out-west"] {
      let delta = try #require(deltas.first { $0.hasPrefix("\(stem).") })
      let copy = packs.path("copy.mbtiles")
      try Data(try #require(old["\(stem).mbtiles"])).write(to: URL(fileURLWithPath: copy))
      _ = try PipelineRunner.apply(
        delta: packs.path(delta), archive: copy, scratch: nil, cancellation: Cancellation(),
        progress: { _ in })
      #expect(
        try packs.sample.folder.bytes("copy.mbtiles")
          == packs.sample.folder.bytes("\(stem).mbtiles"))
    }
    // A second step keeps the first, and one delta of each pack takes both.
    try packs.edit(1)
    try packs.build(delta: true)
    #expect(try names().count == 6)
    let before = try packs.statuses()
    try packs.build(delta: true)
    #expect(try packs.statuses() == before && names().count == 6)
    // A run without deltas removes those that lead elsewhere.
    try packs.edit(2)
    try packs.build()
    #expect(try names() == [])
  }

  @Test("a file that is no pack of the archive is not replaced")
  func foreign() throws {
    let packs = try PackSample()
    let other = try BuildSample()
    try other.build()
    try FileManager.default.copyItem(atPath: other.archive, toPath: packs.path("out-west.mbtiles"))
    let error = #expect(throws: PipelineError.self) { try packs.build() }
    #expect(error?.exitCode == 73 && error?.message.contains("out-west.mbtiles") == true)
    #expect(
      try packs.sample.folder.bytes("out-west.mbtiles") == other.folder.bytes("out.mbtiles"))
  }

  @Test("regions that are wrong are refused before anything is published, by 'check' too")
  func wrongRegions() throws {
    let packs = try PackSample(regions: [
      "{\"type\": \"Feature\", \"properties\": {}, \"geometry\": null}"
    ])
    let error = #expect(throws: PipelineError.self) { try packs.build() }
    #expect(error?.exitCode == 65 && error?.place?.line == 2)
    #expect(try !packs.sample.folder.names().contains("out.mbtiles"))
    let found = #expect(throws: PipelineError.self) {
      try PipelineRunner.check(packs.sample.definition(), options: BuildOptions())
    }
    #expect(found == error)
  }

  @Test("packs go when the pipeline has none any more")
  func dropped() throws {
    let packs = try PackSample()
    try packs.build()
    let text = String(decoding: try packs.sample.folder.bytes("sample.yml"), as: UTF8.self)
    try packs.sample.folder.write(
      text.replacing(", packs: {by: regions.geojson, shared: {maxzoom: 3}}", with: ""),
      to: "sample.yml")
    try packs.edit()
    let report = try packs.build()
    #expect(report.packs == nil && report.notes.contains { $0.contains("packs") })
    #expect(
      try !packs.sample.folder.names().contains {
        $0.hasPrefix("out-") || $0.hasSuffix("packs.json")
      })
  }

  @Test("a rollback divides the archive that it restores")
  func rollback() throws {
    let packs = try PackSample(more: ", keepArchives: 1")
    try packs.build()
    let old = try packs.content()
    try packs.edit()
    try packs.build()
    #expect(try packs.content() != old)
    _ = try PipelineRunner.rollback(
      packs.sample.definition(), options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })
    #expect(try packs.content() == old)
    #expect(try packs.union() == packs.tiles("out.mbtiles"))
  }

  private static let refused: [(packs: String, message: String)] = [
    ("packs: {}", "by"), ("packs: {by: 7}", "by"),
    ("packs: {by: 'https://a.b/c.json'}", "local files"),
    ("packs: {by: r.json, shared: {}}", "maxzoom"),
    ("packs: {by: r.json, shared: {maxzoom: 5}}", "Set one from 0 to 4"),
    ("packs: {by: r.json, shared: {minzoom: 5}}", "minzoom"),
    ("packs: {by: r.json, name: [a]}", "name"), ("packs: {by: r.json, nme: a}", "nme"),
  ]

  @Test("the list is signed, its number grows, and inspect and verify know it")
  func signed() throws {
    let packs = try PackSample()
    let key = try #require(try Ed25519.SigningKey(seed: [UInt8](repeating: 7, count: 32)))
    func build() throws { try packs.build(delta: true) { $0.signingKeys = [key] } }
    func verify() throws -> VerificationSummary {
      try PipelineRunner.verify(
        archive: packs.path("out.packs.json"), cancellation: Cancellation(), progress: { _ in })
    }
    try build()
    let first = try packs.list()
    #expect(first.sequence == 1 && first.keys == [key.publicKey])
    let paths = UpdatePaths(packsOf: FilePath(packs.path("out.mbtiles")))
    #expect(try #require(UpdateFile(contentsOf: paths.current)).isSigned(by: first.keys))
    try packs.edit()
    try build()
    #expect(try packs.list().sequence == 2)
    let text = try PipelineRunner.inspect(archive: packs.path("out.packs.json"))
    #expect(text.contains("5 packs") && text.contains(key.publicKey.id))
    #expect(text.contains("out-mid-east.mbtiles"))
    #expect(try verify().faults == [] && verify().conclusion == "sound: 5 archives")
    try packs.sample.folder.write("", to: "out-west.mbtiles")
    #expect(
      try verify().faults == ["out-west.mbtiles: its SHA-256 is not that of the list"])
    let list = String(decoding: try packs.sample.folder.bytes("out.packs.json"), as: UTF8.self)
    try packs.sample.folder.write(
      list.replacing("Mid East", with: "Mid West"), to: "out.packs.json")
    #expect(try verify().faults.contains { $0.contains("signatures") })
    let report = try packs.build { _ in }
    #expect(report.notes.contains { $0.contains("no longer signed") })
  }

  @Test("lists say that compact taps need a newer client", arguments: ["utfgrid", "compact"])
  func client(format: String) throws {
    let packs = try PackSample(
      tiles: "{maxzoom: 5, snap: 1, interactivity: {format: \(format)}}")
    try packs.build(delta: true)
    let wanted = format == "compact" ? UpdateList.blocksClient : 1
    #expect(try packs.list().minimumClient == wanted)
    for file in ["out.mbtiles", "out-west.mbtiles"] {
      let list = UpdatePaths(besides: FilePath(packs.path(file))).list
      #expect(list?.minimumClient == wanted, "\(file)")
    }
  }

  @Test("keys of packs that are wrong are refused with their place", arguments: refused)
  func keys(packs: String, message: String) throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, \(packs)}")
    let error = #expect(throws: PipelineError.self) { try sample.definition() }
    #expect(error?.exitCode == 78 && error?.place?.line ?? 0 > 0)
    #expect(error.map { "\($0)" }?.contains(message) == true, "\(String(describing: error))")
  }
}
