import MBTiles
import SQLite
import TapBlocks
import Tiling

/// The taps in a delta, passed to the writer of the new archive: grids with the tiles that first
/// show them, then the data of their keys.
final class DeltaGrids {
  private let delta: DeltaReader
  private let archive: ArchiveReader
  private let writer: ArchiveWriter

  /// Parses the text of a grid.
  private let gridText: (UnsafeRawBufferPointer) -> GridText
  private let inflater = TapInflater.forGrids

  /// The delta's grids in the order of their first use, and the keys of each.
  private let fresh: Statement
  private let freshKeys: Statement

  /// The grids of the old archive.
  private let known: Statement
  private let knownKeys: StoredKeys
  private let freshEntries: Statement

  /// The name of the delta's next grid; `nil` after the last.
  private var next: MD5Digest?

  /// The grid of the next of the delta's keys; `nil` after the last.
  private var nextKeyGrid: Int64?

  /// The rows of keys with new data.
  private var entryRows: [[UInt8]: Int64] = [:]

  /// The keys of the grids of the new archive.
  private var keys: Set<[UInt8]> = []

  init(
    _ delta: DeltaReader, _ archive: ArchiveReader, _ writer: ArchiveWriter,
    gridText: @escaping (UnsafeRawBufferPointer) -> GridText
  ) throws(ArchiveError) {
    self.delta = delta
    self.archive = archive
    self.writer = writer
    self.gridText = gridText
    fresh = try delta.rows("SELECT rowid, grid_id, grid_utfgrid FROM new_grids ORDER BY rowid")
    freshKeys = try delta.rows("SELECT grid, key_name FROM new_grid_key ORDER BY rowid")
    freshEntries = try delta.rows("SELECT key_json FROM new_keymap WHERE rowid = ?1")
    knownKeys = try StoredKeys(archive)
    known = try archive.prepare(NameDifference.Table.grids.contentSelection, for: .taps())
    try step()
    try stepKey()
    try readEntries()
  }

  private func readEntries() throws(ArchiveError) {
    let rows = try delta.rows("SELECT rowid, key_name FROM new_keymap")
    while try delta.attempt({ () throws(SQLiteError) in try rows.step() }) {
      guard entryRows.updateValue(rows.integer(0), forKey: try delta.text(rows, 1)) == nil else {
        throw delta.damaged("a key stands for two things")
      }
    }
  }

  // MARK: Grids

  /// Adds the grid with a name to the writer unless it has it.
  ///
  /// - Parameter tile: the tile that is added next, with the grid.
  func reference(to name: MD5Digest, by tile: TileCoord) throws(ArchiveError) -> GridRef {
    if let grid = writer.grid(of: name) { return grid }
    return name == next ? try addFresh(name, tile) : try addKnown(name, tile)
  }

  private func addFresh(_ name: MD5Digest, _ tile: TileCoord) throws(ArchiveError) -> GridRef {
    let number = fresh.integer(0)
    var keys: [[UInt8]] = []
    while nextKeyGrid == number {
      guard keys.count < GridScan.keyLimit else {
        throw delta.damaged("grid \(name) has too many keys")
      }
      let key = try delta.text(freshKeys, 1)
      guard keys.last.map({ $0.lexicographicallyPrecedes(key) }) ?? true else {
        throw delta.damaged("the keys of grid \(name) are out of order")
      }
      keys.append(key)
      try stepKey()
    }
    let grid = try fresh.withBytes(2) { (bytes) throws(ArchiveError) in
      guard MD5Digest(of: bytes) == name else {
        throw delta.damaged("grid \(name) is not named by the MD5 of its bytes")
      }
      try requireKeys(keys, of: name, bytes)
      return try writer.addGrid(bytes, md5: name, keys: keys, by: tile)
    }
    self.keys.formUnion(keys)
    try step()
    return grid
  }

  /// Verifies that a grid names the keys that are listed for it.
  private func requireKeys(
    _ keys: [[UInt8]], of name: MD5Digest, _ bytes: UnsafeRawBufferPointer
  ) throws(ArchiveError) {
    guard let inflated = try? inflater.inflate(bytes) else {
      throw delta.damaged("grid \(name) cannot be inflated")
    }
    switch inflated.withUnsafeBytes(gridText) {
    case .fault(let fault): throw delta.damaged("grid \(name) \(fault)")
    case .keys(let named):
      guard Set(named.map { Array($0.utf8) }) == Set(keys) else {
        throw delta.damaged("grid \(name) names other keys than are listed")
      }
    }
  }

  private func addKnown(_ name: MD5Digest, _ tile: TileCoord) throws(ArchiveError) -> GridRef {
    let isThere = try archive.reading(.taps()) { () throws(SQLiteError) in
      known.reset()
      try known.bind(name.description, at: 1)
      return try known.step()
    }
    guard isThere else { throw delta.damaged("neither it nor the archive has grid \(name)") }
    let keys = try knownKeys.keys(ofGrid: name.description)
    let grid = try known.withBytes(0) { (bytes) throws(ArchiveError) in
      // The names in the archive have been verified.
      try writer.addGrid(bytes, md5: name, keys: keys, by: tile)
    }
    self.keys.formUnion(keys)
    return grid
  }

  // MARK: Entries

  /// Writes the data of the keys of all grids.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if a key has no data, or if the delta has data that
  ///   is not used.
  func finish() throws(ArchiveError) {
    for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      try writer.addEntry(key: key, json: try entry(of: key))
    }
    guard next == nil, nextKeyGrid == nil, entryRows.isEmpty else {
      throw delta.damaged("it has more grids or keys than are used")
    }
  }

  private func entry(of key: [UInt8]) throws(ArchiveError) -> [UInt8] {
    if let row = entryRows.removeValue(forKey: key) {
      freshEntries.reset()
      let isThere = try delta.attempt { () throws(SQLiteError) in
        try freshEntries.bind(row, at: 1)
        return try freshEntries.step()
      }
      if isThere { return try delta.text(freshEntries, 0) }
    }
    guard let entry = try knownKeys.entry(of: key) else {
      throw delta.damaged("neither it nor the archive says what a key stands for")
    }
    return entry
  }

  // MARK: Rows of the delta

  private func step() throws(ArchiveError) {
    guard try delta.attempt({ () throws(SQLiteError) in try fresh.step() }) else {
      next = nil
      return
    }
    next = fresh.withBytes(1) { MD5Digest(hexadecimal: $0) }
    guard next != nil else { throw delta.damaged("a grid is not named by an MD5") }
  }

  private func stepKey() throws(ArchiveError) {
    nextKeyGrid =
      try delta.attempt({ () throws(SQLiteError) in try freshKeys.step() })
      ? freshKeys.integer(0) : nil
  }
}
