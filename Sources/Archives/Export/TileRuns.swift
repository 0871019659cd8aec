package import MBTiles
import SQLite
package import Tiling

/// Some tiles of an archive, as runs of rows that follow each other: tiles of a region are mostly
/// neighbours, so a run takes the place of many.
package struct TileRuns: Hashable, Sendable {
  /// The numbers of the first and the last row of each run, ascending.
  fileprivate var firsts = ContiguousArray<UInt64>()
  fileprivate var lasts = ContiguousArray<UInt64>()

  /// The number of tiles.
  package private(set) var count = 0

  package init() {}

  /// Appends a tile, which comes after those before in archive order.
  ///
  /// - Parameter previous: the tile before it in the archive, selected or not; `nil` for the first.
  package mutating func append(_ tile: TileCoord, after previous: TileCoord?) {
    count += 1
    if let previous, lasts.last == previous.number {
      lasts[lasts.count - 1] = tile.number
    } else {
      firsts.append(tile.number)
      lasts.append(tile.number)
    }
  }
}

extension ArchiveReader {
  /// Calls `body` with the coordinates of every tile in archive order.
  ///
  /// - Complexity: O(tiles), without their bytes.
  package func forEachPlace(_ body: (TileCoord) throws -> Void) throws {
    var cursor = try TileCursor(self, content: layout == .dedup ? .name : .bytes)
    try cursor.step()
    while let tile = cursor.tile {
      try body(tile)
      try cursor.step()
    }
  }

  /// Calls `body` with some tiles in archive order, their bytes and the MD5 of these, if it is known.
  ///
  /// - Throws: also ``ArchiveError/Code/misuse`` where the rows are not numbered by their tiles: it is
  ///   not an archive of this program.
  /// - Complexity: O(bytes of the tiles), with a search for each run.
  package func forEachTile(
    in runs: TileRuns, _ body: (TileCoord, UnsafeRawBufferPointer, MD5Digest?) throws -> Void
  ) throws {
    let order = try tileOrder()
    guard order.isNumbered else {
      throw ArchiveError(.misuse(of: "archive reader", given: "rows in another order"), path: path)
    }
    let name = hasDigestNames ? "map.tile_id" : "NULL"
    let rows = try prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_data, \(name) FROM \(order.relation)"
        + " WHERE \(order.terms) BETWEEN ?1 AND ?2 ORDER BY \(order.terms)")
    for (first, last) in zip(runs.firsts, runs.lasts) {
      rows.reset()
      try reading { () throws(SQLiteError) in
        try rows.bind(Int64(first), at: 1)
        try rows.bind(Int64(last), at: 2)
      }
      while try reading(.whole, { () throws(SQLiteError) in try rows.step() }) {
        guard let tile = TileCoord(row: rows) else { continue }
        let md5 = rows.kind(4) == .text ? rows.withBytes(4) { MD5Digest(hexadecimal: $0) } : nil
        try rows.withBytes(3) { try body(tile, $0, md5) }
      }
    }
  }
}
