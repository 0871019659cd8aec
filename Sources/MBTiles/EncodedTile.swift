package import Tiling

/// A tile ready to be stored: its coordinate, its PNG, and the name of the PNG in the archive.
package struct EncodedTile: Hashable, Sendable {
  package let tile: TileCoord

  /// The PNG.
  package let bytes: [UInt8]

  /// The digest of ``bytes``.
  package let md5: MD5Digest

  /// - Complexity: O(`bytes.count`), for the digest.
  package init(tile: TileCoord, bytes: [UInt8]) {
    self.tile = tile
    self.bytes = bytes
    md5 = bytes.withUnsafeBytes { MD5Digest(of: $0) }
  }
}
