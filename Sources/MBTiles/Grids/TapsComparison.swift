import SQLite

/// The differences between the taps of two archives of this program.
struct TapsComparison {
  let entries: EntryChanges

  /// The grids of the new archive with a key whose data differs from before.
  private var stale = ImageIndex()

  /// - Complexity: O(bytes of the data of keys), and where that changed of all names in grids.
  init(old: ArchiveReader, new: ArchiveReader) throws(ArchiveError) {
    entries = try EntryChanges(old: old, new: new)
    guard !entries.changed.isEmpty else { return }
    try new.reading(.taps()) { () throws(SQLiteError) in
      let rows = try new.database.prepare("SELECT grid_id, key_name FROM grid_key")
      while try rows.step() {
        guard entries.changed.contains(rows.withBytes(1) { Array($0) }),
          let grid = rows.withBytes(0, { MD5Digest(hexadecimal: $0) }),
          stale.number(of: grid) == nil
        else { continue }
        stale.add(grid)
      }
    }
  }

  /// Returns the difference between the answers of a tile whose image is the same in both archives;
  /// `nil` if there is none.
  func difference(_ before: MD5Digest?, _ after: MD5Digest?) -> TileChange.Part? {
    if before != after { return .grid }
    return after.flatMap { stale.number(of: $0) } == nil ? nil : .entries
  }
}
