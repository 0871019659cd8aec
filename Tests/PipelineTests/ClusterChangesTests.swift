import Features
import Ingest
import OrderedCollections
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Runs

@Suite("The changes of clusters")
struct ClusterChangesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Builds points, each a pair in its own cell, and returns the lines about changes.
  private func build(_ rows: [String], method: String = "hexagon") throws -> [PropertyValue] {
    let csv = "id,lng,lat,n\n" + rows.map { "\($0)\n" }.joined()
    // A file below the size that is cached is read each time.
    try folder.write(csv + (0..<400).map { "f\($0),0,0,1\n" }.joined(), to: "t.csv")
    let size = method == "radius" ? "" : "clusterCellSize: 32, "
    let file = try folder.write(
      """
      version: 1
      sources:
        p: {type: csv, data: t.csv, id: id, cluster: true, clusterMethod: \(method), \(size)
            clusterMaxZoom: 3, clusterProperties: {most: [max, [get, n]]}}
      layers: [{id: c, type: circle, source: p}]
      tiles: {minzoom: 3, maxzoom: 4}
      output: {path: out.mbtiles, clusterChanges: true}
      """, to: "x.yml")
    _ = try PipelineRunner.build(
      PipelineDefinition(contentsOf: file, environment: { _ in nil }), options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })
    let text = String(decoding: try folder.bytes("out.changes.ndjson"), as: UTF8.self)
    return try text.split(separator: "\n").map { try JSONValueParser.parse(Array($0.utf8)) }
  }

  private func member(_ key: String, of line: PropertyValue?) -> PropertyValue? {
    if case .object(let members)? = line { members[key] } else { nil }
  }

  /// The numbers of the last line: kept, added, changed, removed.
  private func numbers(_ lines: [PropertyValue]) -> [Double?] {
    ["kept", "added", "changed", "removed"].map { member($0, of: lines.last)?.double }
  }

  @Test(
    "are none without an archive, and list each cluster once",
    arguments: ["hexagon", "grid", "radius"])
  func changes(method: String) throws {
    let (a, b) = (["a,10,10,1", "b,10,10,2"], ["c,-60,20,5", "d,-60,20,6"])
    let first = try build(a + b, method: method)
    #expect(member("previous", of: first.first) == .null)
    #expect(first.count == 2 && numbers(first) == [0, 3, 0, 0])

    // One of two goes, a value of the other changes.
    let second = try build(["a,10,10,1", "b,10,10,7"], method: method)
    #expect(member("previous", of: second.first) == member("inputs", of: first.first))
    #expect(numbers(second) == [1, 0, 1, 1])
    let removed = second.first { member("change", of: $0) == .string("removed") }
    let changed = second.first { member("change", of: $0) == .string("changed") }
    #expect(member("point_count", of: changed) == .number(2))

    // It comes back under the same id.
    let third = try build(["a,10,10,1", "b,10,10,7"] + b, method: method)
    let added = third.first { member("change", of: $0) == .string("added") }
    #expect(numbers(third) == [2, 1, 0, 0])
    #expect(member("id", of: added) == member("id", of: removed))
  }
}
