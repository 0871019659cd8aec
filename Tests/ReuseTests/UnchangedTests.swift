import Foundation
import PipelineSamples
import Platform
import TestSupport
import Testing

@testable import Archives
@testable import Definition
@testable import Reports
@testable import Reuse

@Suite("An archive whose inputs are the same")
struct UnchangedTests {
  private func sample() throws -> BuildSample {
    let sample = try BuildSample(rows: 30, tiles: "{maxzoom: 1, snap: 1}")
    #expect(try sample.build().map(\.result) == [.published])
    return sample
  }

  private func flip(_ name: String, in folder: TemporaryFolder, at offset: Int) throws {
    var bytes = try folder.bytes(name)
    bytes[offset] ^= 0x10
    // In place: the inode stays.
    let file = try FileHandle(forWritingTo: folder.url.appendingPathComponent(name))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  @Test("an archive with unchanged inputs is kept, without reading it")
  func unchanged() throws {
    let sample = try sample()
    let archive = sample.folder.path("out.mbtiles")
    let before = try InputStatus(path: archive)
    for _ in 0..<2 {
      let report = try #require(try sample.build().first)
      #expect(report.result == .unchanged && report.notes.isEmpty)
      #expect(report.archive.sha256 == (try InputDigests().sha256(of: archive)))
    }
    #expect(try InputStatus(path: archive) == before)
  }

  @Test(
    "an archive is kept when only its times or its inode changed",
    arguments: ["touch", "copy", "link"])
  func moved(how: String) throws {
    let sample = try sample()
    let archive = sample.folder.path("out.mbtiles")
    switch how {
    case "touch": utimes(archive, nil)
    case "copy":
      try FileManager.default.copyItem(atPath: archive, toPath: sample.folder.path("copy"))
      rename(sample.folder.path("copy"), archive)
    default: link(archive, sample.folder.path("copy"))
    }
    let report = try #require(try sample.build().first)
    #expect(report.result == .unchanged && report.notes.isEmpty)
  }

  /// What tells that the archive is whole.
  enum Witness: String, CaseIterable {
    case record, report, nothing

    func remove(from folder: TemporaryFolder) throws {
      guard self != .record else { return }
      try FileManager.default.removeItem(atPath: folder.path(".quadrille-cache"))
      if self == .nothing { unlink(folder.path("out.report.json")) }
    }
  }

  @Test("an archive with a flipped byte is found damaged and rebuilt", arguments: Witness.allCases)
  func flipped(witness: Witness) throws {
    let sample = try sample()
    let good = try sample.folder.bytes("out.mbtiles")
    // Of each page one: its head, where rows lie, its end.
    for (page, offset) in zip(1..<(good.count / 4096), [0, 5, 4000, 4095].cycled()) {
      try flip("out.mbtiles", in: sample.folder, at: page * 4096 + offset)
      try witness.remove(from: sample.folder)
      let report = try #require(try sample.build().first)
      // Nobody but a SHA-256 of the file notices bytes that SQLite does not use.
      if witness == .nothing, report.result == .unchanged { continue }
      #expect(report.result == .published, "page \(page)")
      #expect(try sample.folder.bytes("out.mbtiles") == good)
    }
  }

  @Test("a damaged archive is found even with its old times, and reported")
  func disguised() throws {
    let sample = try sample()
    let archive = sample.folder.path("out.mbtiles")
    let before = try InputStatus(path: archive)
    try flip("out.mbtiles", in: sample.folder, at: 9000)
    let (seconds, rest) = before.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    var times = [
      timespec(tv_sec: Int(seconds), tv_nsec: Int(rest)),
      timespec(tv_sec: Int(seconds), tv_nsec: Int(rest)),
    ]
    utimensat(AT_FDCWD, archive, &times, 0)
    #expect(try InputStatus(path: archive).isContent(of: before))
    let report = try #require(try sample.build().first)
    #expect(report.result == .published)
    #expect(report.notes.first?.contains("out.mbtiles was damaged and is built again") == true)
  }

  @Test("an archive gets its report again when that is missing, damaged or of another archive")
  func report() throws {
    let sample = try sample()
    let reports = ["", "{", "{\"archive\": {\"sha256\": \"0\", \"digest\": \"0\"}}"]
    for text in reports {
      try sample.folder.write(text, to: "out.report.json")
      if text.isEmpty { unlink(sample.folder.path("out.report.json")) }
      let report = try #require(try sample.build().first)
      #expect(report.result == .unchanged && report.notes.count == 1)
      let written = ArchiveReportFile(besideArchive: sample.folder.path("out.mbtiles"))
      #expect(written?.sha256 == report.archive.sha256)
      #expect(try sample.build().first?.notes == [])
    }
  }

  @Test("an archive kept by trusting file times is reported as such")
  func trusted() throws {
    let sample = try sample()
    var times = [timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0)]
    utimes(sample.folder.path("places.csv"), &times)
    var options = BuildOptions()
    options.trustsFileTimes = true
    let early = try sample.build(options).first
    #expect(early?.result == .unchanged)
    #expect(early?.notes.contains { $0.contains("--trust-mtime") } == false)
    // Its ctime is of now: only after a step of the coarsest clock its times can tell.
    usleep(UInt32(InputStatus.coarseStep / 1000) + 100_000)
    for isTrusted in [false, true] {
      let report = try sample.build(options).first
      #expect(report?.result == .unchanged)
      #expect(report?.notes.contains { $0.contains("--trust-mtime") } == isTrusted)
    }
    #expect(try sample.build().first?.notes == [])
    try sample.folder.write("lng,lat,name\n1,2,x", to: "places.csv")
    #expect(try sample.build(options).first?.result == .published)
  }
}

extension Sequence {
  /// The elements again and again.
  fileprivate func cycled() -> some Sequence<Element> {
    sequence(state: Array(self)) { rest -> Element? in
      guard let first = rest.first else { return nil }
      rest = Array(rest.dropFirst()) + [first]
      return first
    }
  }
}
