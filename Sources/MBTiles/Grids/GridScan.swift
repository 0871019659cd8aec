import Columns
import SQLite
import TapBlocks
import Tiling

/// The check of an archive's UTFGrids: every grid that a tile shows, every key, and the data of the
/// keys.
package struct GridScan {
  let database: Database

  /// Whether texts are parsed, in addition to digests and counts.
  let looksInside: Bool

  /// Parses a grid's text: the keys that it names without "", or the end of a sentence that begins
  /// "the grid".
  let keysOfText: ((UnsafeRawBufferPointer) -> GridText)?

  private(set) var log = FindingLog()
  private(set) var summary = GridSummary()

  /// The keys that occur, each as the MD5 of its bytes.
  private var keys = ImageIndex()
  private var taps = TapsDigest()
  private var grids = ImageIndex()

  /// The faults of grids, by number.
  private var faults: [Int: String] = [:]
  private var isShown: ContiguousArray<Bool> = []

  init(
    _ database: Database, looksInside: Bool,
    keysOfText: ((UnsafeRawBufferPointer) -> GridText)?
  ) {
    self.database = database
    self.looksInside = looksInside
    self.keysOfText = keysOfText
  }

  /// Runs the check.
  ///
  /// - Returns: the digest of the taps, the value of ``ArchiveMetadata/tapsKey``.
  /// - Complexity: O(bytes of the grids), with a search for each.
  mutating func run() throws(SQLiteError) -> String {
    try scanKeys()
    try scanGrids()
    try scanGridKeys()
    try scanTiles()
    for number in isShown.indices where !isShown[number] {
      log.error(.grids, "grid \(grids.digests[number]) is shown by no tile.")
    }
    return taps.value
  }

  private mutating func scanKeys() throws(SQLiteError) {
    let rows = try database.prepare("SELECT key_name, key_json FROM keymap")
    while try rows.step() {
      guard rows.kind(0) == .text, rows.kind(1) == .text else {
        log.error(.grids, "a row of 'keymap' has no text.")
        continue
      }
      let key = rows.withBytes(0) { Array($0) }
      let json = rows.withBytes(1) { Array($0) }
      taps.add(key: key, json: json)
      let digest = key.withUnsafeBytes { MD5Digest(of: $0) }
      if keys.number(of: digest) != nil {
        log.error(.grids, "the key '\(rows.text(0) ?? "")' stands twice in 'keymap'.")
        continue
      }
      keys.add(digest)
      summary.keys += 1
      summary.keyBytes += key.count + json.count
    }
  }

  private mutating func scanGrids() throws(SQLiteError) {
    let rows = try database.prepare("SELECT grid_id, grid_utfgrid FROM grid_utfgrid")
    let listed = try database.prepare("SELECT key_name FROM grid_key WHERE grid_id = ?1")
    let inflater = TapInflater.forGrids
    var named = 0
    while try rows.step() {
      guard rows.kind(0) == .text, let name = rows.text(0) else {
        log.error(.grids, "a row of 'grid_utfgrid' has no name.")
        continue
      }
      let digest = rows.withBytes(0) { Self.digest(ofName: $0) }
      guard grids.number(of: digest) == nil else {
        log.error(.grids, "grid \(name) is stored twice.")
        continue
      }
      let number = grids.add(digest)
      isShown.append(false)
      summary.distinct += 1
      guard rows.kind(1) == .blob else {
        faults[number] = "has no bytes"
        continue
      }
      let (count, isNamed) = rows.withBytes(1) { ($0.count, MD5Digest(of: $0) == digest) }
      summary.bytes += count
      if !isNamed {
        faults[number] = "is not named by the upper-case MD5 of its bytes"
        continue
      }
      guard looksInside, let keysOfText else { continue }
      guard let text = rows.withBytes(1, { try? inflater.inflate($0) }) else {
        faults[number] = "cannot be inflated"
        continue
      }
      switch text.withUnsafeBytes(keysOfText) {
      case .fault(let fault): faults[number] = fault
      case .keys(let keys):
        named += keys.count
        faults[number] = try fault(of: keys, name, listed)
      }
    }
    guard looksInside, faults.isEmpty, keysOfText != nil else { return }
    let all = try database.integer("SELECT count(*) FROM grid_key") ?? 0
    if all != named {
      log.error(.grids, "'grid_key' has \(all) rows, but the grids name \(named) keys.")
    }
  }

  /// Returns the fault in the keys of a grid; `nil` if there is none.
  private func fault(
    of names: [String], _ grid: String, _ listed: borrowing Statement
  ) throws(SQLiteError) -> String? {
    listed.reset()
    try listed.bind(grid, at: 1)
    var missing = Set(names)
    while try listed.step() {
      guard let name = listed.text(0), missing.remove(name) != nil else {
        let name = listed.text(0) ?? "null"
        return names.contains(name)
          ? "has the key '\(name)' twice in 'grid_key'"
          : "does not name the key '\(name)' that 'grid_key' has for it"
      }
    }
    if let name = missing.min() { return "names the key '\(name)' that 'grid_key' does not have" }
    for name in names {
      let digest = Array(name.utf8).withUnsafeBytes { MD5Digest(of: $0) }
      if keys.number(of: digest) == nil { return "names the key '\(name)', which 'keymap' lacks" }
    }
    return nil
  }

  /// Maximum number of keys of a grid; its 4,096 cells cannot name more.
  package static let keyLimit = 1 << 16

  /// Adds the keys of grids to the digest, grid by grid.
  private mutating func scanGridKeys() throws(SQLiteError) {
    let rows = try database.prepare(
      "SELECT grid_id, key_name FROM grid_key ORDER BY grid_id, key_name")
    var (grid, reported): (MD5Digest?, MD5Digest?)
    var keys: [[UInt8]] = []
    while try rows.step() {
      let name = rows.withBytes(0) { Self.digest(ofName: $0) }
      if let grid, grid != name {
        taps.add(grid: grid, keys: keys)
        keys.removeAll(keepingCapacity: true)
      }
      grid = name
      guard keys.count < Self.keyLimit else {
        if reported != name {
          log.error(.grids, "grid \(rows.text(0) ?? "") has more than \(Self.keyLimit) keys.")
        }
        reported = name
        continue
      }
      keys.append(rows.withBytes(1) { Array($0) })
    }
    if let grid { taps.add(grid: grid, keys: keys) }
  }

  /// Returns the digest that a name spells; for any other name the MD5 of its characters.
  private static func digest(ofName name: UnsafeRawBufferPointer) -> MD5Digest {
    MD5Digest(hexadecimal: name) ?? MD5Digest(of: name)
  }

  private mutating func scanTiles() throws(SQLiteError) {
    let order = try StoredTileOrder(.dedup, isOwn: true, database)
    let rows = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, grid_id FROM map WHERE grid_id IS NOT NULL"
        + " ORDER BY \(order.terms)")
    while try rows.step() {
      guard let tile = TileCoord(row: rows) else { continue }
      summary.tiles += 1
      let digest = rows.withBytes(3) { Self.digest(ofName: $0) }
      taps.add(tile, showing: digest)
      guard let number = grids.number(of: digest) else {
        log.error(.grids, "tile \(tile) shows grid \(rows.text(3) ?? ""), which is not stored.")
        continue
      }
      isShown[number] = true
      guard let fault = faults.removeValue(forKey: number) else { continue }
      log.error(.grids, "the grid of tile \(tile) \(fault).")
    }
  }
}

/// The content of a grid's text.
package enum GridText: Hashable, Sendable {
  /// The keys, without "" for an empty cell.
  case keys([String])
  /// The fault: the end of a sentence that begins "the grid of tile …".
  case fault(String)
}
