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

  /// The number of records that were read so far; a pass that ends early leaves the rest out.
  var recordCount: Int { judge.ledger.read }

  /// Names of properties that no record so far had, of those in ``init``'s `sought`.
  private(set) var unseen: [String]

  /// Whether the records were read to their end, and there were some or the format knows its
  /// columns without: then what is ``unseen`` is in none.
  private(set) var knowsAll = false

  private var reader: any FeatureReader
  private var judge: RecordJudge<UnkeptGeometry, RepeatedIdentifiers?>

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
    reader = try source.open(wanted: wanted, request)
    geometryColumns = reader.geometryColumns
    let view = RecordView(
      source: number,
      choice: PropertyChoice(
        select: select ?? source.definition.records.select, hidden: reader.geometryColumns),
      idName: source.definition.records.id)
    self.view = view
    let filters = try source.definition.filters().map { RecordFilter($0, on: view) }
    judge = RecordJudge(
      geometry: UnkeptGeometry(), repetitions: repetitions,
      filter: filters.isEmpty ? nil : { _, _ in filters.allSatisfy { $0.matches() } })
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
  var totals: SourceLedger { judge.totals(with: reader.ledger) }

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
        knowsAll = recordCount > 0 || reader.hasSchema
        if reader.hasSchema { unseen.removeAll(where: reader.propertyNames.contains) }
        break
      }
      lookOut(in: batch)
      view.look(at: batch)
      judge.repetitions?.adopt(batch)
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
    // Held once: reading it through the view would copy its columns for each row.
    let batch = view.batch
    for row in 0..<count {
      view.row = row
      switch try judge.decide(batch, row) {
      case .used, .noGeometry: guard try visit() else { return false }
      case .filtered, .beyondMap, .rejected, .repeated: break
      }
    }
    return true
  }

  private func checkTolerance() throws {
    let definition = source.definition
    try judge.checkTolerance(
      with: reader.ledger, definition.records.maxErrors,
      refusesRepetitions: definition.records.onDuplicateID == .error, file: definition.dataName)
  }
}
