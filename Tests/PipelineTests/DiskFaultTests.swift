import Files
import Foundation
import MBTiles
import PipelineSamples
import Publication
import SystemPackage
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Reuse
@testable import Runs

/// What a run does where the system fails it. The errors themselves are injected in `FaultTests`.
@Suite("A failing system")
struct DiskFaultTests {
  @Test(
    "an unreadable program file is a failure of the disk, not another digest")
  func program() throws {
    // A folder can be opened and not read.
    let error = #expect(throws: PipelineError.self) {
      _ = try ProgramIdentity.digest(of: "/").get()
    }
    #expect(error?.exitCode == 74 && error?.place?.file == "/")
    #expect(try ProgramIdentity.digest(of: "/no/such/program").get() == nil)
    #expect(try ProgramIdentity.sha256()?.count == 64)
  }

  @Test("a missing command line is an error, not a successful help")
  func commandLine() throws {
    let error = #expect(throws: PipelineError.self) { try ReceivedArguments.check([]) }
    #expect(error?.exitCode == 74)
    try ReceivedArguments.check(["quadrille"])
  }

  @Test("a system error worded by Foundation is not a bug of the program")
  func foundation() {
    let failure = CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: "a/b"])
    #expect(PipelineError(wrapping: failure).exitCode == 74)
    #expect(PipelineError(wrapping: POSIXError(.EACCES)).exitCode == 77)
    #expect(PipelineError(wrapping: POSIXError(.EROFS)).exitCode == 73)
  }

  #if os(Linux)
    @Test("a rollback does not take unreadable sidecars for another archive's")
    func unreadableSidecar() throws {
      let sample = try KeptSample()
      let tiles = sample.path("out.tilejson")
      let good = try sample.bytes("out.tilejson")
      try FileManager.default.removeItem(atPath: tiles)
      // Opening it goes well, reading it fails with EIO.
      try FileManager.default.createSymbolicLink(
        atPath: tiles, withDestinationPath: "/proc/self/mem")
      let archive = try sample.bytes("out.mbtiles")
      let error = #expect(throws: PipelineError.self) { try sample.rollback() }
      #expect(error?.exitCode == 74 && error?.message.contains("out.tilejson") == true)
      #expect(try sample.bytes("out.mbtiles") == archive)
      try FileManager.default.removeItem(atPath: tiles)
      try Data(good).write(to: URL(fileURLWithPath: tiles))
      try sample.rollback()
      #expect(try sample.bytes("out.tilejson.bad") == good)
      #expect(try sample.names().contains("out.style.json"))
    }
  #endif
}

/// What a run finds that was killed between an archive and what belongs to it.
@Suite("After a run that was killed")
struct KilledRunTests {
  @Test("a report of the previous archive is not kept with another after a killed run")
  func outdatedReport() throws {
    let sample = try KeptSample()
    // As a build leaves it that dies behind its archive.
    for name in ["out.report.json", "out.tilejson", "out.style.json"] {
      try Data(sample.bytes(name + ".1")).write(to: URL(fileURLWithPath: sample.path(name)))
    }
    try sample.move(by: 5)
    try sample.build()
    let names = try sample.names()
    #expect(names.contains("out.mbtiles.1") && names.contains("out.mbtiles.2"))
    let fresh = ["out.report.json.1", "out.tilejson.1", "out.legend.png.1"]
    #expect(!names.contains { fresh.contains($0) }, "\(names)")
    try sample.expectReports()
  }

  @Test("kept reports follow their archives even if the next build publishes nothing")
  func movedArchive() throws {
    let sample = try KeptSample()
    try FileManager.default.moveItem(
      atPath: sample.path("out.mbtiles.1"), toPath: sample.path("out.mbtiles.2"))
    #expect(try sample.build()[0].result == .unchanged)
    #expect(try sample.names().contains("out.report.json.2"))
    try sample.expectReports()
  }

