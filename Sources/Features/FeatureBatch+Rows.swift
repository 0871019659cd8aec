// Appending rows of one batch to another.
extension FeatureBatch {
  /// Appends a run of rows of another batch.
  ///
  /// - Parameter places: for each column of this batch the column of the other with its values,
  ///   `nil` where the other lacks it: those values are missing.
  /// - Complexity: O(columns + bytes of the rows).
  package mutating func append(rows: Range<Int>, of other: FeatureBatch, from places: [Int?]) {
    guard !rows.isEmpty else { return }
    for place in columns.indices {
      if let source = places[place] {
        columns[place].append(rows: rows, of: other.columns[source])
      } else {
        columns[place].append(.missing, count: rows.count)
      }
    }
    geometry.append(records: rows, of: other.geometry)
    ids.append(rows: rows, of: other.ids)
    if !other.origins.isEmpty {
      fillOrigins()
      otherFiles = other.otherFiles
      origins.append(contentsOf: other.origins[rows])
    }
    lines.append(contentsOf: other.lines[rows])
    if other.extents.count == other.count { extents.append(contentsOf: other.extents[rows]) }
    if !origins.isEmpty { fillOrigins() }
  }

  /// Gives every record so far an origin: the reader's own file unless another is set.
  package mutating func fillOrigins() {
    origins.append(contentsOf: repeatElement(0, count: count - origins.count))
  }

  /// Adds to the lines of the records from this one on.
  package mutating func moveLines(by lines: Int, from first: Int = 0) {
    for row in first..<count { self.lines[row] += lines }
  }

  /// The size of all values in bytes, plus 16 for each position.
  ///
  /// - Complexity: O(columns).
  package var byteCount: Int {
    columns.reduce(16 * geometry.positions.count) { $0 + $1.bytes.count }
  }
}
