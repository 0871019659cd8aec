import Features

/// The ids of a source's used records, and the records that are replaced by others.
struct UniqueIdentifiers {
  /// The places of a used record.
  struct Place {
    /// The line in the file.
    var line: Int
    /// The number among the records of the point set, if the record is there.
    var point: Int?
    /// The number in the shape set, if the record is there.
    var shape: Int?
  }

  private let policy: DuplicatePolicy
  private var index = IdentifierIndex()
  /// The record that currently holds each id.
  private var holders = ContiguousArray<Place>()
  private var removedPoints: Set<Int> = []
  private var removedShapes: Set<Int> = []

  init(policy: DuplicatePolicy) { self.policy = policy }

  /// Reserves room for a total number of ids.
  mutating func reserve(_ total: Int) { index.reserve(total) }

  /// Compares a record's id with those of earlier records; records without an id all differ.
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
    let earlier = holders[known]
    let id = ids.text(row) ?? ""
    guard policy == .last else { return .repeated(id: id, line: earlier.line) }
    holders[known] = place
    if let point = earlier.point { removedPoints.insert(point) }
    if let shape = earlier.shape { removedShapes.insert(shape) }
    return .replaced(id: id, line: earlier.line)
  }

  /// Returns the points without those of replaced records.
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

  /// Returns the shapes without the replaced ones.
  func pruned(_ shapes: ShapeSet) -> ShapeSet {
    removedShapes.isEmpty ? shapes : shapes.removing { removedShapes.contains($0) }
  }
}
