/// The outcome of a record that was read; the raw value is the key in reports and metadata, the
/// order that of reports. Every record that was read has exactly one outcome.
package enum RecordOutcome: String, CaseIterable, Hashable, Sendable {
  case used
  /// Turned away by `filter:` or `where:`.
  case filtered
  case noGeometry
  /// A sound geometry between ±85.0511° latitude, where Web Mercator ends, and a pole.
  case beyondMap
  /// Left out by `featureLimit:` at every zoom.
  case limited
  /// Broken; ``RejectReason`` says how.
  case rejected

  /// The heading of its column in tables for people.
  package var title: String {
    switch self {
    case .noGeometry: "no geometry"
    case .beyondMap: "beyond the map"
    case .used, .filtered, .limited, .rejected: rawValue
    }
  }

  /// Its name in metrics.
  package var label: String {
    switch self {
    case .noGeometry: "no_geometry"
    case .beyondMap: "beyond_map"
    case .used, .filtered, .limited, .rejected: rawValue
    }
  }

  /// Whether tables for people have its column only where records had it.
  package var isRare: Bool { self == .beyondMap }
}

/// A fault of a record that was put right while it was read; the raw value is the key in reports.
package enum RecordRepair: String, CaseIterable, Hashable, Sendable {
  /// A CSV row of more fields than columns: the last fields were left out.
  case ignoredFields
  /// A CSV row of more fields than columns: the last fields went into the last column.
  case joinedFields
  /// A CSV row of fewer fields than columns: the columns without one are null.
  case missingFields
  /// A polygon with a ring whose last position is not its first: the first was added.
  case closedRings

  /// The sentence of a note about so many records.
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
