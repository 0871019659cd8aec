import SQLite

/// The new data of keys in a delta.
struct FreshEntries {
  private let changes: EntryChanges
  private let reader: ArchiveReader
  private let rows: DeltaRows

  init(_ changes: EntryChanges, _ new: ArchiveReader, _ rows: DeltaRows) {
    self.changes = changes
    reader = new
    self.rows = rows
  }

  /// Writes the entries in the order of the new archive, each replacing its own or a removed one,
  /// and the removed keys that nothing replaces.
  ///
  /// - Returns: the number of entries written.
  func write() throws(ArchiveError) -> Int {
    var gone = changes.dropped[...]
    var count = 0
    let entries = try reader.prepare(
      "SELECT key_name, key_json FROM keymap ORDER BY rowid", for: .taps())
    while count < changes.fresh.count + changes.changed.count,
      try reader.reading(.taps(), { () throws(SQLiteError) in try entries.step() })
    {
      let key = entries.withBytes(0) { Array($0) }
      let replaced: [UInt8]?
      if changes.changed.contains(key) {
        replaced = key
      } else if changes.fresh.contains(key) {
        replaced = gone.popFirst()
      } else {
        continue
      }
      try rows.insertEntry(key, entries.withBytes(1) { Array($0) }, replacing: replaced)
      count += 1
    }
    for key in gone { try rows.drop(entry: key) }
    return count
  }
}
