import Definition
import Features
import Ingest
import Inputs
import Reuse
import Runs

/// A pass over the records of a source that its pipeline uses, including those without geometry.
///
/// It filters, checks and counts as the ingest stage does, batch by batch, and stores no record.
/// With a guide it reads only some of the records, and has the counts of a pass over all.
final class RecordScan {
  let source: QuerySource
  let view: RecordView

  /// The properties that encode the geometry and are not the record's own.
  let geometryColumns: [String]

  /// The table or layer of the current record, for keys.
  var layer: String { source.source.layerName ?? reader.layer }

  /// The part of the file that has the current record, such as a tile; `nil` if a line number says
  /// it.
  var part: String? { reader.part(ofRow: view.row) }

  /// The number of records read so far; a pass that ends early does not count the rest.
  var recordCount: Int { judge.ledger.read }

  /// The names among `sought` of the initializer that no record so far had as a property.
  private(set) var unseen: [String]

  /// Whether all records were read, and either some exist or the format declares its columns: then
  /// no record has the properties in ``unseen``.
  private(set) var knowsAll = false

  /// The values of the properties that conditions use as numbers, of all records read so far.
  private(set) var numbers: [QuantityRequest: QuantityCensus] = [:]

  /// Whether all records were read, or passed over by the guide.
  private(set) var isAtEnd = false

  private let counted: [QuantityRequest]
  private let guide: PlaceGuide?
  private let recorder: PlaceRecorder?
  /// The number of records that were read by the guide.
  private var guided = 0
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
  ///   - guide: the records that are read; `nil` for all.
  ///   - recorder: receives the places of the records.
  ///   - repetitions: the comparison of ids; `nil` if ids are not compared.
  init(
    _ source: QuerySource, number: Int, select: [String]?, wanted: [String]?,
    sought: [String] = [], counted: [QuantityRequest] = [], request: ReadRequest = ReadRequest(),
    guide: PlaceGuide? = nil, recorder: PlaceRecorder? = nil, repetitions: RepeatedIdentifiers?
  ) throws {
    self.source = source
    unseen = sought
    self.counted = counted
    self.guide = guide
    self.recorder = recorder
    var request = request
    request.locates = recorder != nil
    request.located = guide?.located
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
  var propertyNames: [String] {
    guard let guide, !reader.hasSchema else { return reader.propertyNames }
    return guide.counts(upTo: last).names
  }

  /// The identifier of the current record, if the guide knows that an earlier one has its id.
  var repeatedIdentifier: String? { guide?.identifier(guided - 1) }

  /// The number of the record with which a guided pass has ended early; `nil` at the end.
  private var last: Int? { isAtEnd || guided == 0 ? nil : guided - 1 }

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
  var totals: SourceLedger {
    guide?.counts(upTo: last).ledger ?? judge.totals(with: reader.ledger)
  }

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
        try finish()
        break
      }
      lookOut(in: batch)
      if guide == nil { numbers.add(batch, counted) }
      recorder?.begin(batch)
      view.look(at: batch)
      judge.repetitions?.adopt(batch)
      goesOn = try visitRows(count: batch.count, visit)
      view.release()
      recorder?.end(reader, delivered: judge.ledger.read)
      try checkTolerance()
    }
    try checkTolerance()
  }

  /// Notes that all records were read.
  private func finish() throws {
    isAtEnd = true
    if let guide {
      guard guided == guide.count else { throw SourceError.moved(source.source.dataName) }
      unseen.removeAll(where: guide.places.found.contains)
      numbers = guide.places.ledger.numbers
    }
    knowsAll = (guide?.places.delivered ?? recordCount) > 0 || reader.hasSchema
    if reader.hasSchema { unseen.removeAll(where: reader.propertyNames.contains) }
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
      let fate = try judge.decide(batch, row)
      recorder?.record(fate, batch, row)
      if let guide {
        guard fate == .used, guide.fits(guided, batch, row) else {
          throw SourceError.moved(source.source.dataName)
        }
        guided += 1
      }
      switch fate {
      case .used, .noGeometry: guard try visit() else { return false }
      case .filtered, .beyondMap, .rejected, .repeated: break
      }
    }
    return true
  }

  private func checkTolerance() throws {
    let records = source.records
    try judge.checkTolerance(
      with: reader.ledger, records.tolerance,
      refusesRepetitions: records.onDuplicateID == .error, file: source.source.dataName)
  }
}