  @Test("the list of deltas that a rollback had put aside is written by the next build")
  func owedDeltas() throws {
    let sample = try KeptSample(writesDeltas: true)
    let before = try sample.bytes("out.updates.json")
    try sample.rollback()
    let after = try sample.bytes("out.updates.json")
    #expect(after != before)
    // As it is behind the archive and before the deltas.
    for name in try sample.names() where name.hasSuffix(".delta") || name == "out.updates.json" {
      try FileManager.default.removeItem(atPath: sample.path(name))
    }
    try Data(before).write(to: URL(fileURLWithPath: sample.path("out.updates.json.0")))
    try sample.move(by: 0)
    #expect(try sample.build(writesDeltas: false)[0].result == .unchanged)
    #expect(try sample.bytes("out.updates.json") == after)
    #expect(try !sample.names().contains("out.updates.json.0"))
  }

  @Test("the list of deltas is also written by a build that the rollback holds back")
  func owedDeltasOfHeld() throws {
    let sample = try KeptSample(writesDeltas: true)
    let before = try sample.bytes("out.updates.json")
    try sample.rollback()
    let after = try sample.bytes("out.updates.json")
    try FileManager.default.removeItem(atPath: sample.path("out.updates.json"))
    try Data(before).write(to: URL(fileURLWithPath: sample.path("out.updates.json.0")))
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.message.contains("--accept-changes") == true)
    #expect(try sample.bytes("out.updates.json") == after)
    #expect(try !sample.names().contains("out.updates.json.0"))
  }

  @Test("the list of deltas gets its name back if the rollback did not reach the archive")
  func withheldDeltas() throws {
    let sample = try KeptSample(writesDeltas: true)
    let before = try sample.bytes("out.updates.json")
    try FileManager.default.moveItem(
      atPath: sample.path("out.updates.json"), toPath: sample.path("out.updates.json.0"))
    #expect(try sample.build(writesDeltas: false)[0].result == .unchanged)
    #expect(try sample.bytes("out.updates.json") == before)
    #expect(try !sample.names().contains("out.updates.json.0"))
  }

  @Test("a set-aside list of deltas is removed with its deltas if a build makes none")
  func outdatedDeltas() throws {
    let sample = try KeptSample(writesDeltas: true)
    try FileManager.default.moveItem(
      atPath: sample.path("out.updates.json"), toPath: sample.path("out.updates.json.0"))
    try sample.move(by: 5)
    #expect(try sample.build(writesDeltas: false)[0].result == .published)
    #expect(try !sample.names().contains { $0.contains("delta") || $0.contains("updates.json.0") })
    #expect(try !sample.names().contains("out.updates.json"))
  }
}

/// Two archives, one of them kept.
private struct KeptSample {
  private let sample: BuildSample
  private let rows: [UInt8]

  init(writesDeltas: Bool = false) throws {
    sample = try BuildSample(
      rows: 20, tiles: "{maxzoom: 2}", output: "{path: out.mbtiles, keepArchives: 3}")
    rows = try sample.folder.bytes("places.csv")
    try build(writesDeltas: writesDeltas)
    try move(by: 1)
    try build(writesDeltas: writesDeltas)
  }

  @discardableResult
  func build(writesDeltas: Bool = false) throws -> [BuildReport] {
    var options = BuildOptions()
    options.writesDeltas = writesDeltas
    return try sample.build(options)
  }

  @discardableResult
  func rollback() throws -> [RollbackSummary] {
    try PipelineRunner.rollback(
      sample.definition(), options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in })
  }

  /// Adds a row somewhere else; 0 takes it away.
  func move(by degrees: Int) throws {
    let row = degrees == 0 ? "" : "\n\(degrees * 9),\(degrees * 7),New"
    try sample.folder.write(String(decoding: rows, as: UTF8.self) + row, to: "places.csv")
  }

  func path(_ name: String) -> String { sample.folder.path(name) }

  func bytes(_ name: String) throws -> [UInt8] { try sample.folder.bytes(name) }

  func names() throws -> [String] { try sample.folder.names() }

  /// Expects that each report tells of the archive of its number.
  func expectReports() throws {
    for name in try names() where name.hasPrefix("out.report.json") {
      let archive = name.replacing("report.json", with: "mbtiles")
      let digest = try #require(
        try ArchiveReader(FilePath(path(archive))).metadata[ArchiveMetadata.digestKey])
      #expect(String(decoding: try bytes(name), as: UTF8.self).contains(digest), "\(name)")
    }
  }
}
