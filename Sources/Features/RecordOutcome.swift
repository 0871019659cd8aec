/// The outcome of a record that was read; the raw value is the key in reports and metadata, and
/// reports have them in this order. Every record that was read has exactly one outcome.
package enum RecordOutcome: String, CaseIterable, Hashable, Sendable {
  case used
  /// Excluded by `filter:` or `where:`.
  case filtered
  case noGeometry
  /// A valid geometry between ±85.0511° latitude, where Web Mercator ends, and a pole.
  case beyondMap
  /// Omitted by `featureLimit:` at every zoom.
  case limited
  /// Invalid; ``RejectReason`` says why.
  case rejected

  /// The heading of its column in human-readable tables.
  package var title: String {
    switch self {
    case .noGeometry: "no geometry"
    case .beyondMap: "beyond the map"
    case .used, .filtered, .limited, .rejected: rawValue
    }
  }

  /// Its label in metrics.
  package var label: String {
    switch self {
    case .noGeometry: "no_geometry"
    case .beyondMap: "beyond_map"
    case .used, .filtered, .limited, .rejected: rawValue
    }
  }

  /// Whether human-readable tables show its column only if records had it.
  package var isRare: Bool { self == .beyondMap }
}

/// A fault of a record that was repaired while it was read; the raw value is the key in reports.
package enum RecordRepair: String, CaseIterable, Hashable, Sendable {
  /// A CSV row with more fields than columns: the last fields were dropped.
  case ignoredFields
  /// A CSV row with more fields than columns: the last fields were joined into the last column.
  case joinedFields
  /// A CSV row with fewer fields than columns: the columns without one are null.
  case missingFields
  /// A polygon with an open ring, whose first position was appended.
  case closedRings

  /// Returns the sentence of a note about a number of records.
  package func sentence(count: Int) -> String {
    let records = count == 1 ? "1 record" : "\(count) records"
    return switch self {
    case .ignoredFields: "\(records) had more fields than columns, and the last were left out"
    case .joinedFields:
      "\(records) had more fields than columns, and the last were joined into the last column"
    case .missingFields: "\(records) had fewer fields than columns, and the rest are null"
    case .closedRings: "\(records) had rings that were not closed, and they were closed"
    }
  }
}
