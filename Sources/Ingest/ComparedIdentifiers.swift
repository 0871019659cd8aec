package import Features

/// The location of the ids of a batch's records: the column that is the id, or else the file's own
/// ids.
package struct IdentifierColumns {
  /// The name of the property that is the id; `nil` for none.
  private let name: String?
  /// Whether the file's own ids count where the property is blank.
  private let comparesGiven: Bool
  private var column: Int?

  package init(name: String?, comparesGiven: Bool) {
    self.name = name
    self.comparesGiven = comparesGiven
  }

  /// Locates the id in the next batch.
  ///
  /// - Parameter names: the reader's names of all properties.
  package mutating func begin(_ batch: FeatureBatch, names: [String]) {
    column = name.flatMap { names.prefix(batch.columns.count).firstIndex(of: $0) }
  }

  /// The ids among which a row's id is compared. A column itself would be copied for each row.
  package enum Place {
    case none
    /// The ids of the file.
    case given
    /// A column of the batch.
    case column(Int)
  }

  /// Returns the place of the id of a row of a batch.
  package func place(in batch: FeatureBatch, _ row: Int) -> Place {
    if let column, !comparesGiven || !batch.columns[column].isBlank(row) { return .column(column) }
    return comparesGiven && !batch.ids.isBlank(row) ? .given : .none
  }

  /// Returns the column of all ids of a batch; `nil` where a row may have one of the file's own.
  package func common(in batch: FeatureBatch) -> PropertyColumn? {
    comparesGiven ? nil : column.map { batch.columns[$0] }
  }

  /// Returns the ids among which a row's id is compared; `nil` if the row has none.
  package func ids(of batch: FeatureBatch, _ row: Int) -> PropertyColumn? {
    switch place(in: batch, row) {
    case .none: nil
    case .given: batch.ids
    case .column(let column): batch.columns[column]
    }
  }
}

/// The ids of the records of an ingest, compared byte by byte.
struct IngestedIdentifiers: RepetitionFinder {
  private let file: String
  private(set) var unique: UniqueIdentifiers
  private var columns: IdentifierColumns
  /// The number of records that were kept before the batch.
  private var pointRecords = 0
  private var shapeRecords = 0

  /// - Returns: `nil` if ids are not compared.
  init?(_ options: IngestOptions, file: String) {
    guard options.id != nil || options.comparesGivenIDs else { return nil }
    self.file = file
    unique = UniqueIdentifiers(policy: options.onDuplicateID)
    columns = IdentifierColumns(name: options.id, comparesGiven: options.comparesGivenIDs)
  }

  mutating func begin(
    _ batch: FeatureBatch, names: [String], pointRecords: Int, shapeRecords: Int
  ) {
    columns.begin(batch, names: names)
    unique.begin(columns.common(in: batch))
    self.pointRecords = pointRecords
    self.shapeRecords = shapeRecords
  }

  /// Releases the batch, whose memory its reader uses again.
  mutating func end() { unique.begin(nil) }

  /// Reserves room for a total number of ids.
  mutating func reserve(_ total: Int) { unique.reserve(total) }

  mutating func repetition(
    of batch: FeatureBatch, _ row: Int, _ selection: BatchSelection, record: Int
  ) throws(SourceError) -> Repetition {
    let place = UniqueIdentifiers.Place(
      line: batch.lines[row],
      point: selection.openHasPoints ? pointRecords + selection.pointRecords : nil,
      shape: selection.openHasShape ? shapeRecords + selection.shapeRows.count : nil)
    let repetition: Repetition?
    switch columns.place(in: batch, row) {
    case .none: return .unique
    case .given: repetition = unique.look(at: batch.ids, row, place: place)
    case .column(let column):
      repetition =
        unique.holdsBatch
        ? unique.look(at: row, place: place)
        : unique.look(at: batch.columns[column], row, place: place)
    }
    guard let repetition else {
      throw SourceError.tooMuchText(
        "the ids of '\(columns.ids(of: batch, row)?.name ?? "")' take", "Set another 'id:'.",
        file: file, line: batch.lines[row])
    }
    return repetition
  }
}

/// The ids of a source's used records, and the records that are replaced by others.
struct UniqueIdentifiers {
  /// The places of a used record.
  struct Place {
    /// The line in the file.
    var line: Int
    private var pointNumber: Int32
    private var shapeNumber: Int32

    /// - Parameters:
    ///   - point: the number among the records of the point set, if the record is there.
    ///   - shape: the number among the records of the shape set, if the record is there.
    init(line: Int, point: Int?, shape: Int?) {
      self.line = line
      pointNumber = Int32(truncatingIfNeeded: point ?? -1)
      shapeNumber = Int32(truncatingIfNeeded: shape ?? -1)
    }

    var point: Int? { pointNumber < 0 ? nil : Int(pointNumber) }
    var shape: Int? { shapeNumber < 0 ? nil : Int(shapeNumber) }
  }

