import Files
import Runs
package import Tiling

/// The options of `query`; all conditions must hold.
package struct QueryOptions: Hashable, Sendable {
  /// The names of the sources; empty for all.
  package var sources: [String] = []

  /// The layers of vector tiles; empty for those that the pipeline draws.
  package var tileLayers: [String] = []

  /// The zoom of vector tiles; `nil` for the last one.
  package var tileZoom: Int?

  /// The box that features must touch, its edges included; those without geometry do not touch any.
  /// Longitudes may go beyond ±180.
  package var bounds: GeoBounds?

  /// A condition as CQL2 text; `nil` for all records.
  package var whereText: String?

  /// A MapLibre expression or filter as JSON; `nil` for all records.
  package var filterText: String?

  /// The keys in their text form or plain ids, one of which a feature must have; empty for all.
  package var ids: [String] = []

  /// The maximum number of features; `nil` for all.
  package var limit: Int?

  /// The properties that are written, in this order; `nil` for those that the pipeline selects.
  package var select: [String]?

  /// The properties by which features are ordered; empty for the order of the sources and their
  /// records.
  package var order: [SortRule] = []

  /// The zoom whose clusters are returned instead of the records.
  package var clusterZoom: Int?

  /// Whether only the number of features is written.
  package var countsOnly = false

  package var format = QueryFormat.geojson

  /// The file to write; `nil` for the stream.
  package var output: String?

  /// The time of a GeoPackage's last change, in seconds since 1970; the clock is not read.
  package var changeTime = 0

  package init() {}
}

/// The form of a query's result.
package enum QueryFormat: String, CaseIterable, Hashable, Sendable {
  /// One FeatureCollection.
  case geojson
  /// A Feature on each line.
  case geojsonseq
  case csv
  /// A GeoPackage, which needs a file.
  case gpkg

  /// Refuses the name of a file whose ending is that of another format.
  func requireEnding(of output: String) throws(PipelineError) {
    guard let ending = FileEnding(output), ending.isOfFile, !Self.texts.contains(ending.text) else {
      return
    }
    let meant = Self.endings[ending.text] ?? []
    guard !meant.contains(self) else { return }
    throw PipelineError(
      .usage,
      "'\(output)' ends in .\(ending.text), and the answer is written as \(rawValue). "
        + (meant.first.map { "Say --format \($0.rawValue), or name another file." }
          ?? "Name another file; --format is one of "
          + "\(Self.allCases.map(\.rawValue).joined(separator: ", "))."))
  }

  /// The formats that a file with an ending may hold.
  private static let endings: [String: [QueryFormat]] = [
    "geojson": [.geojson, .geojsonseq], "json": [.geojson, .geojsonseq],
    "geojsonl": [.geojsonseq], "geojsons": [.geojsonseq], "jsonl": [.geojsonseq],
    "ndjson": [.geojsonseq], "csv": [.csv], "gpkg": [.gpkg],
  ]

  /// The endings of files that hold any text.
  private static let texts: Set = ["txt"]
}

/// A property to order by; nulls come last in either direction.
package struct SortRule: Hashable, Sendable {
  package var property: String
  package var isDescending: Bool

  /// Creates a rule from `name`, `name:asc` or `name:desc`; `nil` without a name.
  package init?(_ text: String) {
    isDescending = text.hasSuffix(":desc")
    let isAscending = text.hasSuffix(":asc")
    property = String(text.dropLast(isDescending ? 5 : isAscending ? 4 : 0))
    guard !property.isEmpty else { return nil }
  }
}

/// The summary of a query, for people.
package struct QuerySummary: Hashable, Sendable {
  /// The number of features written or counted.
  package var features = 0

  /// A sentence about each source that was read: the number of its records and their outcomes.
  package var sources: [String] = []

  /// The notes for the user, for example on a property that no record has.
  package var notes: [String] = []
}
