import MBTiles
import SQLite

/// The images or grids that two successive deltas add together, written in the order in which tiles
/// first show them.
final class MergedRows {
  /// Writes a row: its number from 1 on, its bytes, the name of the one that it replaces, and the
  /// keys of a grid.
  typealias Insertion = (Int, UnsafeRawBufferPointer, MD5Digest?, [[UInt8]]) throws(ArchiveError) ->
    Void

  /// The names that the archive before both deltas has and the one after them lacks, ascending.
  let dropped: [MD5Digest]
  private(set) var written = 0
  private var fresh: [MD5Digest: DeltaContents] = [:]

  /// - Parameter drop: called with each of the dropped names.
  init(
    _ table: NameDifference.Table, _ first: DeltaReader, _ second: DeltaReader,
    drop: (MD5Digest) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let (old, new) = (try DeltaContents(table, first), try DeltaContents(table, second))
    for name in old.rows.keys where !new.dropped.contains(name) { fresh[name] = old }
    // The start already has rows that the first delta drops and the second adds again.
    for name in new.rows.keys where !old.dropped.contains(name) { fresh[name] = new }
    dropped = old.dropped.filter { new.rows[$0] == nil }
      .union(new.dropped.filter { old.rows[$0] == nil }).sorted()
    for name in dropped { try drop(name) }
  }

  /// Writes the image or grid of a tile, unless the start has it or it is already written.
  func write(_ name: MD5Digest, _ insert: Insertion) throws(ArchiveError) {
    guard let source = fresh.removeValue(forKey: name) else { return }
    let replaced = written < dropped.count ? dropped[written] : nil
    written += 1
    let keys = try source.keys(of: name)
    try source.withBytes(of: name) { (bytes) throws(ArchiveError) in
      try insert(written, bytes, replaced, keys)
    }
  }

  /// Refuses deltas with images or grids that no tile shows.
  func requireAll() throws(ArchiveError) {
    guard let source = fresh.values.first else { return }
    throw source.delta.damaged("it has more rows or images than are used")
  }
}

/// The images or grids of one delta by name.
final class DeltaContents {
  let delta: DeltaReader

  /// The rows of the new ones.
  private(set) var rows: [MD5Digest: Int64] = [:]

  /// The names that the archive after the delta no longer has.
  private(set) var dropped: Set<MD5Digest> = []

  private let selection: Statement
  private var keyRows: GridKeyRows?

  init(_ table: NameDifference.Table, _ delta: DeltaReader) throws(ArchiveError) {
    self.delta = delta
    let (name, content) =
      switch table {
      case .images: ("tile_id", "tile_data")
      case .grids: ("grid_id", "grid_utfgrid")
      }
    selection = try delta.rows("SELECT \(content) FROM new_\(table.rawValue) WHERE rowid = ?1")
    if table == .grids { keyRows = try GridKeyRows(delta) }
    let new = try delta.rows("SELECT rowid, \(name) FROM new_\(table.rawValue)")
    while try delta.attempt({ () throws(SQLiteError) in try new.step() }) {
      guard rows.updateValue(new.integer(0), forKey: try Self.name(new, 1, delta)) == nil else {
        throw delta.damaged("a name stands for two things")
      }
    }
    let old = try delta.rows("SELECT \(name) FROM dropped_\(table.rawValue)")
    while try delta.attempt({ () throws(SQLiteError) in try old.step() }) {
      dropped.insert(try Self.name(old, 0, delta))
    }
    guard dropped.allSatisfy({ rows[$0] == nil }) else {
      throw delta.damaged("it adds what it drops")
    }
  }

  /// Calls `body` with the bytes that have a name.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if it is not their MD5.
  func withBytes(
    of name: MD5Digest, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    guard let row = rows[name] else { return }
    let isThere = try delta.attempt { () throws(SQLiteError) in
      selection.reset()
      try selection.bind(row, at: 1)
      return try selection.step()
    }
    guard isThere else { throw delta.damaged("a row is missing") }
    try selection.withBytes(0) { (bytes) throws(ArchiveError) in
      guard MD5Digest(of: bytes) == name else {
        throw delta.damaged("\(name) is not the MD5 of its bytes")
      }
      try body(bytes)
    }
  }

  /// Returns the keys of a grid; an image has none.
  func keys(of name: MD5Digest) throws(ArchiveError) -> [[UInt8]] {
    guard let row = rows[name] else { return [] }
    return try keyRows?.keys(ofGrid: row) ?? []
  }

  private static func name(
    _ row: borrowing Statement, _ column: Int32, _ delta: DeltaReader
  ) throws(ArchiveError) -> MD5Digest {
    guard let name = row.withBytes(column, { MD5Digest(hexadecimal: $0) }) else {
      throw delta.damaged("an image or grid is not named by an MD5")
    }
    return name
  }
}

/// The keys of the grids of a delta, which follow one another grid by grid.
private final class GridKeyRows {
  private let delta: DeltaReader
  private var ranges: [Int64: ClosedRange<Int64>] = [:]
  private let selection: Statement

  init(_ delta: DeltaReader) throws(ArchiveError) {
    self.delta = delta
    selection = try delta.rows(
      "SELECT key_name FROM new_grid_key WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid")
    let all = try delta.rows("SELECT rowid, grid FROM new_grid_key ORDER BY rowid")
    var last: Int64?
    while try delta.attempt({ () throws(SQLiteError) in try all.step() }) {
      let (row, grid) = (all.integer(0), all.integer(1))
      if grid == last, let range = ranges[grid] {
        ranges[grid] = range.lowerBound...row
      } else {
        guard ranges.updateValue(row...row, forKey: grid) == nil else {
          throw delta.damaged("the keys of a grid do not follow one another")
        }
      }
      last = grid
    }
  }

  func keys(ofGrid number: Int64) throws(ArchiveError) -> [[UInt8]] {
    guard let range = ranges[number] else { return [] }
    var keys: [[UInt8]] = []
    try delta.attempt { () throws(SQLiteError) in
      selection.reset()
      try selection.bind(range.lowerBound, at: 1)
      try selection.bind(range.upperBound, at: 2)
    }
    while try delta.attempt({ () throws(SQLiteError) in try selection.step() }) {
      guard keys.count < GridScan.keyLimit else {
        throw delta.damaged("a grid has too many keys")
      }
      keys.append(try delta.text(selection, 0))
    }
    return keys
  }
}
