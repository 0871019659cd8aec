package import Features

/// The judge of a source's records: decides the fate of each and counts it, by the filter first,
/// then the geometry, then the id.
///
/// The ingest, `check` and `query` all use it, so that they agree on every record.
package struct RecordJudge<Geometry: GeometryJudge, Repetitions: RepetitionFinder>
where Repetitions.Geometry == Geometry {
  /// The counts of the records so far, by fate.
  package private(set) var ledger = SourceLedger()

  /// The judge of the geometries.
  package var geometry: Geometry

  /// The comparison of the ids.
  package var repetitions: Repetitions

  private let filter: ((FeatureBatch, Int) -> Bool)?

  /// - Parameter filter: whether a row of a batch is wanted, called before any other test; `nil`
  ///   wants all.
  package init(
    geometry: Geometry, repetitions: Repetitions, filter: ((FeatureBatch, Int) -> Bool)?
  ) {
    self.geometry = geometry
    self.repetitions = repetitions
    self.filter = filter
  }

  /// Decides the fate of a row of a batch, and counts it.
  ///
  /// - Throws: ``SourceError`` if the ids cannot be compared any longer.
  /// - Complexity: O(positions of the record), and a look-up of its id.
  package mutating func decide(
    _ batch: FeatureBatch, _ row: Int
  ) throws(SourceError) -> RecordFate {
    ledger.read += 1
    if let filter, !filter(batch, row) {
      ledger.filtered += 1
      return .filtered
    }
    switch geometry.verdict(on: batch.geometry, row) {
    case .noGeometry:
      ledger.noGeometry += 1
      return .noGeometry
    case .beyondMap:
      ledger.beyondMap += 1
      return .beyondMap
    case .rejected(let reason, let message):
      reject(reason, batch.file(row), line: batch.lines[row], message)
      return .rejected
    case .used:
      if batch.geometry.hasAmbiguousEdges(row) {
        ledger.repair(
          .turnedEdges, at: SourceLedger.RecordPlace(record: ledger.read, line: batch.lines[row]))
      }
    }
    switch try repetitions.repetition(of: batch, row, geometry, record: ledger.read) {
    case .unique: break
    case .repeated(let id, let line):
      reject(
        .duplicateKey, batch.file(row), line: batch.lines[row],
        SourceError.repetition("id", id, line: line))
      return .repeated
    case .replaced(let id, let line):
      ledger.used -= 1
      reject(
        .duplicateKey, nil, line: line, SourceError.repetition("id", id, line: batch.lines[row]))
    }
    ledger.used += 1
    return .used
  }

  /// Ends the reading if an id occurs twice and must not, or if more records were rejected than are
  /// tolerated. With a policy, a repeated id is counted and shown, but does not count against the
  /// file.
  ///
  /// - Parameters:
  ///   - read: the counts of the records that the reader itself rejected.
  ///   - tolerance: the maximum number of rejected records.
  package func checkTolerance(
    with read: SourceLedger, _ tolerance: RejectTolerance, refusesRepetitions: Bool, file: String
  ) throws(SourceError) {
    if refusesRepetitions, let error = ledger.repetition(file: file) { throw error }
    guard ledger.rejectedTotal + read.rejectedTotal > tolerance.count else { return }
    if let error = totals(with: read).excess(over: tolerance, file: file) { throw error }
  }

  /// Returns the counts of all records, including those that the reader itself rejected.
  package func totals(with read: SourceLedger) -> SourceLedger {
    var totals = ledger
    totals.add(read)
    totals.sortExamples()
    return totals
  }

  private mutating func reject(
    _ reason: RejectReason, _ file: String?, line: Int, _ message: String
  ) {
    ledger.reject(
      SourceLedger.Example(reason: reason, file: file, line: line, column: 0, message: message),
      as: reason)
  }
}

extension RejectReason {
  /// The reasons for which a record is rejected after its reader has delivered it.
  package static let ofJudge: Set = [Self.latitudeOutOfRange, .longitudeOutOfRange, .duplicateKey]
}

/// The fate of a record.
package enum RecordFate: Hashable, Sendable {
  case used, filtered, noGeometry, beyondMap
  /// The record is rejected for its geometry.
  case rejected
  /// The record is not used because an earlier record has its id.
  case repeated
}

/// A judge of the geometries of records, one after another.
package protocol GeometryJudge {
  mutating func verdict(on geometry: GeometryColumn, _ row: Int) -> GeometryCheck.Verdict
}

/// A judge of geometries that keeps none of them.
package struct UnkeptGeometry: GeometryJudge {
  package init() {}

  package func verdict(on geometry: GeometryColumn, _ row: Int) -> GeometryCheck.Verdict {
    GeometryCheck.verdict(on: geometry, row)
  }
}

/// The relation of a record's id to the ids of other records.
package enum Repetition: Hashable, Sendable {
  /// No other record has its id, or the record has none.
  case unique
  /// The record gives way to the one at this line.
  case repeated(id: String, line: Int)
  /// An earlier record, at this line, gives way.
  case replaced(id: String, line: Int)
}

/// A comparison of the ids of the records used so far; `nil` does not compare.
package protocol RepetitionFinder {
  associatedtype Geometry: GeometryJudge

  /// Compares a record's id with the ids of other records.
  ///
  /// - Parameters:
  ///   - geometry: the judge that examined the record last.
  ///   - record: the number of the record among those that were read, from 1.
  mutating func repetition(
    of batch: FeatureBatch, _ row: Int, _ geometry: Geometry, record: Int
  ) throws(SourceError) -> Repetition
}

extension Optional: RepetitionFinder where Wrapped: RepetitionFinder {
  package mutating func repetition(
    of batch: FeatureBatch, _ row: Int, _ geometry: Wrapped.Geometry, record: Int
  ) throws(SourceError) -> Repetition {
    guard self != nil else { return .unique }
    return try self?.repetition(of: batch, row, geometry, record: record) ?? .unique
  }
}
