import SQLite
package import Tiling

/// Takes the grids of an archive along into a part of it: those of the tiles that are taken, and what
/// the keys of these stand for.
package final class CarriedGrids {
  private let reader: ArchiveReader
  private let writer: ArchiveWriter
  private let grids: Statement
  private let names: Statement

  /// The grids that were written, by their names in the archive.
  private var written: [String: GridRef] = [:]

  /// The keys that they name and that were not written yet.
  private var keys: Set<[UInt8]> = []

  /// Whether an archive has tables of grids.
  package static func areThere(in reader: ArchiveReader) throws(ArchiveError) -> Bool {
    guard reader.layout == .dedup else { return false }
    do {
      return try GridSummary.isThere(in: reader.database)
    } catch {
      throw ArchiveError(error, doing: "read the grids of", path: reader.path)
    }
  }

  /// - Parameter writer: one that makes tables for grids.
  package init(_ reader: ArchiveReader, into writer: ArchiveWriter) throws(ArchiveError) {
    self.reader = reader
    self.writer = writer
    do {
      grids = try reader.database.prepare(
        "SELECT map.grid_id, grid_utfgrid.grid_utfgrid FROM map"
          + " JOIN grid_utfgrid ON grid_utfgrid.grid_id = map.grid_id"
          + " WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
      names = try reader.database.prepare(
        "SELECT key_name FROM grid_key WHERE grid_id = ?1 ORDER BY rowid")
    } catch {
      throw ArchiveError(error, doing: "read the grids of", path: reader.path)
    }
  }

  /// Writes the grid of a tile unless it is written, and returns its reference; `nil` without a grid.
  package func grid(of tile: TileCoord) throws(ArchiveError) -> GridRef? {
    let name: String
    var listed: [[UInt8]] = []
    do {
      grids.reset()
      try grids.bind(Int64(tile.z), at: 1)
      try grids.bind(Int64(tile.x), at: 2)
      try grids.bind(Int64(tile.tmsRow), at: 3)
      guard try grids.step(), grids.kind(1) == .blob, let text = grids.text(0) else { return nil }
      if let known = written[text] { return known }
      name = text
      names.reset()
      try names.bind(name, at: 1)
      while try names.step() { listed.append(names.withBytes(0) { Array($0) }) }
    } catch {
      throw ArchiveError(error, doing: "read the grid of tile \(tile) of", path: reader.path)
    }
    let digest = grids.withBytes(1) { MD5Digest(of: $0) }
    let grid = try grids.withBytes(1) { (content) throws(ArchiveError) in
      try writer.addGrid(content, md5: digest, keys: listed)
    }
    keys.formUnion(listed)
    written[name] = grid
    return grid
  }

  /// Writes what the keys stand for, in the order in which the archive has them.
  ///
  /// - Returns: the digest of that, the value of ``ArchiveMetadata/tapsKey``.
  package func finish() throws(ArchiveError) -> String? {
    for (key, json) in try entries() { try writer.addEntry(key: key, json: json) }
    return writer.taps?.digest
  }

  private func entries() throws(ArchiveError) -> [(key: [UInt8], json: [UInt8])] {
    var entries: [(key: [UInt8], json: [UInt8])] = []
    do {
      let rows = try reader.database.prepare("SELECT key_name, key_json FROM keymap ORDER BY rowid")
      while try rows.step() {
        let key = rows.withBytes(0) { Array($0) }
        guard keys.remove(key) != nil else { continue }
        entries.append((key, rows.withBytes(1) { Array($0) }))
      }
    } catch {
      throw ArchiveError(error, doing: "read the grids of", path: reader.path)
    }
    return entries
  }
}
