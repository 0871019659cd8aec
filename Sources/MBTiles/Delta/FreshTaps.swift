import SQLite

/// The grids that a delta brings, written in the order in which tiles first show them.
final class FreshGrids {
  private let names: NameDifference
  private(set) var written = 0
  private var seen = ImageIndex()
  private let reader: ArchiveReader
  private let rows: DeltaRows
  private let selection: Statement
  private let keys: Statement

  /// Writes the names of those that the new archive has no longer.
  init(old: ArchiveReader, new: ArchiveReader, _ rows: DeltaRows) throws(ArchiveError) {
    names = try NameDifference(.grids, old: old, new: new)
    reader = new
    self.rows = rows
    do {
      selection = try new.database.prepare(
        "SELECT grid_utfgrid FROM grid_utfgrid WHERE grid_id = ?1")
      keys = try new.database.prepare(
        "SELECT key_name FROM grid_key WHERE grid_id = ?1 ORDER BY key_name")
    } catch {
      throw ArchiveError(error, doing: "read the taps of", path: new.path)
    }
    for name in names.dropped { try rows.drop(grid: name) }
  }

  /// Writes the grid of a tile, unless the old archive has it or it is written.
  func write(_ name: MD5Digest) throws(ArchiveError) {
    guard names.fresh.number(of: name) != nil, seen.number(of: name) == nil else { return }
    seen.add(name)
    var listed: [[UInt8]] = []
    do {
      try selection.bind(name.description, at: 1)
      guard try selection.step() else { return }
      try keys.bind(name.description, at: 1)
      while try keys.step() { listed.append(keys.withBytes(0) { Array($0) }) }
    } catch {
      throw ArchiveError(error, doing: "read the taps of", path: reader.path)
    }
    keys.reset()
    defer { selection.reset() }
    let replaced = written < names.dropped.count ? names.dropped[written] : nil
    written += 1
    try selection.withBytes(0) { (bytes) throws(ArchiveError) in
      try rows.insertGrid(written, name, bytes, replacing: replaced, keys: listed)
    }
  }

  /// Refuses a new archive with grids that no tile shows.
  func requireAll() throws(ArchiveError) {
    guard written != names.fresh.count else { return }
    throw ArchiveError(
      .badArchive, "\(reader.path) has grids that no tile shows. Build the archive again.",
      path: reader.path)
  }
}

/// What keys newly stand for, as a delta brings it.
struct FreshEntries {
  private let changes: EntryChanges
  private let reader: ArchiveReader
  private let rows: DeltaRows

  init(_ changes: EntryChanges, _ new: ArchiveReader, _ rows: DeltaRows) {
    self.changes = changes
    reader = new
    self.rows = rows
  }

  /// Writes the entries in the order of the new archive, each in the place of its own or of one that
  /// is gone, and the keys of those for which there is no other.
  ///
  /// - Returns: how many it wrote.
  func write() throws(ArchiveError) -> Int {
    var gone = changes.dropped[...]
    var count = 0
    let entries: Statement
    do {
      entries = try reader.database.prepare("SELECT key_name, key_json FROM keymap ORDER BY rowid")
    } catch {
      throw ArchiveError(error, doing: "read the taps of", path: reader.path)
    }
    while count < changes.fresh.count + changes.changed.count {
      do {
        guard try entries.step() else { break }
      } catch {
        throw ArchiveError(error, doing: "read the taps of", path: reader.path)
      }
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
