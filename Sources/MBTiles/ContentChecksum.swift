import CDeflate
import Tiling

/// CRC-32 of images: tells at a tenth of a nanosecond a byte, 15 times as fast as MD5, whether bytes
/// are still those that were written. Each change of up to 32 neighbouring bits shows.
package enum ImageChecksum {
  /// The checksum of an image.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    update(0, bytes)
  }

  /// The checksum of an image in an array.
  package static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBytes { of($0) }
  }

  fileprivate static func update(_ value: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: libdeflate_crc32(value, bytes.baseAddress, bytes.count))
  }
}

/// One checksum of the rows of `images` and one of those of `map`, each in the order of the rows: of
/// what a writer wrote, or of what SQLite reads.
package struct ContentChecksum: Hashable, Sendable {
  private var images: UInt32 = 0
  private var rows: UInt32 = 0

  package init() {}

  /// Adds the next image, with its name in hexadecimal digits.
  mutating func add(image: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer) {
    let facts = (UInt64(image.count), UInt64(ImageChecksum.of(image)))
    images = withUnsafeBytes(of: facts) { ImageChecksum.update(images, $0) }
    images = ImageChecksum.update(images, name)
  }

  /// Adds the next tile, with the name of its image in hexadecimal digits.
  mutating func add(_ tile: TileCoord, name: UnsafeRawBufferPointer) {
    rows = withUnsafeBytes(of: tile.archiveKey) { ImageChecksum.update(rows, $0) }
    rows = ImageChecksum.update(rows, name)
  }
}
