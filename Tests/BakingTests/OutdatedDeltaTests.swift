import Foundation
import PipelineSamples
import TestSupport
import Testing

@testable import Definition
@testable import Reports

@Suite("Deltas beside an archive that a build without them replaced")
struct OutdatedDeltaTests {
  @Test("outdated deltas are removed with their list, and kept while they lead to the archive")
  func removed() throws {
    let sample = try BuildSample(output: "{path: out.mbtiles, keepArchives: 2}")
    func move(_ row: Int) throws {
      let text = String(decoding: try sample.folder.bytes("places.csv"), as: UTF8.self)
      try sample.folder.write(text + "\n\(row),\(row),New \(row)", to: "places.csv")
    }
    func names() throws -> [String] {
      try sample.folder.names().filter { $0.contains("delta") || $0.contains("updates") }
    }
    try sample.build()
    // Of an earlier version of the program.
    try sample.folder.write("{}", to: "out.deltas.json")
    try move(1)
    var options = BuildOptions()
    options.writesDeltas = true
    try sample.build(options)
    #expect(try names().count == 2)
    try sample.build()
    #expect(try names().count == 2)
    try move(2)
    let reports = try sample.build()
    #expect(try names() == ["out.updates.json.last"])
    #expect(reports.first?.notes.contains { $0.contains("without --delta") } == true)
    try move(3)
    try sample.build(options)
    #expect(try names().count == 3)
  }
}
