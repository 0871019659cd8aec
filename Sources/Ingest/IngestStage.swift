package import Features

/// The stage that reads a whole source: filters, checks coordinates and ids, counts everything.
package struct IngestStage {
  private let file: String
  private let options: IngestOptions
  private var points: PointSet
  private var shapes = ShapeSet()
  private var mixedRecords: [Int] = []
  private var judge: RecordJudge<BatchSelection, IngestedIdentifiers?>
  private var identifiersUnlessID: FeatureIdentifiers?
  /// The fallback identifiers of the batch's rows so far, see ``FeatureBatch/identifiers``.
  private var identified = PropertyColumn(name: "identifier")
  /// The values of the properties that the filter uses as numbers.
  private var numbers: [QuantityRequest: QuantityCensus] = [:]
  /// The number of points for which there is room.
  private var reserved = 0

  private init(file: String, options: IngestOptions) {
    self.file = file
    self.options = options
    points = PointSet(in: options.scratch)
    judge = RecordJudge(
      geometry: BatchSelection(), repetitions: IngestedIdentifiers(options, file: file),
      filter: options.filter)
    identifiersUnlessID = options.identifiers
  }

  /// Reads all records of a reader.
  ///
  /// - Parameters:
  ///   - file: the file as the user named it, for messages.
  ///   - progress: called after every batch with the number of bytes read so far.
  /// - Throws: ``SourceError`` when the file cannot be read further, more records are rejected than
  ///   are tolerated, an id occurs twice and the policy is `error`, or the `id` is not a property.
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

  /// Reserves room for the points that the rest of the file will bring if it is like its beginning.
  private mutating func reserve(for total: Int?, read: Int) {
    guard let total, read > 0, total > read, points.count > reserved else { return }
    // A little more, so that the last rows do not double the capacity.
    let factor = Double(total) / Double(read) * 1.03
    points.reserveCapacity(factor: factor)
    reserved = Int(Double(points.count) * factor)
    judge.repetitions?.reserve(reserved)
  }

  private mutating func take(
    _ batch: FeatureBatch, names: [String]
  ) throws(SourceError) {
    numbers.add(batch, options.numbers)
    judge.geometry.removeAll()
    judge.repetitions?.begin(
      batch, names: names, pointRecords: points.recordCount, shapeRecords: shapes.recordCount)
    identified.removeAll()
    for row in 0..<batch.count {
      switch try judge.decide(batch, row) {
      case .used:
        identify(batch, row)
        judge.geometry.keep(row)
      case .noGeometry:
        // A query lists these too, and numbers those that share an id with others.
        _ = identifiersUnlessID?.textOfID(batch, row)
      case .filtered, .beyondMap, .rejected, .repeated: break
      }
    }
    judge.geometry.dropOpen()
    judge.repetitions?.end()
    try append(kept(batch))
  }

  /// Assigns a fallback identifier to a used record whose id is missing or already taken.
  ///
  /// - Complexity: O(bytes of the row) where it has no id.
  private mutating func identify(_ batch: FeatureBatch, _ row: Int) {
    guard var text = identifiersUnlessID?.textUnlessID(batch, row) else { return }
    identified.append(.missing, count: row - identified.count)
    text.withUTF8 { identified.append(.string, bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the batch with its fallback identifiers, and only the properties that are kept.
  private func kept(_ batch: FeatureBatch) -> FeatureBatch {
    guard options.identifiers != nil || options.keeps != nil else { return batch }
    var kept = batch
    if let keeps = options.keeps { kept.columns.removeAll { !keeps($0.name) } }
    kept.identifiers = identified
    kept.identifiers.append(.missing, count: batch.count - identified.count)
    return kept
  }

  private mutating func append(_ batch: FeatureBatch) throws(SourceError) {
    let selection = judge.geometry
    let shapeRows = ShapeSet.rows(ofShapesIn: batch.geometry, selection.shapeRows)
    let full =
      points.records.fullColumn(for: batch, rows: selection.pointRows)
      ?? shapes.records.fullColumn(for: batch, rows: shapeRows)
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
    if let id = options.id, points.count + shapes.count > 0 {
      guard let column = names.firstIndex(of: id) else {
        throw SourceError(
          UnknownColumn(.property(id), " in \(file)", known: names, key: "id"), file: file)
      }
      points.idColumn = column
      shapes.idColumn = column
    }
    if let identifiers = judge.repetitions?.unique, options.onDuplicateID == .last {
      points = identifiers.pruned(points)
      shapes = identifiers.pruned(shapes)
      mixedRecords = identifiers.renumbered(mixedRecords)
    }
    var ledger = judge.totals(with: read)
    ledger.numbers = numbers
    if options.refusesIncomplete, let error = ledger.incomplete(file: file) { throw error }
    return IngestedSource(
      points: points, shapes: shapes, ledger: ledger, mixedRecords: mixedRecords)
  }
}

extension IngestStage {
  private func checkTolerance(with read: SourceLedger) throws(SourceError) {
    try judge.checkTolerance(
      with: read, options.tolerance, refusesRepetitions: options.onDuplicateID == .error,
      file: file)
  }
}
