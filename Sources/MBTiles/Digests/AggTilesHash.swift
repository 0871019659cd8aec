import Hashing
import SQLite
import Tiling

/// The computation of ``TileHashes/aggTilesHash``.
package enum AggTilesHash {
  /// The name of its row in the metadata.
  package static let key = "agg_tiles_hash"

  /// Returns the hash of an archive's tiles; what names no tile or has no bytes is left out.
  ///
  /// - Complexity: O(bytes of all tiles), repeats included, in the order of the index of tiles.
  static func of(_ database: Database) throws(SQLiteError) -> String {
    var hash = MD5()
    let rows = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles ORDER BY 1, 2, 3")
    while try rows.step() {
      guard let tile = TileCoord(row: rows), rows.kind(3) != .null else { continue }
      Array("\(tile.z)\(tile.x)\(tile.tmsRow)".utf8).withUnsafeBytes {
        hash.update(bufferPointer: $0)
      }
      rows.withBytes(3) { hash.update(bufferPointer: $0) }
    }
    return MD5Digest(hash.finalize()).description
  }
}
