package import Features
import Ingest
import JSON

/// The records of another reader with the columns of a table joined to them.
///
/// Every record stays: one whose key matches no row gains nulls. Both sides' misses are counted in
/// the ledger's `joins`, for records before any filter.
package struct JoinedReader: DerivedReader {
  package private(set) var base: any FeatureReader
  private let table: JoinTable
  private var names = ColumnUnion()
  /// The position of each column of the base among ``names``.
  private var basePlaces: [Int] = []
  /// The position of each column of the table; empty before the first batch.
  private var tablePlaces: [Int] = []
  private var scratch = FeatureBatch()
  /// The table's row for each record of the batch, −1 for none.
  private var rows = ContiguousArray<Int32>()
  /// Whether a record requested each key of the table.
  private var isUsed: ContiguousArray<Bool>
  private var counts: JoinCounts
  private var hasEnded = false

  package init(_ base: any FeatureReader, table: JoinTable) {
    self.base = base
    self.table = table
    isUsed = ContiguousArray(repeating: false, count: table.keys.count)
    counts = table.counts
    adoptNames(base.propertyNames)
  }

  package var propertyNames: [String] { names.names }

  package var columnNames: [String] { base.columnNames + table.columnNames }

  package var ledger: SourceLedger {
    var ledger = base.ledger
    ledger.add(table.ledger)
    ledger.joins.append(counts)
    return ledger
  }

  package mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    guard try base.read(into: &scratch) else {
      addTableNames()
      countUnused()
      batch.removeAll()
      return false
    }
    adoptNames(scratch.columns.lazy.map(\.name))
    if tablePlaces.isEmpty { try checkNames() }
    addTableNames()
    try checkCollisions()
    findRows()
    prepare(&batch)
    exchange(&batch)
    for (column, place) in tablePlaces.enumerated() {
      batch.columns[place].append(gathering: rows, of: table.columns[column])
    }
    return true
  }
}

// Columns.
extension JoinedReader {
  private mutating func adoptNames(_ found: some Sequence<String>) {
    for name in found.dropFirst(basePlaces.count) { basePlaces.append(names.add(name)) }
  }

  /// Assigns positions to the table's columns, after the columns of the base's first batch.
  private mutating func addTableNames() {
    guard tablePlaces.isEmpty else { return }
    tablePlaces = table.columns.map { names.add($0.name) }
  }

  /// Refuses a column of the source whose name the table has too, even if it is not read: whether a
  /// join works does not depend on what is requested.
  private func checkNames() throws(SourceError) {
    guard let row = scratch.lines.indices.first,
      let name = base.columnNames.first(where: table.columnNames.contains)
    else { return }
    throw collision(of: name, row: row)
  }

  private func collision(of name: String, row: Int) -> SourceError {
    SourceError(
      code: .configuration, file: table.file,
      message: "the source has a property '\(name)' too (its line \(scratch.lines[row])). Set "
        + "'prefix:' of the join, or leave the column out with 'select:'.")
  }

  /// Refuses a property that both sides have. A column that the base was merely asked for, and that
  /// no record has, does not count.
  private func checkCollisions() throws(SourceError) {
    for (column, place) in basePlaces.enumerated()
    where column < scratch.columns.count && tablePlaces.contains(place) {
      guard let row = scratch.columns[column].kinds.firstIndex(where: { $0 != .missing }) else {
        continue
      }
      throw collision(of: names.names[place], row: row)
    }
  }

  private func prepare(_ batch: inout FeatureBatch) {
    batch.removeAll()
    if !batch.columns.lazy.map(\.name).elementsEqual(names.names) {
      batch.columns = names.names.map { PropertyColumn(name: $0) }
    }
  }

  /// Passes on the base's columns; the two batches exchange their memory.
  private mutating func exchange(_ batch: inout FeatureBatch) {
    swap(&batch.geometry, &scratch.geometry)
    swap(&batch.ids, &scratch.ids)
    swap(&batch.lines, &scratch.lines)
    swap(&batch.origins, &scratch.origins)
    swap(&batch.otherFiles, &scratch.otherFiles)
    for (column, place) in basePlaces.enumerated()
    where column < scratch.columns.count && !tablePlaces.contains(place) {
      swap(&batch.columns[place], &scratch.columns[column])
    }
  }
}

// Rows.
extension JoinedReader {
  /// Finds the row of each record of the base's batch, and counts the misses.
  ///
  /// - Complexity: O(records + bytes of their keys).
  private mutating func findRows() {
    rows.removeAll(keepingCapacity: true)
    let ids = table.options.left == "id" ? scratch.ids : PropertyColumn(name: "")
    let column = scratch.columns.first { $0.name == table.options.left } ?? ids
    let hasIDs = ids.count > 0
    for record in 0..<scratch.count {
      let isOther = column.count == 0 || (hasIDs && column.isNull(record))
      let number =
        isOther
        ? (hasIDs ? table.number(of: ids, record) : nil) : table.number(of: column, record)
      if let number {
        rows.append(table.rows[number])
        isUsed[number] = true
        counts.matched += 1
      } else {
        rows.append(-1)
        counts.missing += 1
        if counts.firstMissing == nil {
          counts.firstMissing = missing(record, isOther ? (hasIDs ? ids : nil) : column)
        }
      }
    }
  }

  private func missing(_ record: Int, _ key: PropertyColumn?) -> LedgerNote {
    let (left, right) = (table.options.left, table.options.right)
    let text = key.flatMap { $0.text(record) }
    return LedgerNote(
      file: scratch.file(record), line: scratch.lines[record],
      message: text.map { "no row of \(table.file) has '\(right)' \(JSONFailure.quoted($0))" }
        ?? "the record has no '\(left)'")
  }

  /// Counts the rows that no record requested, now that all records are known.
  private mutating func countUnused() {
    guard !hasEnded else { return }
    hasEnded = true
    var first = counts.firstUnused
    for (key, isUsed) in isUsed.enumerated() where !isUsed {
      counts.unused += 1
      let line = table.lines[Int(table.rows[key])]
      guard line < first?.line ?? .max else { continue }
      first = LedgerNote(
        file: table.file, line: line,
        message: "no record has '\(table.options.left)' "
          + JSONFailure.quoted(table.keys.text(key)))
    }
    counts.firstUnused = first
  }
}
