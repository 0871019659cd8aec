package import Features
import Tiling

/// An examiner that reads a source from its first record to its last and profiles it, in memory
/// that does not grow with the file beyond 64 MiB for each of three tables.
///
/// Records count as a build counts them, but nothing is kept, and exceeding a build's tolerance
/// does not end the reading: the whole file is examined first.
package struct SourceExaminer {
  private let subject: ExaminationSubject
  private var profilers: [ColumnProfiler] = []
  private var coordinates = CoordinateProfile()
  private var shapes = ShapeProfile()
  private var ledger = SourceLedger()
  private var selection = BatchSelection()
  private var records = RepetitionTable()
  private var places = RepetitionTable()
  private var ids = RepetitionTable()
  private var repeated = Occurrences()
  private var withoutProperties = Occurrences()
  private var tooLong = 0
  private var tooShort = 0
  /// The number of records that the profiles cover.
  private var profiled = 0
  private var isKept: [Bool] = []
  private let scratch = HashScratch()

  private init(_ subject: ExaminationSubject) {
    self.subject = subject
  }

  /// Examines a source.
  ///
  /// - Parameters:
  ///   - open: opens the reader of all properties of the source.
  ///   - advance: receives the number of bytes read so far, after each batch; an error that it
  ///     throws ends the work.
  /// - Throws: what `advance` throws, and what `open` throws other than a ``SourceError``.
  /// - Complexity: O(bytes of the file).
  package static func examine(
    _ subject: ExaminationSubject, open: () throws -> any FeatureReader,
    advance: (Int) throws -> Void
  ) throws -> SourceExamination {
    var examiner = SourceExaminer(subject)
    var examination = SourceExamination()
    var names: [String] = []
    do {
      var reader = try open()
      var batch = FeatureBatch()
      defer { examination.bytes = reader.bytesRead }
      while true {
        let hasRecords: Bool
        do {
          hasRecords = try reader.read(into: &batch)
        } catch {
          // A partial result is better than none.
          examination.failure = error
          hasRecords = false
        }
        guard hasRecords else { break }
        examiner.take(batch, names: reader.propertyNames)
        try advance(reader.bytesRead)
      }
      examiner.ledger.add(reader.ledger)
      names = reader.allNames
      let table = reader as? CSVReader
      (examiner.tooLong, examiner.tooShort) = (table?.tooLong ?? 0, table?.tooShort ?? 0)
    } catch let error as SourceError {
      examination.failure = error
    }
    examiner.finish(&examination, names: names)
    return examination
  }

  // MARK: A batch

  private mutating func take(_ batch: FeatureBatch, names: [String]) {
    let idColumn = subject.id.flatMap { names.prefix(batch.columns.count).firstIndex(of: $0) }
    ledger.read += batch.count
    isKept.removeAll(keepingCapacity: true)
    selection.removeAll()
    for row in 0..<batch.count {
      var ids = idColumn.map { batch.columns[$0] }
      if subject.comparesGivenIDs, ids?.isBlank(row) ?? true {
        ids = batch.ids.isBlank(row) ? nil : batch.ids
      }
      isKept.append(judge(batch, row, id: ids))
    }
    addColumns(of: batch)
    scratch.reset(batch.count)
    for place in batch.columns.indices {
      profilers[place].add(
        batch.columns[place], lines: batch.lines, isKept: isKept, recordHashes: scratch.records)
    }
    lookForTwins(batch)
    let kept = isKept.count(where: \.self)
    for place in profilers.indices.dropFirst(batch.columns.count) {
      profilers[place].addMissing(kept)
    }
    profiled += kept
  }

  /// Counts a row as a build does, and returns whether the profiles cover it: all rows but those
  /// that are filtered, or rejected for another reason than their position.
  private mutating func judge(_ batch: FeatureBatch, _ row: Int, id: PropertyColumn?) -> Bool {
    if let filter = subject.filter, !filter(batch, row) {
      ledger.filtered += 1
      return false
    }
    let line = batch.lines[row]
    shapes.add(batch.geometry, row, line: line, coordinates: &coordinates)
    switch selection.check(batch.geometry, row) {
    case .noGeometry: ledger.noGeometry += 1
    case .beyondMap: ledger.beyondMap += 1
    case .rejected(let reason, let message):
      ledger.reject(
        SourceLedger.Example(reason: reason, line: line, column: 0, message: message), as: reason)
    case .used:
      if let id, let first = lineOfTwin(id, row, line: line) {
        ledger.reject(
          SourceLedger.Example(
            reason: .duplicateKey, line: line, column: 0,
            message: "the id '\(id.text(row) ?? "")' is also that of line \(first)"),
          as: .duplicateKey)
        return false
      }
      ledger.used += 1
    }
    return true
  }

  private mutating func lineOfTwin(_ ids: PropertyColumn, _ row: Int, line: Int) -> Int? {
    guard var text = ids.text(row) else { return nil }
    var hash = text.withUTF8 { ValueHash.hash(UnsafeRawBufferPointer($0), seed: 0) }
    var first: Int?
    withUnsafePointer(to: &hash) { hash in
      _ = self.ids.add(UnsafeBufferPointer(start: hash, count: 1), lines: [line]) { first = $1 }
    }
    return first
  }

  private mutating func addColumns(of batch: FeatureBatch) {
    for place in profilers.count..<max(profilers.count, batch.columns.count) {
      profilers.append(ColumnProfiler(name: batch.columns[place].name, missing: profiled))
    }
  }

  /// Looks up the records of a batch and their positions among those before.
  private mutating func lookForTwins(_ batch: FeatureBatch) {
    for row in 0..<batch.count where isKept[row] { hash(batch, row) }
    let lines = batch.lines
    _ = records.add(UnsafeBufferPointer(scratch.records), lines: lines) { row, first in
      repeated.add(line: lines[row], "as line \(first)")
    }
    let row = places.add(UnsafeBufferPointer(scratch.places), lines: lines) { _, _ in }
    guard let row else { return }
    coordinates.crowdPosition = position(of: row, in: batch.geometry)
    coordinates.crowdLine = Int(places.most.line)
  }

  /// Completes the hash of a record by its positions, and computes that of its position if it is a
  /// point.
  private mutating func hash(_ batch: FeatureBatch, _ row: Int) {
    let properties = scratch.records[row]
    let geometry = batch.geometry
    if properties == 0 { withoutProperties.add(line: batch.lines[row]) }
    if geometry.kinds[row] == .point {
      let position = position(of: row, in: geometry)
      // Adding zero maps −0 and 0 to the same bits.
      let place = ValueHash.hash(
        (position.longitude + 0).bitPattern, (position.latitude + 0).bitPattern)
      scratch.places[row] = place
      // Records without properties are equal wherever they coincide.
      if properties != 0 { scratch.records[row] = ValueHash.hash(properties, place) }
      return
    }
    guard properties != 0 else { return }
    var hash = properties
    for part in geometry.partRange(row) {
      for index in geometry.positionRange(part) {
        let position = geometry.positions[index]
        hash = ValueHash.hash(
          hash ^ position.longitude.bitPattern, position.latitude.bitPattern)
      }
    }
    scratch.records[row] = hash
  }

  private func position(of row: Int, in geometry: GeometryColumn) -> LngLat {
    geometry.positions[geometry.positionRange(geometry.partRange(row).lowerBound).lowerBound]
  }

  // MARK: The end

  private mutating func finish(_ examination: inout SourceExamination, names: [String]) {
    ledger.sortExamples()
    coordinates.coincident = places.repetitions
    coordinates.crowd = Int(places.most.count)
    coordinates.isCoincidentComplete = places.isComplete
    examination.ledger = ledger
    examination.columns = profilers.map(\.profile)
    examination.coordinates = coordinates
    examination.shapes = shapes
    var diagnosis = Diagnosis(subject: subject, examination: examination)
    diagnosis.repeated = repeated
    diagnosis.withoutProperties = withoutProperties
    diagnosis.profiled = profiled
    (diagnosis.tooLong, diagnosis.tooShort) = (tooLong, tooShort)
    diagnosis.areTwinsComplete = records.isComplete
    diagnosis.idIsMissing =
      subject.id.map { id in
        !examination.columns.contains { $0.name == id } && ledger.used > 0
          && examination.failure == nil
      } ?? false
    diagnosis.names = names
    (examination.findings, examination.failure, examination.isExplained) = diagnosis.concluded()
  }
}

extension FeatureReader {
  /// The names of all columns that the reader has met, including those that it does not keep, where
  /// it knows them.
  package var allNames: [String] { (self as? CSVReader)?.schema.names ?? propertyNames }
}
