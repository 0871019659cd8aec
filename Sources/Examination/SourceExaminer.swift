package import Features
import Ingest
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
  private var areas = NestedAreas()
  private var judge: RecordJudge<UnkeptGeometry, ExaminedIdentifiers>
  private var records = RepetitionTable()
  private var places = RepetitionTable()
  private var repeated = Occurrences()
  private var withoutProperties = Occurrences()
  private var pair: String?
  private var foreignTexts: [UInt8] = []
  /// The texts of the first records, where all of these lack a geometry that columns may hold.
  private var bareRecords: [[String]] = []
  private var tooLong = 0
  private var tooShort = 0
  /// The number of records that the profiles cover.
  private var profiled = 0
  private var isKept: [Bool] = []
  private var numbers: [QuantityUsage: QuantityCensus] = [:]
  private let scratch = HashScratch()

  private init(_ subject: ExaminationSubject) {
    self.subject = subject
    judge = RecordJudge(
      geometry: UnkeptGeometry(), repetitions: ExaminedIdentifiers(subject),
      filter: subject.filter)
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
    var namesSeen: Set<String> = []
    var read = SourceLedger()
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
        batch.insertNames(into: &namesSeen)
        try examiner.take(batch, names: reader.propertyNames)
        try advance(reader.bytesRead)
      }
      read = reader.ledger
      names = reader.allNames.filter { reader.hasSchema || namesSeen.contains($0) }
      let table = reader as? CSVReader
      examiner.pair = table?.firstPair
      examiner.foreignTexts = subject.foreignTexts?(reader) ?? []
      (examiner.tooLong, examiner.tooShort) = (table?.tooLong ?? 0, table?.tooShort ?? 0)
    } catch let error as SourceError {
      examination.failure = error
    }
    examiner.finish(&examination, with: read, names: names)
    return examination
  }

  // MARK: A batch

  private mutating func take(_ batch: FeatureBatch, names: [String]) throws(SourceError) {
    judge.repetitions.begin(batch, names: names)
    isKept.removeAll(keepingCapacity: true)
    for row in 0..<batch.count { isKept.append(try isProfiled(batch, row)) }
    for row in 0..<batch.count where isKept[row] { areas.add(batch, row) }
    addBareRecords(of: batch)
    addNumbers(of: batch)
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

  /// Whether the profiles are about a row: all but those that are filtered, or rejected for something
  /// else than their place.
  private mutating func isProfiled(
    _ batch: FeatureBatch, _ row: Int
  ) throws(SourceError) -> Bool {
    let fate = try judge.decide(batch, row)
    if fate == .filtered { return false }
    shapes.add(batch.geometry, row, line: batch.lines[row], coordinates: &coordinates)
    return fate != .repeated
  }

  private mutating func addNumbers(of batch: FeatureBatch) {
    for usage in subject.numbers {
      var census = [usage.request: numbers[usage] ?? QuantityCensus()]
      census.add(batch, [usage.request]) { [isKept] in usage.testsRecords || isKept[$0] }
      numbers[usage] = census[usage.request]
    }
  }

  private mutating func addBareRecords(of batch: FeatureBatch) {
    guard subject.mayHoldPlaces, bareRecords.count == profiled else { return }
    for row in 0..<batch.count
    where isKept[row] && batch.geometry.kinds[row] == .none
      && bareRecords.count < TableHead.recordLimit
    {
      bareRecords.append(batch.columns.map { $0.text(row) ?? "" })
    }
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

  /// Completes the hash of a record by its positions, and hashes the position alone if the record
  /// is a point.
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

  private mutating func finish(
    _ examination: inout SourceExamination, with read: SourceLedger, names: [String]
  ) {
    let ledger = judge.totals(with: read)
    coordinates.coincident = places.repetitions
    coordinates.crowd = Int(places.most.count)
    coordinates.isCoincidentComplete = places.isComplete
    examination.ledger = ledger
    examination.columns = profilers.map(\.profile)
    examination.coordinates = coordinates
    examination.shapes = shapes
    examination.nesting = subject.isVectorTiles ? nil : areas.nesting()
    var diagnosis = Diagnosis(subject: subject, examination: examination)
    diagnosis.repeated = repeated
    diagnosis.withoutProperties = withoutProperties
    diagnosis.profiled = profiled
    diagnosis.pair = pair
    diagnosis.foreignTexts = foreignTexts
    diagnosis.bareRecords = bareRecords
    (diagnosis.tooLong, diagnosis.tooShort) = (tooLong, tooShort)
    diagnosis.areTwinsComplete = records.isComplete
    diagnosis.idIsMissing =
      subject.id.map { id in
        !examination.columns.contains { $0.name == id } && ledger.used > 0
          && examination.failure == nil
      } ?? false
    diagnosis.names = names
    diagnosis.numbers = numbers
    (examination.findings, examination.failure, examination.isExplained) = diagnosis.concluded()
  }
}

extension FeatureReader {
  /// The names of all columns that the reader has met, including those that it does not keep, where
  /// it knows them.
  package var allNames: [String] { (self as? CSVReader)?.schema.names ?? propertyNames }
}

/// Two hashes for each row of a batch: memory that an examination reuses.
final class HashScratch {
  /// The hash of each record; 0 where it does not count.
  private(set) var records = UnsafeMutableBufferPointer<UInt64>(start: nil, count: 0)
  /// The hash of each record's position if it is a point, otherwise 0.
  private(set) var places = UnsafeMutableBufferPointer<UInt64>(start: nil, count: 0)

  private var memory = UnsafeMutableBufferPointer<UInt64>(start: nil, count: 0)

  deinit { memory.deallocate() }

  /// Makes room for a number of rows and clears it.
  func reset(_ count: Int) {
    if 2 * count > memory.count {
      memory.deallocate()
      memory = .allocate(capacity: 2 * count)
    }
    memory.initialize(repeating: 0)
    records = UnsafeMutableBufferPointer(rebasing: memory[..<count])
    places = UnsafeMutableBufferPointer(rebasing: memory[count..<(2 * count)])
  }
}
