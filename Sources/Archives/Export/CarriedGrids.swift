package import MBTiles
import SQLite
package import Tiling

/// The grids of an archive that are carried into an extract: those of the selected tiles, and the
/// data of their keys.
package final class CarriedGrids {
  private let reader: ArchiveReader
  private let writer: ArchiveWriter
  private let grids: Statement
  private let stored: StoredKeys

  /// The grids that were written, by their names in the archive.
  private var written: [String: GridRef] = [:]

  /// The keys of those grids.
  private var keys: Set<[UInt8]> = []

  /// Whether an archive has tables of grids.
  package static func areThere(in reader: ArchiveReader) throws(ArchiveError) -> Bool {
    guard reader.layout == .dedup else { return false }
    return try reader.reading(.grids) { () throws(SQLiteError) in
      try GridSummary.isThere(in: reader.database)
    }
  }

  /// - Parameter writer: a writer with tables for grids.
  package init(_ reader: ArchiveReader, into writer: ArchiveWriter) throws(ArchiveError) {
    self.reader = reader
    self.writer = writer
    stored = try StoredKeys(reader)
    grids = try reader.prepare(
      "SELECT map.grid_id, grid_utfgrid.grid_utfgrid FROM map"
        + " JOIN grid_utfgrid ON grid_utfgrid.grid_id = map.grid_id"
        + " WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3", for: .grids)
  }

  /// Writes the grid of a tile unless it is already written, and returns its reference; `nil`
  /// without a grid.
  package func grid(of tile: TileCoord) throws(ArchiveError) -> GridRef? {
    let name: String? = try reader.reading(.grid(tile)) { () throws(SQLiteError) in
      grids.reset()
      try grids.bind(tile)
      return try grids.step() && grids.kind(1) == .blob ? grids.text(0) : nil
    }
    guard let name else { return nil }
    if let known = written[name] { return known }
    let listed = try stored.keys(ofGrid: name)
    let digest = grids.withBytes(1) { MD5Digest(of: $0) }
    let grid = try grids.withBytes(1) { (content) throws(ArchiveError) in
      try writer.addGrid(content, md5: digest, keys: listed, by: tile)
    }
    keys.formUnion(listed)
    written[name] = grid
    return grid
  }

  /// Writes the data of the keys that the grids of some archives name, in the order of the keys: each
  /// from the first archive that has it.
  ///
  /// - Parameter archives: the archives whose grids are carried into one.
  /// - Returns: the digest of the taps, the value of ``ArchiveMetadata/tapsKey``.
  package static func finish(_ archives: [CarriedGrids]) throws(ArchiveError) -> String? {
    let keys = archives.reduce(into: Set()) { $0.formUnion($1.keys) }
    for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      for grids in archives where grids.keys.contains(key) {
        guard let json = try grids.stored.entry(of: key) else { continue }
        try grids.writer.addEntry(key: key, json: json)
        break
      }
    }
    return archives.first?.writer.taps?.digest
  }
}
