package import Features
package import Ingest

/// A table whose rows are looked up by a key: columns, and an index of the keys.
///
/// Keys are compared as text, numbers in their shortest form: 1234 in a CSV file matches 1234,
/// 1234.0 and "1234" in a GeoJSON file; 01234 is another key, unless ``KeyComparison/codes`` are
/// compared.
package struct JoinTable: Sendable {
  /// The columns that records gain, under their final names.
  private(set) var columns: [PropertyColumn] = []

  /// The names of all columns that records can gain, whether or not they will be read.
  let columnNames: [String]

  let options: JoinOptions

  /// The file as the user named it.
  package let file: String

  /// Rows that could not be read; `read` counts only those.
  package private(set) var ledger = SourceLedger()

  /// The counts before any lookup: duplicate rows, rows without a key.
  private(set) var counts: JoinCounts

  private(set) var keys = IdentifierIndex()
  /// The row of each key.
  private(set) var rows = ContiguousArray<Int32>()
  /// The line of each row.
  private(set) var lines = ContiguousArray<Int>()
  private var bytes = 0

  /// Reads a table.
  ///
  /// - Throws: ``SourceError`` when the file cannot be read further, lacks a column that the
  ///   options name, is over its ``JoinLimits``, or has a key twice and the policy is `error`.
  /// - Complexity: O(bytes).
  package init(reading source: ByteSource, options: JoinOptions) throws(SourceError) {
    self.options = options
    file = source.name
    counts = JoinCounts(file: source.name)
    var reader = try CSVReader(source, options: Self.csvOptions(options))
    let names = reader.propertyNames
    guard let keyPlace = names.firstIndex(of: options.right) else {
      throw reader.missing(options.right, " in \(file)", key: "on")
    }
    let isKeyGained = options.select?.contains(options.right) ?? false
    let gained = names.indices.filter { $0 != keyPlace || isKeyGained }
    columnNames = reader.columnNames.filter { $0 != options.right || isKeyGained }
      .map { options.prefix + $0 }
    columns = gained.map { PropertyColumn(name: options.prefix + names[$0]) }
    var batch = FeatureBatch()
    while try reader.read(into: &batch) {
      try append(batch, key: keyPlace, gained: gained)
    }
    ledger = reader.ledger
    ledger.nameFile(file)
  }

  private static func csvOptions(_ options: JoinOptions) -> CSVOptions {
    var csv = options.csv
    csv.hasGeometry = false
    csv.select = options.select
    csv.tested = [options.right]
    csv.wanted = options.wanted.map { names in
      names.filter { $0.hasPrefix(options.prefix) }.map {
        String($0.dropFirst(options.prefix.count))
      }
        + [options.right]
    }
    csv.limits.record = min(csv.limits.record, options.limits.row)
    csv.limits.field = min(csv.limits.field, options.limits.row)
    return csv
  }

  private mutating func append(
    _ batch: FeatureBatch, key keyPlace: Int, gained: [Int]
  ) throws(SourceError) {
    guard lines.count + batch.count <= min(options.limits.rows, Int(Int32.max)) else {
      throw tooLarge("\(options.limits.rows) rows")
    }
    let key = batch.columns[keyPlace]
    bytes += key.bytes.count
    for place in gained { bytes += batch.columns[place].bytes.count }
    guard bytes <= min(options.limits.bytes, PropertyColumn.byteLimit) else {
      throw tooLarge("\(options.limits.bytes) bytes")
    }
    for (column, place) in gained.enumerated() {
      columns[column].append(contentsOf: batch.columns[place])
    }
    for row in 0..<batch.count { try addKey(key, row, line: batch.lines[row]) }
  }

  private func tooLarge(_ what: String) -> SourceError {
    SourceError(
      code: .badData, file: file,
      message:
        "a joined table of more than \(what). Keep fewer columns with 'select:', or join the "
        + "files before.")
  }

  /// Inserts the next row into the index.
  private mutating func addKey(
    _ column: PropertyColumn, _ row: Int, line: Int
  ) throws(SourceError) {
    let number = Int32(lines.count)
    lines.append(line)
    let before = keys.count
    let found = withKey(of: column, row, options.rightPrefix) { keys.insert($0) ?? before }
    guard let found else {
      counts.unused += 1
      counts.firstUnused =
        counts.firstUnused
        ?? LedgerNote(file: file, line: line, message: "the row has no '\(options.right)'")
      return
    }
    if found == before {
      rows.append(number)
      return
    }
    try repeatKey(found, row: number)
  }

  /// Returns the number of the key in a row of another column, `nil` where the table lacks it.
  func number(of column: PropertyColumn, _ row: Int) -> Int? {
    withKey(of: column, row, options.leftPrefix) { keys.number(of: $0) } ?? nil
  }

  /// Calls `body` with the bytes of a row's key as they are compared; `nil` where the row has none.
  private func withKey<R>(
    of column: PropertyColumn, _ row: Int, _ prefix: String,
    _ body: (UnsafeRawBufferPointer) -> R
  ) -> R? {
    KeyText.withNumberBytes(of: column, row) { bytes in
      guard options.comparison != .exact || !prefix.isEmpty else { return body(bytes) }
      var text = options.comparison.text(String(decoding: bytes, as: UTF8.self), without: prefix)
      return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
  }

  /// Applies the policy for two rows with one key.
  private mutating func repeatKey(_ key: Int, row: Int32) throws(SourceError) {
    let (line, earlier) = (lines[Int(row)], lines[Int(rows[key])])
    func sentence(_ other: Int) -> String {
      SourceError.repetition("key", keys.text(key), line: other)
    }
    var gone = LedgerNote(file: file, line: line, message: sentence(earlier))
    switch options.onDuplicate {
    case .error:
      throw SourceError(
        code: .badData, file: file, line: line,
        message: "\(gone.message). Set 'onDuplicate: first' or 'last' of the join to keep one of "
          + "them.")
    case .first: break
    case .last:
      gone = LedgerNote(file: file, line: earlier, message: sentence(line))
      rows[key] = row
    }
    counts.repeated += 1
    counts.firstRepeated = counts.firstRepeated ?? gone
  }
}
