import Files
import Foundation
import Hashing
import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("Updates of a series")
struct SeriesUpdatesTests {
  private let sample: SeriesSample

  init() throws {
    sample = try SeriesSample(hours: [5, 6, 7], source: ", keep: 3")
  }

  @discardableResult
  private func build(
    _ keys: [Ed25519.SigningKey] = [], writesDeltas: Bool = true
  ) throws -> BuildReport {
    var options = BuildOptions()
    options.writesDeltas = writesDeltas
    options.signingKeys = keys
    let reports = try PipelineRunner.build(
      sample.definition(), options: options, cancellation: Cancellation(), progress: { _ in })
    return try #require(reports.first)
  }

  private var paths: UpdatePaths {
    UpdatePaths(besides: FilePath(sample.folder.path("rain.frames.json")))
  }

  private func updates() throws -> SeriesUpdates { try #require(paths.seriesList) }

  private func deltas() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sample.folder.path("rain"))
      .filter { $0.hasSuffix(".delta") }.sorted()
  }

  private static let changed = "2014-01-19T0600Z.mbtiles"

  private func copy(_ name: String, as other: String = "old.mbtiles") throws -> FilePath {
    let path = sample.folder.path(other)
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: sample.folder.path("rain/\(name)"), toPath: path)
    return FilePath(path)
  }

  private func apply(_ delta: UpdateList.Entry, to archive: FilePath) throws {
    _ = try PipelineRunner.apply(
      delta: sample.folder.path("rain/\(delta.file)"), archive: archive.string, scratch: nil,
      cancellation: Cancellation(), progress: { _ in })
  }

  @Test("a series lists its frames; one that is replaced gets a delta, and one that is gone goes")
  func frames() throws {
    let report = try build()
    #expect(report.notes.isEmpty && report.deltas.isEmpty, "\(report.notes)")
    let first = try updates()
    #expect(first.sequence == 1 && first.folder == "rain" && first.files.isEmpty)
    #expect(first.manifest.file == "rain.frames.json")
    let manifest = FilePath(sample.folder.path("rain.frames.json"))
    #expect(try first.manifest.sha256 == FileDigest.sha256(of: manifest))
    for frame in first.frames {
      let path = FilePath(sample.folder.path("rain/\(frame.file)"))
      #expect(try frame.sha256 == FileDigest.sha256(of: path))
      #expect(try frame.bytes == FileStatus.size(of: path))
      #expect(try frame.state == ArchiveReader(path).state)
    }
    let old = try copy(Self.changed)
    // One is replaced, one comes, and so one goes.
    try sample.write(6, SeriesSample.picture(14))
    try sample.write(8)
    let next = try build()
    let second = try updates()
    #expect(second.sequence == 2)
    #expect(second.frames.map(\.file) == ["06", "07", "08"].map { "2014-01-19T\($0)00Z.mbtiles" })
    let delta = try #require(second.deltas[Self.changed]?.first)
    #expect(try second.files == [delta.file] && deltas() == [delta.file])
    #expect(next.deltas.map(\.file) == ["rain/\(delta.file)"])
    try apply(delta, to: old)
    #expect(
      try FileDigest.sha256(of: old) == second.frames.first { $0.file == Self.changed }?.sha256)
    // An unchanged series keeps its list.
    let bytes = try sample.folder.bytes("rain.updates.json")
    try build()
    #expect(try sample.folder.bytes("rain.updates.json") == bytes)
  }

  @Test("a frame that changes again and again has steps and merged deltas")
  func steps() throws {
    try build()
    let old = try copy(Self.changed)
    var last = old
    for hour in 14..<17 {
      last = try copy(Self.changed, as: "last.mbtiles")
      try sample.write(6, SeriesSample.picture(hour))
      try build()
    }
    let list = try #require(try updates().list(of: Self.changed))
    let merged = list.deltas.filter { $0.merged != nil }
    // As many steps as have no more bytes than the frame, and the delta from the last one.
    #expect((1...3).contains(list.deltas.count - merged.count))
    let direct = try #require(list.deltas.first)
    #expect(direct.end == list.archive.state && direct.merged == nil)
    try apply(direct, to: last)
    #expect(try FileDigest.sha256(of: last) == list.archive.sha256)
    for delta in merged where try delta.start == ArchiveReader(old).state {
      try apply(delta, to: old)
      #expect(try FileDigest.sha256(of: old) == list.archive.sha256)
    }
    #expect(try deltas() == updates().files.sorted())
  }

  @Test("the list of a series is signed, and hidden by a build without deltas")
  func signed() throws {
    let key = try #require(try Ed25519.SigningKey(seed: [UInt8](repeating: 3, count: 32)))
    try build([key])
    #expect(try #require(UpdateFile(contentsOf: paths.current)).isSigned(by: [key.publicKey]))
    #expect(try build(writesDeltas: false).notes.isEmpty)
    #expect(paths.seriesList?.sequence == 1)
    try sample.write(6, SeriesSample.picture(14))
    let report = try build(writesDeltas: false)
    #expect(report.notes.contains { $0.contains("without --delta") }, "\(report.notes)")
    #expect(paths.seriesList == nil)
    try sample.write(6, SeriesSample.picture(15))
    try build([key])
    #expect(try updates().sequence == 2 && deltas().count == 1)
  }
}