  private let policy: DuplicatePolicy
  private var index = IdentifierIndex()
  /// The record that currently holds each id.
  private var holders = Column<Place>()
  /// The ids of the batch in hand and their hashes, where one column holds all of them.
  private var batch = PropertyColumn(name: "")
  private var hashes = ContiguousArray<UInt64>()
  private(set) var holdsBatch = false
  private var removedPoints: Set<Int> = []
  private var removedShapes: Set<Int> = []

  init(policy: DuplicatePolicy) { self.policy = policy }

  /// Reserves room for a total number of ids.
  mutating func reserve(_ total: Int) {
    index.reserve(total)
    holders.reserveCapacity(min(total, Int(Int32.max)))
  }

  /// Takes the ids of the next batch, and hashes them together, so that the slots of many are fetched
  /// at a time.
  ///
  /// - Parameter ids: the ids of all rows; `nil` where they are in several columns.
  mutating func begin(_ ids: PropertyColumn?) {
    holdsBatch = ids != nil
    batch = ids ?? PropertyColumn(name: "")
    hashes.removeAll(keepingCapacity: true)
    batch.bytes.withUnsafeBytes { bytes in
      var start = 0
      for end in batch.ends {
        hashes.append(
          IdentifierIndex.hash(UnsafeRawBufferPointer(rebasing: bytes[start..<Int(end)])))
        start = Int(end)
      }
    }
    index.fetch(hashes)
  }

  /// Compares the id of a row of the batch in hand; see ``look(at:_:place:)``.
  mutating func look(at row: Int, place: Place) -> Repetition? {
    switch batch.kinds[row] {
    case .text, .string:
      guard let found = Self.insert(batch, row, hash: hashes[row], into: &index) else { return nil }
      guard let known = found else {
        holders.append(place)
        return .unique
      }
      return repetition(of: known, batch.text(row) ?? "", place)
    default: return look(at: batch, row, place: place)
    }
  }

  /// Inserts the id of a row, without a copy of its column.
  ///
  /// - Returns: the number of the record that has it already; `nil` if no room is left.
  private static func insert(
    _ ids: borrowing PropertyColumn, _ row: Int, hash: UInt64, into index: inout IdentifierIndex
  ) -> Int?? {
    let start = row == 0 ? 0 : Int(ids.ends[row - 1])
    let end = Int(ids.ends[row])
    return ids.bytes.withUnsafeBytes { bytes -> Int?? in
      let id = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      return index.hasRoom(for: id) ? .some(index.insert(id, hash: hash)) : nil
    }
  }

  /// Compares a record's id with the ids of earlier records; records without an id all differ.
  ///
  /// - Returns: `nil` if no room is left for further ids.
  mutating func look(at ids: PropertyColumn, _ row: Int, place: Place) -> Repetition? {
    guard !ids.isNull(row) else { return .unique }
    let known: Int?
    switch ids.kinds[row] {
    case .text, .string:
      guard ids.withBytes(row, { index.hasRoom(for: $0) }) else { return nil }
      known = ids.withBytes(row) { index.insert($0) }
    default:
      var text = ids.text(row) ?? ""
      known = text.withUTF8 { index.insert(UnsafeRawBufferPointer($0)) }
    }
    guard let known else {
      holders.append(place)
      return .unique
    }
    return repetition(of: known, ids.text(row) ?? "", place)
  }

  /// Decides which of two records keeps their id.
  private mutating func repetition(of known: Int, _ id: String, _ place: Place) -> Repetition {
    let earlier = holders[known]
    guard policy == .last else { return .repeated(id: id, line: earlier.line) }
    holders[known] = place
    if let point = earlier.point { removedPoints.insert(point) }
    if let shape = earlier.shape { removedShapes.insert(shape) }
    return .replaced(id: id, line: earlier.line)
  }

  /// Returns the points of all records that were not replaced.
  func pruned(_ points: PointSet) -> PointSet {
    removedPoints.isEmpty ? points : points.removing { removedPoints.contains($0) }
  }

  /// Returns the numbers of records among the pruned points, without the replaced ones.
  ///
  /// - Parameter records: their numbers before, ascending.
  /// - Complexity: O(r · log r) for r replaced records.
  func renumbered(_ records: [Int]) -> [Int] {
    guard !removedPoints.isEmpty else { return records }
    let removed = removedPoints.sorted()
    var before = 0
    return records.compactMap { record in
      while before < removed.count, removed[before] < record { before += 1 }
      return removedPoints.contains(record) ? nil : record - before
    }
  }

  /// Returns the shapes of all records that were not replaced.
  func pruned(_ shapes: ShapeSet) -> ShapeSet {
    removedShapes.isEmpty ? shapes : shapes.removing { removedShapes.contains($0) }
  }
}
