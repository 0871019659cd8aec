package import Features
import Tiling

/// Reads a whole source: filters, checks coordinates and ids, counts everything.
package struct IngestStage {
  private let file: String
  private let options: IngestOptions
  private var points = PointSet()
  private var shapes = ShapeSet()
  private var mixedRecords: [Int] = []
  private var ledger = SourceLedger()
  private var identifiers: UniqueIdentifiers?
  private var identifiersUnlessID: FeatureIdentifiers?
  /// What the rows of the batch are called so far, see ``FeatureBatch/identifiers``.
  private var identified = PropertyColumn(name: "identifier")
  private var selection = BatchSelection()
  /// Points that there is room for.
  private var reserved = 0

  private init(file: String, options: IngestOptions) {
    self.file = file
    self.options = options
    if options.id != nil || options.comparesGivenIDs {
      identifiers = UniqueIdentifiers(policy: options.onDuplicateID)
    }
    identifiersUnlessID = options.identifiers
  }

  /// Reads all records of a reader.
  ///
  /// - Parameters:
  ///   - file: the file as the user named it, for messages.
  ///   - progress: called after every batch with the bytes of the file read so far.
  /// - Throws: ``SourceError`` when the file cannot be read on, more records are rejected than are
  ///   tolerated, an id occurs twice and the policy is `error`, or the `id` is no property.
  package static func read(
    _ reader: inout some FeatureReader, file: String, options: IngestOptions = IngestOptions(),
    progress: (Int) -> Void = { _ in }
  ) throws(SourceError) -> IngestedSource {
    var stage = IngestStage(file: file, options: options)
    var batch = FeatureBatch()
    while try reader.read(into: &batch) {
      try stage.take(batch, names: reader.propertyNames)
      try stage.checkTolerance(with: reader.ledger)
      stage.reserve(for: reader.byteCount, read: reader.bytesRead)
      progress(reader.bytesRead)
    }
    try stage.checkTolerance(with: reader.ledger)
    return try stage.finish(with: reader.ledger, names: reader.propertyNames)
  }

  /// Makes room for the points that the rest of the file will bring if it is like its beginning.
  private mutating func reserve(for total: Int?, read: Int) {
    guard let total, read > 0, total > read, points.count > reserved else { return }
    // A little more, so that the last rows do not double everything.
    let factor = Double(total) / Double(read) * 1.03
    points.reserveCapacity(factor: factor)
    reserved = Int(Double(points.count) * factor)
    identifiers?.reserve(reserved)
  }

  private mutating func take(
    _ batch: FeatureBatch, names: [String]
  ) throws(SourceError) {
    let idColumn = options.id.flatMap { names.prefix(batch.columns.count).firstIndex(of: $0) }
    selection.removeAll()
    identified.removeAll()
    ledger.read += batch.count
    for row in 0..<batch.count {
      if let filter = options.filter, !filter(batch, row) {
        ledger.filtered += 1
        continue
      }
      switch selection.check(batch.geometry, row) {
      case .noGeometry:
        ledger.noGeometry += 1
        // A query names these too, and numbers those that share an id with others.
        _ = identifiersUnlessID?.textOfID(batch, row)
      case .beyondMap: ledger.beyondMap += 1
      case .rejected(let reason, let message):
        reject(reason, batch.file(row), line: batch.lines[row], message)
      case .used:
        if identifiers != nil, let ids = ids(of: batch, row, column: idColumn),
          !(try isWanted(batch, row, id: ids))
        {
          continue
        }
        ledger.used += 1
        identify(batch, row)
        selection.keep(row)
      }
    }
    selection.dropOpen()
    try append(kept(batch))
  }

  /// The ids among which a row's is compared: those of the column, else of the file where they are.
  private func ids(of batch: FeatureBatch, _ row: Int, column: Int?) -> PropertyColumn? {
    if let column, !options.comparesGivenIDs || !batch.columns[column].isBlank(row) {
      return batch.columns[column]
    }
    return options.comparesGivenIDs && !batch.ids.isBlank(row) ? batch.ids : nil
  }

  /// Calls a record that is used and has no id, or that of an earlier one, something.
  ///
  /// - Complexity: O(bytes of the row) where it has no id.
  private mutating func identify(_ batch: FeatureBatch, _ row: Int) {
    guard var text = identifiersUnlessID?.textUnlessID(batch, row) else { return }
    identified.append(.missing, count: row - identified.count)
    text.withUTF8 { identified.append(.string, bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The batch with what its records are called, and only the properties that are kept.
  private func kept(_ batch: FeatureBatch) -> FeatureBatch {
    guard options.identifiers != nil || options.keeps != nil else { return batch }
    var kept = batch
    if let keeps = options.keeps { kept.columns.removeAll { !keeps($0.name) } }
    kept.identifiers = identified
    kept.identifiers.append(.missing, count: batch.count - identified.count)
    return kept
  }

  /// Looks the row's id up; an earlier record may have to go for it.
  private mutating func isWanted(
    _ batch: FeatureBatch, _ row: Int, id: PropertyColumn
  ) throws(SourceError) -> Bool {
    let place = UniqueIdentifiers.Place(
      line: batch.lines[row],
      point: selection.openHasPoints ? points.recordCount + selection.pointRecords : nil,
      shape: selection.openHasShape ? shapes.count + selection.shapeRows.count : nil)
    switch identifiers?.look(at: id, row, place: place) {
    case .new, nil: return true
    case .full:
      throw SourceError.tooMuchText(
        "the ids of '\(id.name)' take", "Set another 'id:'.", file: file, line: batch.lines[row])
    case .repeated(let text, let first):
      reject(
        .duplicateKey, batch.file(row), line: batch.lines[row], Self.sentence(text, other: first))
      return false
    case .replaced(let text, let earlier):
      ledger.used -= 1
      reject(.duplicateKey, nil, line: earlier, Self.sentence(text, other: batch.lines[row]))
      return true
    }
  }

  private static func sentence(_ id: String, other line: Int) -> String {
    "the id '\(id)' is also that of line \(line)"
  }

  private mutating func append(_ batch: FeatureBatch) throws(SourceError) {
    let full =
      points.records.fullColumn(for: batch, rows: selection.pointRows)
      ?? shapes.records.fullColumn(for: batch, rows: selection.shapeRows)
    if let full {
      throw SourceError.tooMuchText(
        "column '\(full)' takes", "Leave it out with 'select:'.", file: file,
        line: batch.lines.last ?? 0)
    }
    guard points.count + selection.pointRows.count <= PointSet.limit else {
      throw SourceError(
        code: .badData, file: file, line: batch.lines.last ?? 0,
        message: "more than \(PointSet.limit) points. Split the source.")
    }
    mixedRecords += selection.mixedRecords.map { points.recordCount + $0 }
    points.append(
      batch, rows: selection.pointRows, degrees: selection.degrees,
      squares: selection.squares)
    shapes.append(batch, rows: selection.shapeRows)
  }

  private mutating func finish(
    with read: SourceLedger, names: [String]
  ) throws(SourceError) -> IngestedSource {
    ledger.add(read)
    ledger.sortExamples()
    if let id = options.id, points.count + shapes.count > 0 {
      guard let column = names.firstIndex(of: id) else {
        throw SourceError(
          UnknownColumn(.property(id), " in \(file)", known: names, key: "id"), file: file)
      }
      points.idColumn = column
      shapes.idColumn = column
    }
    if let identifiers, options.onDuplicateID == .last {
      points = identifiers.pruned(points)
      shapes = identifiers.pruned(shapes)
      mixedRecords = identifiers.renumbered(mixedRecords)
    }
    return IngestedSource(
      points: points, shapes: shapes, ledger: ledger, mixedRecords: mixedRecords)
  }
}

// What is refused, and when it is too much.
extension IngestStage {
  private mutating func reject(
    _ reason: RejectReason, _ file: String?, line: Int, _ message: String
  ) {
    ledger.reject(
      SourceLedger.Example(reason: reason, file: file, line: line, column: 0, message: message),
      as: reason)
  }

  private func checkTolerance(with read: SourceLedger) throws(SourceError) {
    if options.onDuplicateID == .error, let error = ledger.repetition(file: file) { throw error }
    // With a policy, a repeated id is no error: it is counted and shown, not held against the file.
    guard ledger.rejectedTotal + read.rejectedTotal > options.tolerance else { return }
    var all = ledger
    all.add(read)
    if let error = all.excess(over: options.tolerance, file: file) { throw error }
  }
}
