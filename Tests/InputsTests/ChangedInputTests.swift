import Features
import Foundation
import PipelineSamples
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Definition
@testable import Reports
@testable import Runs

@Suite("An input that changes during a build")
struct ChangedInputTests {
  enum Change: String, CaseIterable {
    case append, cut, replace, remove

    /// Those that write into the file itself.
    static let inPlace: [Change] = [.append, .cut]

    func act(on folder: TemporaryFolder) throws {
      let path = folder.path("places.csv")
      switch self {
      case .append:
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\n1,2,more".utf8))
        try file.close()
      case .cut: truncate(path, off_t(try folder.bytes("places.csv").count / 2))
      case .replace:
        try folder.write("lng,lat,name\n1,2,other", to: "new.csv")
        rename(folder.path("new.csv"), path)
      case .remove: unlink(path)
      }
    }
  }

  @Test(
    "a build whose input changes ends with 74 and the input's name; the last archive stays",
    arguments: Change.inPlace, ["ingest", "cluster", "tiles"])
  func change(change: Change, stage: String) throws {
    let sample = try BuildSample(rows: 50, tiles: "{maxzoom: 1, snap: 1}")
    _ = try sample.build()
    let old = try sample.folder.bytes("out.mbtiles")
    try Change.append.act(on: sample.folder)
    let error = #expect(throws: PipelineError.self) {
      try sample.build(progress: { event in
        if case .began(stage, _, _) = event { try? change.act(on: sample.folder) }
      })
    }
    #expect(error?.exitCode == 74, "\(String(describing: error))")
    #expect(error?.place?.file.hasSuffix("places.csv") == true)
    #expect(error?.message.hasPrefix("changed while it was read; run again") == true)
    #expect(try sample.folder.bytes("out.mbtiles") == old)
    // Half a row is bad data, which is not to be built.
    guard change == .append else { return }
    // Nothing was cached under the digest of what is no more.
    #expect(try sample.build().map(\.result) == [.published])
    let built = try sample.folder.bytes("out.mbtiles")
    var options = BuildOptions()
    options.noCache = true
    _ = try sample.build(options)
    #expect(try sample.folder.bytes("out.mbtiles") == built)
  }

  @Test(
    "a build whose input loses its name reads the file that it opened, and the next one the new file",
    arguments: [Change.replace, .remove], ["ingest", "cluster", "tiles"])
  func renamed(change: Change, stage: String) throws {
    let sample = try BuildSample(rows: 50, tiles: "{maxzoom: 1, snap: 1}")
    let same = try BuildSample(rows: 50, tiles: "{maxzoom: 1, snap: 1}")
    let reports = try sample.build(progress: { event in
      if case .began(stage, _, _) = event { try? change.act(on: sample.folder) }
    })
    #expect(reports.map(\.result) == [.published])
    _ = try same.build()
    #expect(
      try sample.folder.bytes("out.mbtiles") == same.folder.bytes("out.mbtiles"))
    guard change == .replace else { return }
    let next = try sample.build()
    #expect(next.map(\.result) == [.published] && next[0].sources[0].ledger.read == 1)
    let built = try sample.folder.bytes("out.mbtiles")
    var options = BuildOptions()
    options.noCache = true
    _ = try sample.build(options)
    #expect(try sample.folder.bytes("out.mbtiles") == built)
  }
}
