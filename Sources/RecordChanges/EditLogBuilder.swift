import Calendar
import Features
import Ingest
import JSON

/// A builder that takes the entries of a log one by one and combines those of each key.
struct EditLogBuilder {
  /// The members of an entry other than its values, as texts of the file.
  struct Claim {
    var operation: String?
    var time: String?
  }

  let options: EditLogOptions
  private(set) var files: [String] = []
  private(set) var ledger = SourceLedger()
  private var keys = IdentifierIndex()
  private var entries = ContiguousArray<EditEntry>()
  private var columns = ColumnUnion()
  private var records = FeatureBatch()
  private var ownColumns: Set<String> = []
  private var bytes = 0
  private var time = Instant.distantPast

  init(options: EditLogOptions) { self.options = options }

  /// Begins a file of the log.
  mutating func open(_ file: String) throws(SourceError) {
    guard files.count < options.limits.files else {
      throw SourceError(
        code: .configuration, file: file,
        message: "a log of more than \(options.limits.files) files. Join some of them.")
    }
    files.append(file)
    records.otherFiles = files
  }

  /// Adds the records of the open file that a reader rejected.
  mutating func add(_ rejected: SourceLedger) {
    var rejected = rejected
    rejected.nameFile(files.last ?? "")
    ledger.add(rejected)
  }

  /// Notes that a column was read as the log's own.
  mutating func noteOwnColumn(_ name: String) { ownColumns.insert(name) }

  /// Adds an entry of the open file.
  ///
  /// - Parameters:
  ///   - keyColumn: the column of the batch with its key; where it is null the Feature's id counts.
  ///   - own: columns of the batch that are not values.
  ///   - isSparse: whether null means that a value is absent, like an empty field of a CSV update.
  mutating func take(
    _ batch: FeatureBatch, _ row: Int, claim: Claim, keyColumn: Int?, own: [Int], isSparse: Bool
  ) throws(SourceError) {
    guard let operation = EditOperation(rawValue: claim.operation ?? "upsert") else {
      return reject(
        batch.lines[row],
        "\(JSONFailure.quoted(claim.operation ?? "")) is no operation; write "
          + EditOperation.allCases.map(\.rawValue).joined(separator: ", "))
    }
    guard let time = claim.time.map({ Instant.parse($0)?.instant }) ?? self.time else {
      return reject(
        batch.lines[row],
        "\(JSONFailure.quoted(claim.time ?? "")) is no time; write 2014-01-19T06:00:00Z")
    }
    let id = keyColumn.map { batch.columns[$0] }.flatMap { $0.isNull(row) ? nil : $0 } ?? batch.ids
    guard let key = try number(of: id, row, line: batch.lines[row]) else {
      return reject(batch.lines[row], "the entry has no key (\(keyWords))")
    }
    guard entries.count < options.limits.entries else {
      throw tooLarge(batch.lines[row], "\(options.limits.entries) entries")
    }
    self.time = time
    var entry = EditEntry(
      operation: operation, key: UInt32(key), row: nil, time: time, line: batch.lines[row],
      file: UInt16(files.count - 1))
    if operation != .delete {
      entry.row = UInt32(records.count)
      try append(batch, row, id: id, without: own, skipsNull: isSparse && operation == .update)
    }
    entries.append(entry)
  }

  /// Rejects an entry.
  mutating func reject(_ line: Int, _ message: String) {
    ledger.read += 1
    ledger.reject(
      SourceLedger.Example(
        reason: .invalidEdit, file: files.last, line: line, column: 0, message: message),
      as: .invalidEdit)
  }

