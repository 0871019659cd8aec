import Features

/// A merger of several records that change the same one: the last value of each column wins.
struct EditMerger {
  private let records: FeatureBatch
  /// The merged records, numbered behind the others.
  private var merged = FeatureBatch()

  init(_ records: FeatureBatch) {
    self.records = records
    merged.columns = records.columns.map { PropertyColumn(name: $0.name) }
    merged.otherFiles = records.otherFiles
  }

  /// Merges some rows, later ones over earlier ones.
  ///
  /// - Returns: the row of the result among those that ``finish()`` returns.
  /// - Complexity: O(columns · rows + bytes).
  mutating func merge(_ rows: [Int]) -> Int {
    guard let last = rows.last else { return 0 }
    for place in records.columns.indices {
      let column = records.columns[place]
      let row = rows.last { column.kinds[$0] != .missing } ?? last
      merged.columns[place].append(row, of: column)
    }
    let shape = rows.last { records.geometry.kinds[$0] != .none } ?? last
    merged.geometry.append(shape, of: records.geometry)
    merged.ids.append(rows.last { !records.ids.isNull($0) } ?? last, of: records.ids)
    merged.origins.append(records.origins[last])
    merged.lines.append(records.lines[last])
    return records.count + merged.count - 1
  }

  /// Returns all records, the merged ones behind the others.
  consuming func finish() -> FeatureBatch {
    var all = records
    all.append(rows: 0..<merged.count, of: merged, from: Array(merged.columns.indices))
    return all
  }
}
