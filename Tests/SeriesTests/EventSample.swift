import Foundation
import Queries
import TestSupport

@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// A pipeline over events of the first ten days of March 2024, in a folder of its own.
struct EventSample {
  struct Event {
    var id: Int
    var day: Int
    var hour: Int

    /// Its row of the table.
    var row: String {
      "\(id),\(id * 37 % 160 - 80),\(id * 23 % 120 - 60),2024-03-\(day < 10 ? "0" : "")\(day)T"
        + "\(hour < 10 ? "0" : "")\(hour):00:00Z"
    }
  }

  let folder: TemporaryFolder
  let events: [Event]
  private let file: String

  /// - Parameters:
  ///   - time: keys of `time` besides the property.
  ///   - more: keys of the source, each with a comma before.
  ///   - events: six events a day by default.
  init(
    _ time: String, more: String = "", events: [Event]? = nil,
    tiles: String = "{minzoom: 0, maxzoom: 1}"
  ) throws {
    folder = try TemporaryFolder()
    self.events = events ?? (0..<60).map { Event(id: $0, day: 1 + $0 % 10, hour: $0 % 24) }
    file = try folder.write(
      """
      version: 1
      name: events
      sources:
        events:
          {type: csv, data: events.csv, id: id, cluster: true, time: {property: when, \(time)}\(more)}
      layers:
        - {id: disc, type: circle, source: events,
           paint: {circle-radius: [case, [has, point_count], 14, 6]}}
      tiles: \(tiles)
      output: {path: events.mbtiles}
      """, to: "events.yml")
    try write(self.events)
  }

  /// Writes the table.
  ///
  /// - Parameter last: rows after those of the events.
  func write(_ events: [Event], last: String = "") throws {
    try folder.write(
      (["id,lng,lat,when"] + events.map(\.row) + (last.isEmpty ? [] : [last])).joined(
        separator: "\n") + "\n", to: "events.csv")
  }

  func definition() throws -> PipelineDefinition {
    try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  @discardableResult
  func build() throws -> BuildReport {
    try PipelineRunner.build(
      definition(), options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })[0]
  }

  /// The files that builds made, by name, with their bytes; not the report, which holds times.
  func outputs() throws -> [String: [UInt8]] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter {
      $0.hasPrefix("events") && $0.contains(".") && !["events.yml", "events.csv"].contains($0)
        && !$0.hasSuffix("report.json")
    }
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try folder.bytes($0)) })
  }

  /// What tests look at of the manifest.
  struct Manifest: Decodable {
    struct Frame: Decodable {
      var time: String
      var duration: Int
      var records: Int
    }
    var every: Int
    var frames: [Frame]
  }

  func manifest() throws -> Manifest {
    try JSONDecoder().decode(Manifest.self, from: Data(folder.bytes("events.frames.json")))
  }

  /// The properties of the features that a query answers.
  func query(
    frame: String? = nil, _ change: (inout QueryOptions) -> Void
  ) throws -> [[String: Any]] {
    var query = QueryOptions()
    change(&query)
    var options = BuildOptions()
    options.frame = frame
    final class Output { var bytes: [UInt8] = [] }
    let output = Output()
    _ = try PipelineRunner.query(
      definition(), query: query, options: options, cancellation: Cancellation(),
      progress: { _ in }
    ) { output.bytes += $0 }
    let answer = try JSONSerialization.jsonObject(with: Data(output.bytes)) as? [String: Any]
    let features = answer?["features"] as? [[String: Any]] ?? []
    return features.map { $0["properties"] as? [String: Any] ?? [:] }
  }

  /// The number of points in the clusters of a frame at a zoom, and beside them.
  func clusters(_ zoom: Int, at frame: String?) throws -> Int {
    try query(frame: frame) { $0.clusterZoom = zoom }.reduce(0) {
      $0 + ($1["point_count"] as? Int ?? 1)
    }
  }
}