  /// Combines the entries of each key.
  ///
  /// - Complexity: O(entries · log(entries) + bytes).
  consuming func finish() -> EditLog {
    let entries = self.entries
    let order = entries.indices.sorted {
      (entries[$0].time, $0) < (entries[$1].time, $1)
    }
    var edits = ContiguousArray(repeating: KeyEdits(), count: keys.count)
    for (rank, index) in order.enumerated() {
      edits[Int(entries[index].key)].apply(entries[index], index: index, rank: rank)
    }
    var filter = KeyFilter(capacity: keys.count)
    var merger = EditMerger(records)
    for number in edits.indices {
      keys.withBytes(number) { filter.insert($0) }
      if edits[number].layers.count > 1 {
        edits[number].flatten(to: merger.merge(edits[number].layers))
      }
      edits[number].close()
    }
    let makers = edits.indices.filter { edits[$0].inserts }
      .sorted { (edits[$0].rank ?? 0) < (edits[$1].rank ?? 0) }
    return EditLog(
      keys: keys, edits: edits, makers: ContiguousArray(makers), filter: filter,
      records: merger.finish(),
      entries: entries, ownColumns: ownColumns.sorted(), key: options.key, files: files,
      ledger: ledger)
  }
}

// The values of entries.
extension EditLogBuilder {
  private var keyWords: String { options.key.map { "'\($0)'" } ?? "the Feature's id" }

  private func tooLarge(_ line: Int, _ what: String) -> SourceError {
    SourceError(
      code: .badData, file: files.last ?? "", line: line,
      message: "the log of edits is larger than \(what). Write what it comes to into the source "
        + "and begin a new log.")
  }

  /// Returns the number of a row's key, or `nil` if it has none.
  private mutating func number(
    of id: PropertyColumn, _ row: Int, line: Int
  ) throws(SourceError) -> Int? {
    let length = KeyText.withBytes(of: id, row) { $0.count }
    guard let length else { return nil }
    // Any key may be a new one.
    try count(length, line: line)
    return KeyText.withBytes(of: id, row) { keys.insert($0) ?? keys.count - 1 }
  }

  /// Counts bytes against the limit.
  private mutating func count(_ added: Int, line: Int) throws(SourceError) {
    bytes += added
    if bytes > min(options.limits.bytes, PropertyColumn.byteLimit / 2) {
      throw tooLarge(line, "\(options.limits.bytes) bytes")
    }
  }

  /// Appends a row's values, and its key where only the id of the Feature has it.
  private mutating func append(
    _ batch: FeatureBatch, _ row: Int, id: PropertyColumn, without own: [Int], skipsNull: Bool
  ) throws(SourceError) {
    var size = 0
    for place in batch.columns.indices where !own.contains(place) {
      let column = batch.columns[place]
      guard column.kinds[row] != .missing, !(skipsNull && column.kinds[row] == .null) else {
        continue
      }
      size += column.withBytes(row) { $0.count }
      put(row, of: column, into: columns.add(column.name))
    }
    if let key = options.key, columns.place(key).map(isOpen) ?? true {
      put(row, of: id, into: columns.add(key))
    }
    for part in batch.geometry.partRange(row) {
      size += 16 + 16 * batch.geometry.positionRange(part).count
    }
    records.geometry.append(row, of: batch.geometry)
    records.ids.append(row, of: options.key == nil ? id : batch.ids)
    records.lines.append(batch.lines[row])
    records.origins.append(UInt16(files.count))
    fillUp()
    try count(size, line: batch.lines[row])
  }

  /// Whether the row under construction has no value in a column yet.
  private func isOpen(_ place: Int) -> Bool { records.columns[place].count == records.count }

  /// Puts a value into the row under construction.
  private mutating func put(_ row: Int, of column: PropertyColumn, into place: Int) {
    if place == records.columns.count {
      var new = PropertyColumn(name: columns.names[place])
      new.append(.missing, count: records.count)
      records.columns.append(new)
    }
    records.columns[place].append(row, of: column)
  }

  /// Pads every column to a row for each record.
  private mutating func fillUp() {
    for place in records.columns.indices where records.columns[place].count < records.count {
      records.columns[place].append(.missing)
    }
  }
}

/// A merger of several records that change the same one: the last value of each column wins.
struct EditMerger {
  private let records: FeatureBatch
  /// The merged records, numbered after the others.
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

  /// Returns all records, the merged ones after the others.
  consuming func finish() -> FeatureBatch {
    var all = records
    all.append(rows: 0..<merged.count, of: merged, from: Array(merged.columns.indices))
    return all
  }
}
