import Foundation
import TapReading

/// The block that the last tap has read, and the latest pages.
struct TapMemory {
  var block: (place: TileAddress, content: TapBlock?)?
  var pages: [TapEntryPage] = []

  /// SQLite's number for the state of the file that these are of.
  var version: Int?

  /// Maximum number of pages: a cluster has five members at most, mostly on neighbouring pages.
  static let pageLimit = 8
}

extension MapArchive {
  /// Calls `body`, all of whose queries see one state of the archive.
  func reading<Value>(
    _ body: () throws(ClientError) -> Value
  ) throws(ClientError) -> Value {
    try file.run("BEGIN")
    defer { try? file.run("COMMIT") }
    // The first query of a transaction begins to hold the state.
    let version = try file.integer("PRAGMA schema_version").flatMap { _ throws(ClientError) in
      try file.integer("PRAGMA data_version")
    }
    if version != tapMemory.version { tapMemory = TapMemory(version: version) }
    return try body()
  }

  /// Returns the topmost feature that is drawn at a place; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - place: beyond ±85.0511° of latitude there is nothing.
  ///   - zoom: the zoom of the tiles that are shown. After the last zoom the last one's tiles are
  ///     enlarged, so these answer.
  /// - Throws: ``ClientError/noTaps(file:)`` if the archive answers no taps, and
  ///   ``ClientError/damaged(file:reason:)``.
  /// - Complexity: O(bytes of the block or grid).
  public func tap(at place: MapCoordinate, zoom: Int) throws(ClientError) -> Tap? {
    guard let taps = info.taps else { throw ClientError.noTaps(file: file.name) }
    guard let (tile, x, y) = place.tile(zoom: min(max(zoom, 0), info.maxZoom)) else { return nil }
    return try reading { () throws(ClientError) in
      switch taps {
      case .compact: try compactTap(in: tile, x: x, y: y)
      case .utfGrid: try gridTap(in: tile, x: x, y: y)
      }
    }
  }

  /// Returns the feature or cluster with a key; `nil` if the archive has none.
  ///
  /// - Complexity: O(log(entries)) with UTFGrid, O(entries) with compact taps.
  public func tap(forKey key: String) throws(ClientError) -> Tap? {
    guard let taps = info.taps else { throw ClientError.noTaps(file: file.name) }
    guard taps == .compact else {
      let hasKeys = try ArchiveInfo.tables(file).contains("keymap")
      return try file.text(
        "SELECT key_json FROM \(hasKeys ? "keymap" : "grid_data") WHERE key_name = ?1 LIMIT 1", key
      ).map { Tap(key: key, entry: Array($0.utf8)) }
    }
    let bytes = Data(key.utf8)
    var found: Tap?
    try forEachEntry { (entry) throws(ClientError) in
      // Entries of version 1 have the key among their fields.
      guard
        entry.key == Array(bytes) || entry.key.isEmpty && Data(entry.fields).range(of: bytes) != nil
      else { return true }
      let tap = Tap(entry: try json(entry))
      if tap.key == key { found = tap }
      return found == nil
    }
    return found
  }

  /// Returns the features whose entries contain a text, whatever its case; clusters are left out.
  ///
  /// - Parameters:
  ///   - text: what to look for.
  ///   - limit: the greatest number of features to return.
  /// - Complexity: O(bytes of the entries).
  public func taps(containing text: String, limit: Int = 50) throws(ClientError) -> [Tap] {
    guard info.taps != nil else { throw ClientError.noTaps(file: file.name) }
    var found: [Tap] = []
    try forEachEntry { (entry) throws(ClientError) in
      guard found.count < limit else { return false }
      guard entry.members == nil else { return true }
      let tap = Tap(entry: try json(entry))
      if tap.cluster == nil,
        tap.fields.contains(where: { name, value in
          name != "id" && name != "source" && value.contains(text)
        })
      {
        found.append(tap)
      }
      return true
    }
    return found
  }

  /// Calls `body` with the entries of all features and clusters until it returns `false`.
  private func forEachEntry(_ body: (TapEntry) throws(ClientError) -> Bool) throws(ClientError) {
    try reading { () throws(ClientError) in try forEachStoredEntry(body) }
  }

  private func forEachStoredEntry(
    _ body: (TapEntry) throws(ClientError) -> Bool
  ) throws(ClientError) {
    let isCompact = info.taps == .compact
    let hasKeys = try ArchiveInfo.tables(file).contains("keymap")
    let rows = try file.prepare(
      isCompact
        ? "SELECT first_feature, entry_data FROM tap_entries ORDER BY first_feature"
        : hasKeys ? "SELECT 0, key_json FROM keymap" : "SELECT DISTINCT 0, key_json FROM grid_data")
    while try rows.step() {
      guard isCompact else {
        let json = rows.withBytes(1) { Array($0) }
        guard let entry = try? TapEntry(json: json) else { continue }
        guard try body(entry) else { return }
        continue
      }
      for entry in try page(rows).entries { guard try body(entry) else { return } }
    }
  }

  // MARK: Compact taps

