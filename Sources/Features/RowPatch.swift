/// The rows of one set that take the place of rows of another, or follow them.
package struct RowPatch: Sendable {
  /// A row that is replaced or removed.
  package struct Change: Hashable, Sendable {
    package var row: Int

    /// The row of the other set that takes its place; `nil` where it is removed.
    package var replacement: Int?

    package init(row: Int, replacement: Int?) {
      self.row = row
      self.replacement = replacement
    }
  }

  /// The changes, in ascending order of their rows.
  package var changes: [Change]

  /// The rows of the other set that come after all rows.
  package var added: Range<Int>

  package init(changes: [Change], added: Range<Int>) {
    self.changes = changes
    self.added = added
  }

  /// Calls `body` with the runs of rows that make up the patched set, and whether each is a run of
  /// the other set.
  ///
  /// - Parameter count: the number of rows of the set.
  func forEachRun(count: Int, _ body: (_ run: Range<Int>, _ isOther: Bool) -> Void) {
    var next = 0
    for change in changes {
      if next < change.row { body(next..<change.row, false) }
      if let row = change.replacement { body(row..<(row + 1), true) }
      next = change.row + 1
    }
    if next < count { body(next..<count, false) }
    if !added.isEmpty { body(added, true) }
  }

  /// Returns the number of rows of the patched set.
  func count(of count: Int) -> Int {
    count - changes.count { $0.replacement == nil } + added.count
  }
}

extension PointSet {
  /// Returns the set with rows of another set in the place of some points, and after them.
  ///
  /// - Returns: `nil` where a record of either set has several points, or the properties differ.
  /// - Complexity: O(points + bytes), as a few copies per change and column.
  package func applying(_ patch: RowPatch, from other: PointSet) -> PointSet? {
    guard owners.records == nil, other.owners.records == nil,
      let records = records.applying(patch, from: other.records)
    else { return nil }
    return PointSet(
      longitudes: longitudes.applying(patch, from: other.longitudes),
      latitudes: latitudes.applying(patch, from: other.latitudes),
      positions: positions.applying(patch, from: other.positions), records: records, owners: nil,
      recordCount: patch.count(of: count))
  }
}

extension RecordColumns {
  /// - Returns: `nil` where the properties differ, or records have ids beside their properties.
  fileprivate func applying(_ patch: RowPatch, from other: RecordColumns) -> RecordColumns? {
    guard ids == nil, other.ids == nil, identifiers == nil, other.identifiers == nil,
      other.count == 0 || columns.map(\.name) == other.columns.map(\.name)
    else { return nil }
    let empty = columns.map { PropertyColumn(name: $0.name) }
    let others = other.count == 0 ? empty : other.columns
    let patched = zip(columns, others).map { $0.applying(patch, from: $1) }
    guard patched.allSatisfy({ $0 != nil }) else { return nil }
    return RecordColumns(
      columns: patched.compactMap(\.self), ids: nil,
      lines: lines.applying(patch, from: other.lines), idColumn: idColumn)
  }
}

extension PropertyColumn {
  /// - Returns: `nil` where the values could be longer than a column may be.
  fileprivate func applying(_ patch: RowPatch, from other: PropertyColumn) -> PropertyColumn? {
    guard bytes.count + other.bytes.count <= Self.byteLimit else { return nil }
    var result = PropertyColumn(name: name, in: bytes.scratch)
    result.reserve(rows: patch.count(of: count), bytes: bytes.count + other.bytes.count)
    patch.forEachRun(count: count) { run, isOther in
      result.append(rows: run, of: isOther ? other : self)
    }
    return result
  }
}

extension Column {
  fileprivate func applying(_ patch: RowPatch, from other: Column) -> Column {
    var result = Column(in: scratch)
    result.reserveCapacity(patch.count(of: count))
    patch.forEachRun(count: count) { run, isOther in
      result.append(contentsOf: (isOther ? other : self)[run])
    }
    return result
  }
}
