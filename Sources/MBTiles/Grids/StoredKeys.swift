import SQLite

/// The keys in an archive: those of each grid, and their data.
package final class StoredKeys {
  private let reader: ArchiveReader
  private let names: Statement
  private let entries: Statement
  private let grids: Statement

  package init(_ reader: ArchiveReader) throws(ArchiveError) {
    self.reader = reader
    names = try reader.prepare(
      "SELECT key_name FROM grid_key WHERE grid_id = ?1 ORDER BY key_name", for: .taps())
    grids = try reader.prepare(
      "SELECT grid_utfgrid FROM grid_utfgrid WHERE grid_id = ?1", for: .taps())
    entries = try reader.prepare("SELECT key_json FROM keymap WHERE key_name = ?1", for: .taps())
  }

  /// Returns the keys of a grid, ascending.
  package func keys(ofGrid name: String) throws(ArchiveError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    try reader.reading(.taps()) { () throws(SQLiteError) in
      names.reset()
      try names.bind(name, at: 1)
      while try names.step() { keys.append(names.withBytes(0) { Array($0) }) }
    }
    return keys
  }

  /// Returns the bytes of a grid, which are valid until the next call; empty where the archive does not
  /// have it.
  package func grid(_ name: String) throws(ArchiveError) -> UnsafeRawBufferPointer {
    try reader.reading(.taps()) { () throws(SQLiteError) in
      grids.reset()
      try grids.bind(name, at: 1)
      _ = try grids.step()
    }
    return grids.withBytes(0) { $0 }
  }

  /// Returns the data of a key as JSON; `nil` where the archive has none.
  package func entry(of key: [UInt8]) throws(ArchiveError) -> [UInt8]? {
    return try reader.reading(.taps()) { () throws(SQLiteError) in
      entries.reset()
      try entries.bind(String(decoding: key, as: UTF8.self), at: 1)
      return try entries.step() ? entries.withBytes(0) { Array($0) } : nil
    }
  }
}
