package import Features
import Ingest

/// The records of another reader after a log of edits has been applied.
///
/// Records that the log deletes are dropped, those that it changes keep their place, and those that
/// only the log has come last, in the order in which the log first creates them. So the result
/// equals a snapshot of the edited source. A changed record keeps the key as the source spells it;
/// its line is the line of the log's last entry for it (``FeatureBatch/file(_:)`` names the log).
/// When several records of the source share a key, the log applies to each.
///
/// The ledger counts the edited source; what the log did is counted in its `edits`.
package struct EditedReader: DerivedReader {
  package private(set) var base: any FeatureReader
  private let log: EditLog
  private var search: EditSearch
  private var names = ColumnUnion()
  /// The position of each column of the base among ``names``.
  private var basePlaces: [Int] = []
  /// The column of the base and the column of the log for each of ``names``.
  private var ofBase: [Int?] = []
  private var ofLog: [Int?] = []
  /// The batch of the base before edits.
  private var scratch = FeatureBatch()
  /// Whether the base has a record of each key of the log.
  private var isFound: ContiguousArray<Bool>
  private var counts = EditCounts()
  /// The next of the log's makers to process, once the base has ended.
  private var nextMaker: Int?

  /// The position in ``scratch`` where a batch that became too large was broken off.
  private var rest: (row: Int, hit: Int)?

  /// Maximum number of the log's own records in one batch.
  private static let batchRecords = 4096

  /// The size in bytes beyond which no more records of the log go into a batch: thousands of
  /// records that share a key may each take a large one.
  private static let batchBytes = 16 << 20

  package init(_ base: any FeatureReader, log: EditLog) {
    self.base = base
    self.log = log
    search = EditSearch(log)
    isFound = ContiguousArray(repeating: false, count: log.keys.count)
    adoptNames(base.propertyNames)
  }

  package var propertyNames: [String] { names.names }

  /// - Returns: `nil`: rows of the base may be left out.
  package func part(ofRow row: Int) -> String? { nil }

  package var ledger: SourceLedger {
    var ledger = base.ledger
    ledger.add(log.ledger)
    ledger.edits = counts
    return ledger
  }

  package mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    while nextMaker == nil {
      if rest == nil {
        guard try readBase() else { break }
      }
      prepare(&batch)
      if search.hits.isEmpty {
        exchange(&batch)
      } else {
        applyEdits(to: &batch)
      }
      if batch.count > 0 { return true }
    }
    prepare(&batch)
    insert(into: &batch)
    return batch.count > 0
  }

  /// Reads the next batch of the base and looks up its records in the log.
  ///
  /// - Returns: whether there was one.
  private mutating func readBase() throws(SourceError) -> Bool {
    let hasMore = try base.read(into: &scratch)
    shiftOrigins()
    // Names that occurred only in a broken record are not columns of the batch.
    if hasMore { adoptNames(scratch.columns.lazy.map(\.name)) }
    addLogNames()
    guard hasMore else {
      countDangling()
      nextMaker = 0
      return false
    }
    try checkOwnColumns()
    search.search(scratch)
    return true
  }
}

// Columns.
extension EditedReader {
  /// Assigns positions to the columns that the base has found meanwhile.
  private mutating func adoptNames(_ found: some Sequence<String>) {
    for name in found.dropFirst(basePlaces.count) {
      let column = basePlaces.count
      let place = names.add(name)
      basePlaces.append(place)
      fill(to: place)
      ofBase[place] = column
    }
  }

  /// Assigns positions to the log's columns, after the columns of the base's first batch.
  private mutating func addLogNames() {
    guard ofLog.allSatisfy({ $0 == nil }) else { return }
    for (column, one) in log.records.columns.enumerated() {
      let place = names.add(one.name)
      fill(to: place)
      ofLog[place] = column
    }
  }

  private mutating func fill(to place: Int) {
    while ofBase.count <= place { ofBase.append(nil) }
    while ofLog.count <= place { ofLog.append(nil) }
  }

  /// Numbers the files of the base's records after the files of the log.
  private mutating func shiftOrigins() {
    guard !scratch.origins.isEmpty else { return }
    let shift = UInt16(log.files.count)
    for index in scratch.origins.indices where scratch.origins[index] > 0 {
      scratch.origins[index] += shift
    }
    scratch.otherFiles = log.files + scratch.otherFiles
  }

  /// Empties a batch and gives it all columns.
  private func prepare(_ batch: inout FeatureBatch) {
    batch.removeAll()
    batch.otherFiles = scratch.origins.isEmpty ? log.files : scratch.otherFiles
    if !batch.columns.lazy.map(\.name).elementsEqual(names.names) {
      batch.columns = names.names.map { PropertyColumn(name: $0) }
    }
  }

