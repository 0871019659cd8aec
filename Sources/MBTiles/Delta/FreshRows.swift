import SQLite

/// The new images or grids of a delta, written in the order in which tiles first show them.
final class FreshRows {
  /// Writes a row: its number from 1 on, its name and bytes, and the name of the one that it
  /// replaces.
  typealias Insertion = (Int, MD5Digest, UnsafeRawBufferPointer, MD5Digest?) throws(ArchiveError) ->
    Void

  let names: NameDifference
  private(set) var written = 0
  private var seen = ImageIndex()
  private let table: NameDifference.Table
  private let reader: ArchiveReader
  private let selection: Statement
  private let insert: Insertion

  /// - Parameter drop: called with the names that the new archive no longer has.
  init(
    _ table: NameDifference.Table, old: ArchiveReader, new: ArchiveReader,
    drop: (MD5Digest) throws(ArchiveError) -> Void, insert: @escaping Insertion
  ) throws(ArchiveError) {
    self.table = table
    names = try NameDifference(table, old: old, new: new)
    reader = new
    self.insert = insert
    selection = try new.prepare(table.contentSelection)
    for name in names.dropped { try drop(name) }
  }

  /// Writes the image or grid of a tile, unless the old archive has it or it is already written.
  func write(_ name: MD5Digest) throws(ArchiveError) {
    guard names.fresh.number(of: name) != nil, seen.number(of: name) == nil else { return }
    seen.add(name)
    let isThere = try reader.reading { () throws(SQLiteError) in
      selection.reset()
      try selection.bind(name.description, at: 1)
      return try selection.step()
    }
    guard isThere else { return }
    let replaced = written < names.dropped.count ? names.dropped[written] : nil
    written += 1
    try selection.withBytes(0) { (bytes) throws(ArchiveError) in
      try insert(written, name, bytes, replaced)
    }
  }

  /// Refuses a new archive with images or grids that no tile shows.
  func requireAll() throws(ArchiveError) {
    guard written != names.fresh.count else { return }
    throw ArchiveError(.content(.unshownRows(table: table.rawValue)), path: reader.path)
  }
}
