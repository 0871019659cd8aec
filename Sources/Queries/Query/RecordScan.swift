import Baking
import Definition
import Features
import Ingest
import Inputs
import Runs

/// A pass over the records of a source that its pipeline uses, including those without geometry.
///
/// It filters, checks and counts as the ingest stage does, batch by batch, and stores no record.
final class RecordScan {
  let source: QuerySource
  let view: RecordView

  /// The properties that encode the geometry and are not the record's own.
  let geometryColumns: [String]

  /// The table or layer of the current record, for keys.
  var layer: String { reader.layer }

  /// The number of records read so far; a pass that ends early does not count the rest.
  var recordCount: Int { judge.ledger.read }

  /// The names among `sought` of the initializer that no record so far had as a property.
  private(set) var unseen: [String]

  /// Whether all records were read, and either some exist or the format declares its columns: then
  /// no record has the properties in ``unseen``.
  private(set) var knowsAll = false

  /// The values of the properties that conditions use as numbers, of all records read so far.
  private(set) var numbers: [QuantityRequest: QuantityCensus] = [:]

  private let counted: [QuantityRequest]
  private var reader: any FeatureReader
  private var judge: RecordJudge<UnkeptGeometry, RepeatedIdentifiers?>

  /// Creates a scan and opens the source.
  ///
  /// - Parameters:
  ///   - number: the number of the source in the query.
  ///   - select: the properties to write, `nil` for those of the pipeline.
  ///   - wanted: the properties to read, `nil` for all.
  ///   - sought: the names of properties to look for, see ``unseen``.
  ///   - counted: the properties whose values are counted, see ``numbers``.
  ///   - request: the requirements of the query for the reader.
  ///   - repetitions: the comparison of ids; `nil` if ids are not compared.
  init(
    _ source: QuerySource, number: Int, select: [String]?, wanted: [String]?,
    sought: [String] = [], counted: [QuantityRequest] = [], request: ReadRequest = ReadRequest(),
    repetitions: RepeatedIdentifiers?
  ) throws {
    self.source = source
    unseen = sought
    self.counted = counted
    reader = try source.open(wanted: wanted, request)
    geometryColumns = reader.geometryColumns
    let view = RecordView(
      source: number,
      choice: PropertyChoice(
        select: select ?? source.records.select, hidden: reader.geometryColumns),
      idName: source.records.id)
    self.view = view
    let filters = try source.definition.filters().map { RecordFilter($0, on: view) }
    judge = RecordJudge(
      geometry: UnkeptGeometry(), repetitions: repetitions,
      filter: filters.isEmpty ? nil : { _, _ in filters.allSatisfy { $0.matches() } })
  }

  /// The names of the properties found so far.
  var propertyNames: [String] { reader.propertyNames }

  /// Rejects names that no column of a source with columns has.
  ///
  /// - Throws: ``PipelineError`` with code `usage`.
  func requireSelected(_ names: [String]) throws(PipelineError) {
    // An edit may add a column.
    let changes = source.records.changes
    guard reader.hasSchema, changes.edits == nil else { return }
    let present = reader.propertyNames + geometryColumns
    let missing = names.first { !present.contains($0) && !changes.mayGain($0) }
    guard let missing else { return }
    var known = reader.propertyNames
    if source.canBeReadAgain, let all = try? source.open(wanted: nil, ReadRequest()) {
      known = all.propertyNames
    }
    throw PipelineError.unknownColumn(
      .usage, missing, " in \(source.source.dataName)", known: known)
  }

  /// The number of bytes of the file read so far.
  var bytesRead: Int { reader.bytesRead }

  /// The counts of the records by fate, including those that the reader itself rejected.
  var totals: SourceLedger { judge.totals(with: reader.ledger) }

  /// Calls `visit` for every record that is used, with the record in ``view``, until it returns
  /// `false`.
  ///
  /// - Parameter advance: called before every batch with the bytes read so far.
  /// - Throws: ``SourceError`` as the ingest stage does, and any error of the closures.
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
      numbers.add(batch, counted)
      view.look(at: batch)
      judge.repetitions?.adopt(batch)
      goesOn = try visitRows(count: batch.count, visit)
      view.release()
      try checkTolerance()
    }
    try checkTolerance()
  }

  /// Removes from ``unseen`` the names of properties that a record of the batch has.
  ///
  /// - Complexity: O(names · columns), and O(rows) for each column of a sought name.
  private func lookOut(in batch: FeatureBatch) {
    guard !unseen.isEmpty else { return }
    unseen.removeAll { name in
      batch.columns.contains { $0.name == name && $0.kinds.contains { $0 != .missing } }
    }
  }

  private func visitRows(count: Int, _ visit: () throws -> Bool) throws -> Bool {
    // Read once: reading it through the view would copy its columns for each row.
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
    let records = source.records
    try judge.checkTolerance(
      with: reader.ledger, records.maxErrors,
      refusesRepetitions: records.onDuplicateID == .error, file: source.source.dataName)
  }
}
