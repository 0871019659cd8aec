import CDeflate
import Tiling

/// A checksum of images, ten times as fast as MD5, that detects whether bytes are still those that
/// were written: CRC-32, which detects each change of up to 32 neighbouring bits, below Adler-32.
///
/// A PNG ends in the CRC-32 of its own chunks, so CRC-32 alone would hardly distinguish two whole
/// PNGs; Adler-32 sums.
package struct ImageChecksum {
  private var adler: UInt32 = 1
  private var crc: UInt32 = 0

  /// Creates the checksum of no bytes.
  package init() {}

  /// Adds the bytes that follow.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    adler = libdeflate_adler32(adler, bytes.baseAddress, bytes.count)
    crc = CRC32.update(crc, bytes)
  }

  /// The checksum of all bytes so far.
  package var value: UInt64 { UInt64(adler) << 32 | UInt64(crc) }

  /// Returns the checksum of an image.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var checksum = ImageChecksum()
    checksum.add(bytes)
    return checksum.value
  }

  /// Returns the checksum of an image in an array.
  package static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { of($0) }
  }
}

/// The CRC-32 of data in several pieces.
private enum CRC32 {
  static func update(_ value: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: libdeflate_crc32(value, bytes.baseAddress, bytes.count))
  }
}

/// Checksums of the rows of an archive's tiles, images and UTFGrids, and of the entries of their
/// indexes, each in their order, as a writer wrote or as SQLite reads them.
package struct ContentChecksum: Hashable, Sendable {
  private var images: UInt32 = 0
  private var tiles: UInt32 = 0
  private var imageEntries: UInt32 = 0
  private var tileEntries: UInt32 = 0

  /// The rows and index entries of grids, of their keys and of the data of keys.
  private var gridRows = SIMD8<UInt32>()

  /// A kind of row of UTFGrids, or of index entry.
  enum GridRow: Int {
    case grid, key, entry
    case gridIndex, keyIndex, entryIndex
  }

  package init() {}

  /// Adds the next row of UTFGrids with its texts, or the next entry of one of their indexes with its
  /// text and the number of its row.
  mutating func add(
    _ kind: GridRow, _ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, row: Int64 = 0
  ) {
    var sum = CRC32.update(gridRows[kind.rawValue], text)
    sum = CRC32.update(sum, other)
    gridRows[kind.rawValue] = withUnsafeBytes(of: (text.count, other.count, row)) {
      CRC32.update(sum, $0)
    }
  }

  /// Takes over the rows of UTFGrids and the entries of their indexes from another record.
  mutating func takeGrids(of other: ContentChecksum) { gridRows = other.gridRows }

  /// Whether the rows of UTFGrids and the entries of their indexes are equal.
  func hasSameGrids(as other: ContentChecksum) -> Bool { gridRows == other.gridRows }

  /// Adds the next row of `images`.
  ///
  /// - Parameters:
  ///   - checksum: the ``ImageChecksum`` of its bytes.
  ///   - name: the name in hexadecimal digits.
  mutating func addImage(count: Int, checksum: UInt64, name: UnsafeRawBufferPointer) {
    let facts = (UInt64(count), checksum)
    images = withUnsafeBytes(of: facts) { CRC32.update(images, $0) }
    images = CRC32.update(images, name)
  }

  /// Adds the next row of `map`, with the name of its image and that of its grid, if it has one.
  mutating func add(
    _ tile: TileCoord, name: UnsafeRawBufferPointer, grid: UnsafeRawBufferPointer
  ) {
    tiles = withUnsafeBytes(of: tile.archiveKey) { CRC32.update(tiles, $0) }
    tiles = CRC32.update(tiles, name)
    if !grid.isEmpty { tiles = CRC32.update(tiles, grid) }
  }

  /// Adds the next entry of the index of images.
  mutating func addEntry(image name: UnsafeRawBufferPointer, row: Int64) {
    imageEntries = CRC32.update(imageEntries, name)
    imageEntries = withUnsafeBytes(of: row) { CRC32.update(imageEntries, $0) }
  }

  /// Adds the next entry of the index of tiles.
  mutating func addEntry(_ tile: TileCoord, row: Int64) {
    let facts = (tile.archiveKey, row)
    tileEntries = withUnsafeBytes(of: facts) { CRC32.update(tileEntries, $0) }
  }

  /// Whether the rows are equal, whatever the indexes.
  func hasSameRows(as other: ContentChecksum) -> Bool {
    (images, tiles) == (other.images, other.tiles)
  }

  /// Whether the entries of the indexes are equal, whatever the rows.
  func hasSameEntries(as other: ContentChecksum) -> Bool {
    (imageEntries, tileEntries) == (other.imageEntries, other.tileEntries)
  }
}
