import Files
import PMTiles

/// Tiles as containers store them: as they are, or gzipped.
package enum PackedTile {
  /// Returns the unpacked bytes of a tile; `nil` if they are damaged or more than the limit.
  ///
  /// No vector tile and no picture begins as gzip does.
  package static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    let isPacked = bytes.withUnsafeBytes { FileSignature($0) == .gzip }
    guard isPacked else { return bytes.count <= limit ? bytes : nil }
    return bytes.withUnsafeBytes { Gzip.decompress($0, limit: limit) }
  }
}
