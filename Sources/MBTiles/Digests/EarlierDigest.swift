import Files
import Hashing
import SQLite
import Tiling

extension ArchiveReader {
  /// Returns the digest of the tiles as versions before 0.3 recorded it: the SHA-256 over all tiles by
  /// zoom, column and row of TMS, each as `z/x/y\n`, the number of its bytes in eight bytes, lowest
  /// first, and its bytes.
  ///
  /// - Complexity: O(bytes of all tiles).
  func earlierDigest() throws(ArchiveError) -> String {
    let rows = try prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"
        + " ORDER BY zoom_level, tile_column, tile_row")
    var hash = SHA256()
    while try reading(.whole, { () throws(SQLiteError) in try rows.step() }) {
      guard let tile = TileCoord(row: rows) else { continue }
      hash.update(data: Array("\(tile.z)/\(tile.x)/\(tile.y)\n".utf8))
      rows.withBytes(3) { bytes in
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
        hash.update(bufferPointer: bytes)
      }
    }
    return Hexadecimal.text(hash.finalize())
  }
}
