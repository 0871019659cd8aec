import Foundation
import QuadrilleKit
import TestSupport
import Testing

/// Pipelines drafted from files of data.
@Suite("drafts of QuadrilleKit")
struct DraftTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("name data relative to their own file, say what was chosen, and build")
  func draft() throws {
    let rows = (0..<60).map {
      "\(8 + Double($0) / 50),\(47 + Double($0 % 7) / 9),\($0 * $0),n\($0)"
    }
    try folder.write("lng,lat,beds,name\n\(rows.joined(separator: "\n"))\n", to: "data/stores.csv")
    let file = folder.url.appending(path: "maps/stores.yml")
    let data = folder.url.appending(path: "data/stores.csv")
    let draft = try TilePipeline.draft(from: [data], for: file)
    #expect(draft.url == file && draft.text.contains("../data/stores.csv"))
    #expect(draft.summary.hasPrefix("1 source, "))
    #expect(draft.choices.count == 1 && draft.choices[0].hasPrefix("stores: "))
    var settings = BuildSettings(output: folder.url.appending(path: "stores.mbtiles"))
    settings.maxZoom = 2
    #expect(try draft.pipeline().build(settings).map(\.outcome) == [.published])

    var choices = PipelineDraft.Settings()
    choices.joinsPoints = true
    let refused = #expect(throws: QuadrilleError.self) {
      try TilePipeline.draft(from: [data], for: file, settings: choices)
    }
    #expect(refused?.description.contains("'--lines'") == true)
    let fixes = (10..<60).map { "\(8 + Double($0) / 50),47,\($0 / 20),2026-05-01T10:\($0):00Z" }
    try folder.write("lng,lat,trip,time\n\(fixes.joined(separator: "\n"))\n", to: "data/trips.csv")
    let trips = folder.url.appending(path: "data/trips.csv")
    let lines = try TilePipeline.draft(from: [trips], for: file, settings: choices)
    #expect(lines.text.contains("type: line"))
  }

  @Test("are refused for data that is not there or has nothing to draw")
  func refusals() throws {
    let file = folder.url.appending(path: "a.yml")
    let missing = try #require(throws: QuadrilleError.self) {
      try TilePipeline.draft(from: [folder.url.appending(path: "none.csv")], for: file)
    }
    #expect(missing.code == .missingInput && missing.description.contains("none.csv"))
    let empty = try #require(throws: QuadrilleError.self) {
      try TilePipeline.draft(from: [], for: file)
    }
    #expect(empty.code == .missingInput)
  }
}
