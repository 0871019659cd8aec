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
  /// A line or area with an edge of more than 270°, which is drawn the short way: see `LongEdges`.
  case turnedEdges

  /// Returns the sentence of a note about a number of records.
  fileprivate func sentence(count: Int) -> String {
    let records = count == 1 ? "1 record" : "\(count) records"
    return switch self {
    case .turnedEdges:
      "\(records) had edges longer than 270°, and they are drawn the short way, across the antimeridian"

    case .ignoredFields: "\(records) had more fields than columns, and the last were left out"
    case .joinedFields:
      "\(records) had more fields than columns, and the last were joined into the last column"
    case .missingFields: "\(records) had fewer fields than columns, and the rest are null"
    case .closedRings: "\(records) had rings that were not closed, and they were closed"
    }
  }
}

extension SourceLedger {
  /// The sentences of notes about repaired records, without a stop.
  ///
  /// - Parameter file: the name of the source's file.
  package func repairSentences(file: String) -> [String] {
    RecordRepair.allCases.compactMap { repair in
      guard let count = repaired[repair] else { return nil }
      let first = firstRepaired[repair].map {
        " (\(count == 1 ? "it" : "the first") is record \($0.record), \(file):\($0.line)). "
          + "\(repair.advice)"
      }
      return repair.sentence(count: count) + (first ?? "")
    }
  }
}

extension RecordRepair {
  /// The advice for a repair that is not what the file means; empty if there is no doubt.
  package var advice: String {
    switch self {
    case .turnedEdges:
      "RFC 7946 has such edges straight: cut the line or area at ±180° if it crosses the antimeridian, "
        + "and add positions between if it does not"
    case .ignoredFields, .joinedFields, .missingFields, .closedRings: ""
    }
  }
}
