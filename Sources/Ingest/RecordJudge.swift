package import Features

/// Decides what becomes of each record of a source, and counts it: first the filter, then the
/// geometry, then the id.
///
/// The ingest, `check` and `query` all ask it, so that they agree on every record.
package struct RecordJudge<Geometry: GeometryJudge, Repetitions: RepetitionFinder>
where Repetitions.Geometry == Geometry {
  /// What became of the records so far.
  package private(set) var ledger = SourceLedger()

  /// What looks at the geometries.
  package var geometry: Geometry

  /// What compares the ids.
  package var repetitions: Repetitions

  private let filter: ((FeatureBatch, Int) -> Bool)?
  private let namesFiles: Bool

  /// - Parameters:
  ///   - filter: whether a row of a batch is wanted, asked before anything else; `nil` wants all.
  ///   - namesFiles: whether the example of a rejected record names its file where that is not the
  ///     source's own.
  package init(
    geometry: Geometry, repetitions: Repetitions, filter: ((FeatureBatch, Int) -> Bool)?,
    namesFiles: Bool = true
  ) {
    self.geometry = geometry
    self.repetitions = repetitions
    self.filter = filter
    self.namesFiles = namesFiles
  }

  /// Decides about a row of a batch, and counts it.
  ///
  /// - Throws: ``SourceError`` where the ids cannot be compared any longer.
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
      reject(reason, file(of: batch, row), line: batch.lines[row], message)
      return .rejected
    case .used: break
    }
    switch try repetitions.repetition(of: batch, row, geometry, record: ledger.read) {
    case .unique: break
    case .repeated(let id, let line):
      reject(
        .duplicateKey, file(of: batch, row), line: batch.lines[row],
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

  /// Ends the reading where an id came twice and may not, or more records were rejected than are
  /// tolerated. With a policy, a repeated id is counted and shown, not held against the file.
  ///
  /// - Parameters:
  ///   - read: what the reader itself rejected.
  ///   - tolerance: how many rejected records are tolerated.
  package func checkTolerance(
    with read: SourceLedger, _ tolerance: Int, refusesRepetitions: Bool, file: String
  ) throws(SourceError) {
    if refusesRepetitions, let error = ledger.repetition(file: file) { throw error }
    guard ledger.rejectedTotal + read.rejectedTotal > tolerance else { return }
    if let error = totals(with: read).excess(over: tolerance, file: file) { throw error }
  }

  /// What became of all records, those included that the reader itself rejected.
  package func totals(with read: SourceLedger) -> SourceLedger {
    var totals = ledger
    totals.add(read)
    totals.sortExamples()
    return totals
  }

  private func file(of batch: FeatureBatch, _ row: Int) -> String? {
    namesFiles ? batch.file(row) : nil
  }

  private mutating func reject(
    _ reason: RejectReason, _ file: String?, line: Int, _ message: String
  ) {
    ledger.reject(
      SourceLedger.Example(reason: reason, file: file, line: line, column: 0, message: message),
      as: reason)
  }
}

/// What becomes of a record.
package enum RecordFate: Hashable, Sendable {
  case used, filtered, noGeometry, beyondMap
  /// For its geometry.
  case rejected
  /// For its id, which an earlier record has.
  case repeated
}

/// Looks at the geometry of one record after another.
package protocol GeometryJudge {
  mutating func verdict(on geometry: GeometryColumn, _ row: Int) -> GeometryCheck.Verdict
}

/// Looks at geometries and keeps nothing of them.
package struct UnkeptGeometry: GeometryJudge {
  package init() {}

  package func verdict(on geometry: GeometryColumn, _ row: Int) -> GeometryCheck.Verdict {
    GeometryCheck.verdict(on: geometry, row)
  }
}

/// What the id of a record has to do with those of others.
package enum Repetition: Hashable, Sendable {
  /// No other record has it, or there is none.
  case unique
  /// The record gives way to the one at this line.
  case repeated(id: String, line: Int)
  /// An earlier record, at this line, gives way.
  case replaced(id: String, line: Int)
}

/// Compares the ids of the records that are used so far; `nil` compares none.
package protocol RepetitionFinder {
  associatedtype Geometry: GeometryJudge

  /// Compares a record's id with those of others.
  ///
  /// - Parameters:
  ///   - geometry: what looked at the record last.
  ///   - record: its number among the records that were read, from 1.
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
