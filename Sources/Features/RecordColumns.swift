/// The kept properties of many records from many batches, common to point and shape sets.
///
/// Row i of every column, of ``ids`` and of ``lines`` belongs to the same record. Columns keep the
/// positions that the reader gave them; one that a reader discovers late is `missing` in earlier
/// rows.
package struct RecordColumns: Sendable {
  /// The properties, in the order of the reader's schema.
  package private(set) var columns: [PropertyColumn] = []

  /// The ids in the file itself (GeoJSON `id`); `nil` until a record has one.
  package private(set) var ids: PropertyColumn?

  /// The fallback identifiers of ``FeatureIdentifiers`` for records whose id is missing or already
  /// taken; `nil` until there is one.
  package private(set) var identifiers: PropertyColumn?

  /// The line of the file on which each record begins, from 1; clamped at 4,294,967,295.
  package private(set) var lines: Column<UInt32>

  /// The position in ``columns`` of the feature's id property (`id:` of a source).
  package var idColumn: Int?

  /// Creates columns without rows.
  ///
  /// - Parameter scratch: decides where they lie; `nil` for memory.
  package init(in scratch: Scratch? = nil) {
    lines = Column(in: scratch)
  }

  /// Restores columns from saved ones; `nil` if these differ in length.
  package init?(
    columns: [PropertyColumn], ids: PropertyColumn?, identifiers: PropertyColumn? = nil,
    lines: Column<UInt32>, idColumn: Int?
  ) {
    guard
      (columns + [ids, identifiers].compactMap(\.self)).allSatisfy({ $0.count == lines.count }),
      idColumn.map(columns.indices.contains) ?? true
    else { return nil }
    self.columns = columns
    self.ids = ids
    self.identifiers = identifiers
    self.lines = lines
    self.idColumn = idColumn
  }

  /// The number of rows.
  package var count: Int { lines.count }

  /// Returns the position of a column, or `nil`.
  ///
  /// - Complexity: O(columns).
  package func index(of name: String) -> Int? {
    columns.firstIndex { $0.name == name }
  }

  /// Returns the id of a row as text: that of the ``idColumn``, otherwise the file's own, otherwise
  /// `nil`.
  package func id(_ row: Int) -> String? {
    idColumn.flatMap { columns[$0].text(row) } ?? ids?.text(row)
  }

  /// Returns the feature part of a row's ``FeatureKey``: its fallback identifier, otherwise its id;
  /// empty if neither was requested.
  package func identifier(_ row: Int) -> String {
    if let identifier = identifiers?.text(row) { return identifier }
    if let id = id(row), !id.isEmpty { return id }
    return ids?.text(row) ?? ""
  }

  /// Returns the column that lacks room for these rows of a batch, if there is one: offsets are 32
  /// bits wide. Call it before ``append(_:rows:)``.
  ///
  /// - Complexity: O(columns); O(columns · rows) when a column is nearly full.
  package func fullColumn(for batch: FeatureBatch, rows: some Collection<Int>) -> String? {
    let heldBytes = columns.map(\.bytes.count)
    let named = [(batch.ids, ids), (batch.identifiers, identifiers)]
    let all =
      batch.columns.enumerated().map { ($1, $0 < heldBytes.count ? heldBytes[$0] : 0) }
      + named.map { ($0, $1?.bytes.count ?? 0) }
    for (column, held) in all {
      // No row is longer than the batch's column, however often it is taken.
      let bound = column.bytes.count.multipliedReportingOverflow(by: rows.count)
      if !bound.overflow, bound.partialValue <= PropertyColumn.byteLimit - held { continue }
      var added = 0
      for row in rows {
        added += column.withBytes(row) { $0.count }
        if held + added > PropertyColumn.byteLimit { return column.name }
      }
    }
    return nil
  }

  /// Appends all rows of a batch.
  ///
  /// - Complexity: O(bytes), as three copies per column.
  package mutating func append(contentsOf batch: FeatureBatch) {
    adoptColumns(of: batch)
    for place in batch.columns.indices {
      columns[place].append(contentsOf: batch.columns[place])
    }
    Self.append(batch.ids, rows: 0..<batch.count, to: &ids, behind: count, lines.scratch)
    Self.append(
      batch.identifiers, rows: 0..<batch.count, to: &identifiers, behind: count, lines.scratch)
    for line in batch.lines { lines.append(UInt32(clamping: line)) }
    fillMissing(from: batch.columns.count)
  }

  /// Appends some rows of a batch, in the order and as often as they are listed.
  package mutating func append(_ batch: FeatureBatch, rows: some Sequence<Int>) {
    adoptColumns(of: batch)
    for place in batch.columns.indices {
      for row in rows { columns[place].append(row, of: batch.columns[place]) }
    }
    Self.append(batch.ids, rows: rows, to: &ids, behind: count, lines.scratch)
    Self.append(batch.identifiers, rows: rows, to: &identifiers, behind: count, lines.scratch)
    for row in rows { lines.append(UInt32(clamping: batch.lines[row])) }
    fillMissing(from: batch.columns.count)
  }

  /// Reserves a multiple of the present number of rows.
  package mutating func reserveCapacity(factor: Double) {
    for place in columns.indices { columns[place].reserveCapacity(factor: factor) }
    ids?.reserveCapacity(factor: factor)
    identifiers?.reserveCapacity(factor: factor)
    lines.reserveCapacity(factor: factor)
  }

  /// Returns the columns with only these rows.
  package func keeping(rows: some Sequence<Int>) -> RecordColumns {
    var kept = RecordColumns(in: lines.scratch)
    kept.idColumn = idColumn
    kept.columns = columns.map { $0.keeping(rows: rows) }
    kept.ids = ids?.keeping(rows: rows)
    kept.identifiers = identifiers?.keeping(rows: rows)
    for row in rows { kept.lines.append(lines[row]) }
    return kept
  }

  /// Removes columns that no row has, and sorts the others by name if asked to.
  mutating func removeMissingColumns(sorts: Bool) {
    let id = idColumn.map { columns[$0].name }
    columns.removeAll { column in column.kinds.allSatisfy { $0 == .missing } }
    if sorts { columns.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
    idColumn = id.flatMap { index(of: $0) }
  }

  private mutating func adoptColumns(of batch: FeatureBatch) {
    for place in columns.count..<max(columns.count, batch.columns.count) {
      var column = PropertyColumn(
        name: batch.columns[place].name, in: lines.scratch)
      column.append(.missing, count: count)
      columns.append(column)
    }
  }

  /// Appends rows of a column that does not exist until one of its rows has a value.
  private static func append(
    _ column: PropertyColumn, rows: some Sequence<Int>, to kept: inout PropertyColumn?,
    behind count: Int, _ scratch: Scratch?
  ) {
    let hasRows = column.kinds.contains { $0 != .missing }
    if kept == nil, hasRows {
      var first = PropertyColumn(name: column.name, in: scratch)
      first.append(.missing, count: count)
      kept = first
    }
    guard kept != nil else { return }
    for row in rows {
      if hasRows { kept?.append(row, of: column) } else { kept?.append(.missing, count: 1) }
    }
  }

  private mutating func fillMissing(from place: Int) {
    for place in place..<max(place, columns.count) {
      columns[place].append(.missing, count: count - columns[place].count)
    }
  }
}

extension PropertyColumn {
  fileprivate func keeping(rows: some Sequence<Int>) -> PropertyColumn {
    var kept = PropertyColumn(name: name, in: kinds.scratch)
    for row in rows { kept.append(row, of: self) }
    return kept
  }
}