  private func compactTap(
    in tile: TileAddress, x: Double, y: Double
  ) throws(ClientError) -> Tap? {
    guard let block = try block(of: tile) else { return nil }
    let (side, mask) = (Double(block.tileSide), TapBlock.side - 1)
    let column = Double(tile.column & mask)
    let row = Double(tile.row & mask)
    guard let feature = block.feature(x: (column + x) * side, y: (row + y) * side) else {
      return nil
    }
    return Tap(
      entry: try entry(of: feature).map { (entry) throws(ClientError) in try json(entry) } ?? [])
  }

  /// Returns an entry as JSON, with the members of a cluster.
  func json(_ entry: TapEntry) throws(ClientError) -> [UInt8] {
    try entry.json { (member) throws(ClientError) in
      guard let entry = try self.entry(of: member) else {
        throw ClientError.damaged(
          file: file.name, reason: "a cluster names the member \(member), which has no entry")
      }
      return entry
    }
  }

  func block(of tile: TileAddress) throws(ClientError) -> TapBlock? {
    let place = TileAddress(
      zoom: tile.zoom, column: tile.column >> TapBlock.sideBits,
      row: tile.storedRow >> TapBlock.sideBits)
    if let known = tapMemory.block, known.place == place { return known.content }
    let rows = try file.prepare(
      "SELECT block_data FROM taps WHERE zoom_level = ?1 AND block_column = ?2 AND block_row = ?3")
    rows.bind(place.zoom, at: 1)
    rows.bind(place.column, at: 2)
    rows.bind(place.row, at: 3)
    var block: TapBlock?
    if try rows.step() {
      block = try taps(of: "tile \(tile)") { () throws(TapFault) in
        try TapBlock(try Self.inflated(rows, 0))
      }
    }
    tapMemory.block = (place, block)
    return block
  }

  func entry(of feature: UInt64) throws(ClientError) -> TapEntry? {
    for page in tapMemory.pages {
      if let entry = page.entry(of: feature) { return entry }
    }
    let rows = try file.prepare(
      "SELECT first_feature, entry_data FROM tap_entries WHERE first_feature <= ?1"
        + " ORDER BY first_feature DESC LIMIT 1")
    rows.bind(Int(feature), at: 1)
    guard try rows.step() else { return nil }
    let page = try page(rows)
    if tapMemory.pages.count == TapMemory.pageLimit { tapMemory.pages.removeFirst() }
    tapMemory.pages.append(page)
    return page.entry(of: feature)
  }

  private func page(_ rows: SQLiteRows) throws(ClientError) -> TapEntryPage {
    try taps(of: "feature \(rows.integer(0))") { () throws(TapFault) in
      try TapEntryPage(try Self.inflated(rows, 1), first: Int64(rows.integer(0)))
    }
  }

  private static func inflated(_ rows: SQLiteRows, _ column: Int32) throws(TapFault) -> [UInt8] {
    guard let bytes = rows.withBytes(column, { Inflater.inflate($0, limit: Inflater.tapLimit) })
    else { throw TapFault("cannot be inflated") }
    return bytes
  }

  private func taps<Value>(
    of what: String, _ body: () throws(TapFault) -> Value
  ) throws(ClientError) -> Value {
    do throws(TapFault) {
      return try body()
    } catch {
      throw ClientError.damaged(file: file.name, reason: "the row of \(what) \(error.text)")
    }
  }

  // MARK: UTFGrid

  private func gridTap(in tile: TileAddress, x: Double, y: Double) throws(ClientError) -> Tap? {
    let place = "zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3"
    func query(_ sql: String) throws(ClientError) -> SQLiteRows {
      let rows = try file.prepare(sql)
      rows.bind(tile.zoom, at: 1)
      rows.bind(tile.column, at: 2)
      rows.bind(tile.storedRow, at: 3)
      return rows
    }
    let rows = try query("SELECT grid FROM grids WHERE \(place)")
    guard try rows.step(), !rows.isNull(0) else { return nil }
    guard
      let grid = rows.withBytes(0, { Inflater.inflate($0, limit: Inflater.gridLimit) })
        .flatMap({ GridText($0) })
    else {
      throw ClientError.damaged(file: file.name, reason: "the grid of tile \(tile) is none")
    }
    guard let key = grid.key(x: x, y: y) else { return nil }
    let entries = try query("SELECT key_json FROM grid_data WHERE \(place) AND key_name = ?4")
    entries.bind(key, at: 4)
    return Tap(key: key, entry: try entries.step() ? entries.withBytes(0) { Array($0) } : [])
  }
}

extension JSONValue {
  /// Whether a text occurs in the value, whatever its case.
  fileprivate func contains(_ text: String) -> Bool {
    switch self {
    case .string(let own): own.range(of: text, options: .caseInsensitive) != nil
    case .number(let number): "\(integer.map { "\($0)" } ?? "\(number)")".contains(text)
    case .array(let values): values.contains { $0.contains(text) }
    case .object(let members): members.values.contains { $0.contains(text) }
    case .null, .bool: false
    }
  }
}