  /// Refuses a column that the log claims for itself, since the records would lose it.
  private func checkOwnColumns() throws(SourceError) {
    for name in log.ownColumns where log.records.count > 0 {
      guard let column = scratch.columns.first(where: { $0.name == name }),
        column.kinds.contains(where: { $0 != .missing })
      else { continue }
      throw SourceError(
        code: .configuration, file: log.files.first ?? "",
        message: "the source has a property '\(name)' too, which the log could not change. Name "
          + "the log's own column otherwise, with 'op:' or 'time:' of 'edits:'.")
    }
  }
}

// Records.
extension EditedReader {
  /// Passes on the base's batch unchanged: the two batches exchange their memory.
  private mutating func exchange(_ batch: inout FeatureBatch) {
    swap(&batch.geometry, &scratch.geometry)
    swap(&batch.ids, &scratch.ids)
    swap(&batch.lines, &scratch.lines)
    swap(&batch.origins, &scratch.origins)
    for (column, place) in basePlaces.enumerated() where column < scratch.columns.count {
      swap(&batch.columns[place], &scratch.columns[column])
    }
    for place in batch.columns.indices where batch.columns[place].count < batch.count {
      batch.columns[place].append(.missing, count: batch.count - batch.columns[place].count)
    }
  }

  /// Passes on the base's batch with the edits applied, or what is left of it.
  private mutating func applyEdits(to batch: inout FeatureBatch) {
    var next = rest?.row ?? 0
    let firstHit = rest?.hit ?? 0
    rest = nil
    for (index, hit) in search.hits.enumerated().dropFirst(firstHit) {
      guard let action = log.edits[hit.key].action else { continue }
      if batch.count > 0, batch.byteCount > Self.batchBytes {
        rest = (next, index)
        return
      }
      batch.append(rows: next..<hit.row, of: scratch, from: ofBase)
      next = hit.row + 1
      isFound[hit.key] = true
      switch action {
      case .delete: counts.deleted += 1
      case .replace(let row):
        counts.edited += 1
        append(row, over: hit.row, keepsRest: false, to: &batch)
      case .change(let row):
        counts.edited += 1
        append(row, over: hit.row, keepsRest: true, to: &batch)
      }
    }
    batch.append(rows: next..<scratch.count, of: scratch, from: ofBase)
  }

  /// Appends a record of the log that replaces one of the base.
  ///
  /// - Parameter keepsRest: whether values that the log lacks are taken from the base.
  private func append(
    _ row: Int, over old: Int, keepsRest: Bool, to batch: inout FeatureBatch
  ) {
    let new = log.records
    for place in batch.columns.indices {
      let isKey = batch.columns[place].name == log.key
      let column = ofLog[place].map { new.columns[$0] }
      let oldColumn = ofBase[place].map { scratch.columns[$0] }
      if isKey, let oldColumn, !oldColumn.isNull(old) {
        batch.columns[place].append(old, of: oldColumn)
      } else if let column, column.kinds[row] != .missing || !keepsRest {
        batch.columns[place].append(row, of: column)
      } else if keepsRest, let oldColumn {
        batch.columns[place].append(old, of: oldColumn)
      } else {
        batch.columns[place].append(.missing)
      }
    }
    if keepsRest, new.geometry.kinds[row] == .none {
      batch.geometry.append(old, of: scratch.geometry)
    } else {
      batch.geometry.append(row, of: new.geometry)
    }
    if scratch.ids.isNull(old) {
      batch.ids.append(row, of: new.ids)
    } else {
      batch.ids.append(old, of: scratch.ids)
    }
    batch.fillOrigins()
    batch.origins.append(new.origins[row])
    batch.lines.append(new.lines[row])
  }

  /// Appends the records that only the log has.
  private mutating func insert(into batch: inout FeatureBatch) {
    guard var next = nextMaker else { return }
    while next < log.makers.count, batch.count < Self.batchRecords {
      let key = log.makers[next]
      next += 1
      guard !isFound[key], case .replace(let row) = log.edits[key].action else { continue }
      batch.append(rows: row..<(row + 1), of: log.records, from: ofLog)
      counts.inserted += 1
    }
    nextMaker = next
  }

  /// Counts the entries that found no record, now that all records are known.
  private mutating func countDangling() {
    var first: Int?
    for (key, edits) in log.edits.enumerated() {
      let dangling = isFound[key] ? edits.danglingIfThere : edits.danglingIfNot
      counts.dangling += dangling.count
      if let entry = dangling.first { first = min(first ?? entry, entry) }
    }
    counts.firstDangling = first.map { log.note(entry: $0) }
  }
}
