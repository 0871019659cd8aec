import Columns
import Foundation
import TestSupport

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// Pipelines whose columns are few kilobytes, for runs that have less memory than that.
struct MemorySample {
  enum Kind: String, CaseIterable {
    case grid, radius, multiPoints, heat, limited, shapes
  }

  let folder: TemporaryFolder
  let kind: Kind
  private let file: String

  init(_ kind: Kind, rows: Int = 700) throws {
    self.kind = kind
    folder = try TemporaryFolder()
    try Self.write(rows: rows, seed: 8, to: folder)
    file = try folder.write(Self.pipeline(kind), to: "sample.yml")
  }

  /// Writes the inputs; another seed changes a few records.
  static func write(rows: Int, seed: UInt64, to folder: TemporaryFolder) throws {
    var random = SplitMix64(seed: 8)
    var other = SplitMix64(seed: seed)
    var csv = "id,lng,lat,name,rooms,kind\n"
    var json: [String] = []
    for row in 0..<rows {
      // Some points coincide, and some cells hold many.
      let lng = Double(random.below(36_000)) / 100 - 180
      let lat = Double(random.below(14_000)) / 100 - 70
      let isClose = row % 3 == 0
      let (x, y) = isClose ? (13 + lng / 1_000, 52 + lat / 1_000) : (lng, lat)
      let rooms = row % 100 == 7 ? other.below(90) : random.below(90)
      csv += "h\(row),\(x),\(y),Place \(row % 97),\(rooms),\(row % 5)\n"
      let positions = (0..<1 + row % 3).map { "[\(x + Double($0)),\(y)]" }
      json.append(
        "{\"type\": \"Feature\", \"id\": \(row), \"properties\": {\"rooms\": \(rooms)}, \"geometry\": "
          + "{\"type\": \"MultiPoint\", \"coordinates\": [\(positions.joined(separator: ","))]}}")
    }
    try folder.write(csv, to: "places.csv")
    try folder.write("kind,colour\n0,#f00\n1,#0f0\n2,#00f\n3,#888\n", to: "kinds.csv")
    try folder.write(json.joined(separator: "\n"), to: "points.ndjson")
    let squares = (0..<60).map { row -> String in
      let (x, y) = (Double(random.below(300)) - 150, Double(random.below(120)) - 60)
      let ring = [(0, 0), (0, 9), (9, 9), (9, 0), (0, 0)].map { "[\(x + $0.0),\(y + $0.1)]" }
      return "{\"type\": \"Feature\", \"properties\": {\"n\": \(row)}, \"geometry\": {\"type\": "
        + "\"Polygon\", \"coordinates\": [[\(ring.joined(separator: ","))]]}}"
    }
    try folder.write(squares.joined(separator: "\n"), to: "squares.ndjson")
  }

  private static func pipeline(_ kind: Kind) -> String {
    let csv = "type: csv, data: places.csv"
    let disc = "{id: disc, type: circle, source: s, paint: {circle-radius: 5}}"
    let label =
      "{id: label, type: symbol, source: s, layout: {text-field: [to-string, [get, rooms]]}}"
    let (source, layers, tiles): (String, [String], String) =
      switch kind {
      case .grid:
        (
          """
          {\(csv), id: id, cluster: true, clusterMaxZoom: 2, \
          clusterProperties: {rooms: ["+", [get, rooms]]}, \
          join: {data: kinds.csv, on: kind}}
          """,
          [
            "{id: disc, type: circle, source: s, paint: {circle-radius: [case, [has, point_count], 9, "
              + "4], circle-color: [coalesce, [get, colour], '#444']}}", label,
          ], "{maxzoom: 4, interactivity: {fields: [name, rooms, point_count]}}"
        )
      case .radius:
        (
          "{\(csv), cluster: true, clusterMethod: radius, clusterMaxZoom: 2, "
            + "clusterProperties: {rooms: [max, [get, rooms]]}}",
          [disc, label], "{maxzoom: 3, interactivity: {format: compact, fields: [rooms]}}"
        )
      case .multiPoints: ("{type: geojsonseq, data: points.ndjson}", [disc], "{maxzoom: 3}")
      case .heat:
        (
          "{\(csv)}",
          [
            "{id: heat, type: heatmap, source: s, paint: {heatmap-radius: 9, heatmap-weight: [get, "
              + "rooms]}}"
          ], "{maxzoom: 2}"
        )
      case .limited:
        (
          "{\(csv), featureLimit: {perTile: 20, orderBy: [rooms, desc]}}",
          [disc, label], "{maxzoom: 3, scale: [1, 2]}"
        )
      case .shapes:
        (
          "{type: geojsonseq, data: squares.ndjson}",
          [
            "{id: area, type: fill, source: s, paint: {fill-color: '#9cf'}}",
            "{id: disc, type: circle, source: s, paint: {circle-radius: 2}}",
          ], "{maxzoom: 2}"
        )
      }
    return """
      version: 1
      name: sample
      sources:
        s: \(source)
      layers:
      \(layers.map { "  - \($0)" }.joined(separator: "\n"))
      tiles: \(tiles)
      output: {path: out.mbtiles}
      """
  }

  /// A ceiling under which columns lie in files, and are sorted and gathered in parts.
  static func ceiling(columns: Int, work: Int) -> MemoryCeiling {
    var limits = Scratch.Limits(columns: columns, work: work)
    limits.smallest = 256
    return MemoryCeiling(limits: limits)
  }

  /// Bakes the pipeline and returns the bytes of its archives.
  ///
  /// - Parameter scratch: the folder of temporary files; one beside the archive unless given.
  @discardableResult
  func build(
    _ memory: MemoryCeiling?, threads: Int = 1, to name: String = "out.mbtiles",
    cached: Bool = false, scratch: String? = nil
  ) throws -> [[UInt8]] {
    var options = BuildOptions()
    options.memory = memory
    options.threads = threads
    options.noCache = !cached
    options.force = !cached
    options.output = folder.path(name)
    options.temporaryFolder = scratch ?? folder.path("scratch")
    if scratch == nil {
      try FileManager.default.createDirectory(
        atPath: folder.path("scratch"), withIntermediateDirectories: true)
    }
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let reports = try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })
    return try reports.map { [UInt8](try Data(contentsOf: URL(filePath: $0.archive.path))) }
  }
}
