package import Tiling

/// What `query` asks for; all conditions must hold.
package struct QueryOptions: Hashable, Sendable {
  /// The names of the sources, empty for all.
  package var sources: [String] = []

  /// Only features that touch this box, its edges included; those without geometry touch none.
  /// Longitudes may go beyond ±180.
  package var bounds: GeoBounds?

  /// CQL2 text, `nil` for all records.
  package var whereText: String?

  /// A MapLibre expression or filter as JSON, `nil` for all records.
  package var filterText: String?

  /// Keys in their text form or plain ids, of which a feature has one; empty for all.
  package var ids: [String] = []

  /// At most so many features, `nil` for all.
  package var limit: Int?

  /// The properties that are written, in this order; `nil` for those that the pipeline selects.
  package var select: [String]?

  /// By what features are ordered; empty for the order of the sources and their records.
  package var order: [SortRule] = []

  /// The clusters of this zoom instead of the records.
  package var clusterZoom: Int?

  /// Whether only the number of features is written.
  package var countsOnly = false

  package var format = QueryFormat.geojson

  /// The file to write, `nil` for the stream.
  package var output: String?

  /// What a GeoPackage says of its last change, in seconds since 1970; no clock is read.
  package var changeTime = 0

  package init() {}
}

/// The form of a query's answer.
package enum QueryFormat: String, CaseIterable, Hashable, Sendable {
  /// One FeatureCollection.
  case geojson
  /// A Feature on each line.
  case geojsonseq
  case csv
  /// A GeoPackage, which needs a file.
  case gpkg
}

/// One property to order by; nulls stand last in either direction.
package struct SortRule: Hashable, Sendable {
  package var property: String
  package var isDescending: Bool

  /// Reads `name`, `name:asc` or `name:desc`; `nil` without a name.
  package init?(_ text: String) {
    isDescending = text.hasSuffix(":desc")
    let isAscending = text.hasSuffix(":asc")
    property = String(text.dropLast(isDescending ? 5 : isAscending ? 4 : 0))
    guard !property.isEmpty else { return nil }
  }
}

/// What a query did, for people.
package struct QuerySummary: Hashable, Sendable {
  /// Features written or counted.
  package var features = 0

  /// A sentence about each source that was read: how many records it has and what became of them.
  package var sources: [String] = []

  /// What the user should know, such as a property that no record has.
  package var notes: [String] = []
}
