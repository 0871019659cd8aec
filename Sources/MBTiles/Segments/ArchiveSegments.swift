import Tiling

/// The places at which a page ends early: each is decided by a single row, as in content-defined
/// chunking, so a changed row leaves all pages before the last such place and after the next one as
/// they are.
enum ArchiveSegments {
  /// The bytes that a row counts for, in addition to its image.
  private static let rowBytes = 64

  /// The mean number of entries of a run of an index: some forty pages of tiles, or of images.
  private static let (tilesPerRun, imagesPerRun) = (UInt64(1 << 13), UInt64(1 << 12))

  /// Whether a segment of the rows of tiles and images ends with a tile: the likelier, the more
  /// bytes are stored with it.
  static func isLast(_ tile: TileCoord, storedBytes: Int, _ size: PageSize) -> Bool {
    mix(tile.number) % size.segmentBytes < UInt64(storedBytes + rowBytes)
  }

  /// Whether a run of the index of tiles ends with a tile.
  static func endsRun(_ tile: TileCoord) -> Bool { mix(tile.number) % tilesPerRun == 0 }

  /// Whether a run of the index of images ends with an image.
  static func endsRun(_ image: MD5Digest) -> Bool { image.low % imagesPerRun == 0 }

  /// Whether a run of the index of grids' keys ends with a key.
  static func endsRun(_ key: GridKeyPlace) -> Bool { mix(key.row) % tilesPerRun == 0 }

  /// Returns a number of evenly distributed bits; source: the finalizer of MurmurHash3.
  private static func mix(_ number: UInt64) -> UInt64 {
    var bits = number
    bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
    bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return bits ^ bits >> 33
  }
}
