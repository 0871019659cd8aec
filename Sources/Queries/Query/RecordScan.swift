import Baking
import Definition
import Features
import Ingest
import Runs

/// One pass over the records of a source that its pipeline uses, those without geometry included.
///
/// It filters, checks and counts as the ingest stage does, batch by batch, and keeps no record.
final class RecordScan {
  let source: QuerySource
  let view: RecordView

  /// Properties that spell the geometry and are none of the record's own.
  let geometryColumns: [String]

  /// The table or layer of the record that is shown, for keys.
  var layer: String { reader.layer }

  /// What became of the records so far; a pass that ends early leaves the rest uncounted.
  private(set) var ledger = SourceLedger()

  /// Names of properties that no record so far had, of those in ``init``'s `sought`.
  private(set) var unseen: [String]

  /// Whether the records were read to their end, and there were some or the format knows its
  /// columns without: then what is ``unseen`` is in none.
  private(set) var knowsAll = false

  private var reader: any FeatureReader
  private let filters: [RecordFilter]
  private var repetitions: RepeatedIdentifiers?

  /// Opens the source.
  ///
  /// - Parameters:
  ///   - number: its number among the query's sources.
  ///   - select: the properties to write, `nil` for those of the pipeline.
  ///   - wanted: the properties to read, `nil` for all.
  ///   - sought: names of properties to look out for, see ``unseen``.
  ///   - request: what the query asks of the reader.
  ///   - repetitions: finds repeated ids; `nil` where ids are not compared.
  init(
    _ source: QuerySource, number: Int, select: [String]?, wanted: [String]?,
    sought: [String] = [], request: ReadRequest = ReadRequest(),
    repetitions: RepeatedIdentifiers?
  ) throws {
    self.source = source
    unseen = sought
    self.repetitions = repetitions
    reader = try source.open(wanted: wanted, request)
    geometryColumns = reader.geometryColumns
    let view = RecordView(
      source: number,
      choice: PropertyChoice(
        select: select ?? source.definition.records.select, hidden: reader.geometryColumns),
      idName: source.definition.records.id)
    self.view = view
    filters = try source.definition.filters().map { RecordFilter($0, on: view) }
  }

  /// The names of the properties that were seen so far.
  var propertyNames: [String] { reader.propertyNames }

  /// Refuses names that no column of a source with columns has.
  ///
  /// - Throws: ``PipelineError`` with code `usage`.
  func requireSelected(_ names: [String]) throws(PipelineError) {
    let definition = source.definition
    // An edit may bring a column of its own.
    guard reader.hasSchema, definition.records.changes.edits == nil else { return }
    let present = reader.propertyNames + geometryColumns
    let missing = names.first { !present.contains($0) && !definition.records.changes.mayGain($0) }
    guard let missing else { return }
    var known = reader.propertyNames
    if source.canBeReadAgain, let all = try? source.open(wanted: nil, ReadRequest()) {
      known = all.propertyNames
    }
    throw PipelineError.unknownColumn(
      .usage, missing, " in \(definition.dataName)", known: known)
  }

  /// Bytes of the file read so far.
  var bytesRead: Int { reader.bytesRead }

  /// What became of the records, those that the reader itself refused included.
  var totals: SourceLedger {
    var totals = ledger
    totals.add(reader.ledger)
    totals.sortExamples()
    return totals
  }

  /// Shows every record that is used to `visit` through ``view``, until that says `false`.
  ///
  /// - Parameter advance: called before every batch with the bytes read so far.
  /// - Throws: ``SourceError`` as the ingest stage does, and what the closures throw.
  func run(advance: (Int) throws -> Void, _ visit: () throws -> Bool) throws {
    var batch = FeatureBatch()
    var goesOn = true
    while goesOn {
      try advance(reader.bytesRead)
      guard try reader.read(into: &batch) else {
        knowsAll = ledger.read > 0 || reader.hasSchema
        if reader.hasSchema { unseen.removeAll(where: reader.propertyNames.contains) }
        break
      }
      lookOut(in: batch)
      view.look(at: batch)
      repetitions?.adopt(batch)
      goesOn = try visitRows(count: batch.count, visit)
      view.release()
      try checkTolerance()
    }
    try checkTolerance()
  }

  /// Crosses out the names that a record of the batch has.
  ///
  /// - Complexity: O(names · columns), and O(rows) for each column that comes to be known.
  private func lookOut(in batch: FeatureBatch) {
    guard !unseen.isEmpty else { return }
    unseen.removeAll { name in
      batch.columns.contains { $0.name == name && $0.kinds.contains { $0 != .missing } }
    }
  }

  private func visitRows(count: Int, _ visit: () throws -> Bool) throws -> Bool {
    // Held once: reading it through the view would copy the column, with its counts, for each row.
    let geometry = view.batch.geometry
    for row in 0..<count {
      view.row = row
      ledger.read += 1
      guard filters.allSatisfy({ $0.matches() }) else {
        ledger.filtered += 1
        continue
      }
      guard isUsed(row, geometry) else { continue }
      guard try visit() else { return false }
    }
    return true
  }

  /// Whether the row may be written; counts it either way.
  private func isUsed(_ row: Int, _ geometry: GeometryColumn) -> Bool {
    switch GeometryCheck.verdict(on: geometry, row) {
    case .rejected(let reason, let message):
      reject(reason, row, message)
      return false
    case .noGeometry: ledger.noGeometry += 1
    case .beyondMap:
      ledger.beyondMap += 1
      return false
    case .used:
      if let other = repetitions?.holder(of: view.batch, row, record: ledger.read) {
        let id = repetitions?.text(view.batch, row) ?? ""
        reject(.duplicateKey, row, "the id '\(id)' is also that of line \(other)")
        return false
      }
      ledger.used += 1
    }
    return true
  }

  private func reject(_ reason: RejectReason, _ row: Int, _ message: String) {
    ledger.reject(
      SourceLedger.Example(
        reason: reason, file: view.batch.file(row), line: view.batch.lines[row], column: 0,
        message: message), as: reason)
  }

  private func checkTolerance() throws {
    let definition = source.definition
    if definition.records.onDuplicateID == .error,
      let error = ledger.repetition(file: definition.dataName)
    {
      throw error
    }
    guard ledger.rejectedTotal + reader.ledger.rejectedTotal > definition.records.maxErrors,
      let error = totals.excess(over: definition.records.maxErrors, file: definition.dataName)
    else { return }
    throw error
  }
}
