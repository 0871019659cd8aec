import MBTiles

extension TapRowCursor {
  /// Creates a cursor on the first of the new or of the removed rows of a delta.
  convenience init(
    _ table: TapTable, of delta: DeltaReader, removed: Bool = false
  ) throws(ArchiveError) {
    let columns = table.keys + (removed ? [] : [table.content])
    try self.init(
      table,
      delta.rows(
        "SELECT \(columns.joined(separator: ", ")) FROM \(removed ? "removed" : "new")_\(table.name)"
          + " ORDER BY rowid"),
      isPlain: removed, failure: { delta.damaged($0) }, fault: { delta.damaged($0) })
  }
}
