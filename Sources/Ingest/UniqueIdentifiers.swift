import Features

/// The ids of a source's used records, and which records give way to others.
struct UniqueIdentifiers {
  /// Where a used record stands.
  struct Place {
    /// In the file.
    var line: Int
    /// Its number among the records of the point set, if it is there.
    var point: Int?
    /// Its number in the shape set, if it is there.
    var shape: Int?
  }

  private let policy: IngestOptions.DuplicatePolicy
  private var index = IdentifierIndex()
  /// The record that holds each id now.
  private var holders = ContiguousArray<Place>()
  private var removedPoints: Set<Int> = []
  private var removedShapes: Set<Int> = []

  init(policy: IngestOptions.DuplicatePolicy) { self.policy = policy }

  /// Makes room for so many ids in all.
  mutating func reserve(_ total: Int) { index.reserve(total) }

  /// Compares a record's id with those before; records without one are all different.
  ///
  /// - Returns: `nil` where there is no room for more ids.
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
    let earlier = holders[known]
    let id = ids.text(row) ?? ""
    guard policy == .last else { return .repeated(id: id, line: earlier.line) }
    holders[known] = place
    if let point = earlier.point { removedPoints.insert(point) }
    if let shape = earlier.shape { removedShapes.insert(shape) }
    return .replaced(id: id, line: earlier.line)
  }

  /// The points without those of records that gave way.
  func pruned(_ points: PointSet) -> PointSet {
    removedPoints.isEmpty ? points : points.removing { removedPoints.contains($0) }
  }

  /// What records are numbered among the pruned points, without those that gave way.
  ///
  /// - Parameter records: their numbers before, rising.
  /// - Complexity: O(r · log r) for r records that gave way.
  func renumbered(_ records: [Int]) -> [Int] {
    guard !removedPoints.isEmpty else { return records }
    let removed = removedPoints.sorted()
    var before = 0
    return records.compactMap { record in
      while before < removed.count, removed[before] < record { before += 1 }
      return removedPoints.contains(record) ? nil : record - before
    }
  }

  /// The shapes without those that gave way.
  func pruned(_ shapes: ShapeSet) -> ShapeSet {
    removedShapes.isEmpty ? shapes : shapes.removing { removedShapes.contains($0) }
  }
}
