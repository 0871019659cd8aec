import Files
import PNG
package import Raster

/// A decoder of tiles in any of the formats that builds write.
package struct TileDecoder {
  /// Maximum number of pixels; the largest tiles have 1,024 a side.
  private static let maxPixels = 4096 * 4096

  package init() {}

  /// Decodes a tile by the format that its first bytes show.
  ///
  /// - Throws: ``TileCodecError`` or ``PNGError``; never returns a part of a tile.
  /// - Complexity: O(pixels).
  package func decode(_ bytes: UnsafeRawBufferPointer) throws -> Pixmap {
    switch FileSignature(bytes) {
    case .webp: try WebPDecoder(maxPixels: Self.maxPixels).decode(bytes)
    case .jpeg: try JPEGDecoder(maxPixels: Self.maxPixels).decode(bytes)
    default: try PNGDecoder().decode(Array(bytes))
    }
  }

  /// Decodes a tile; see ``decode(_:)-(UnsafeRawBufferPointer)``.
  package func decode(_ bytes: [UInt8]) throws -> Pixmap {
    try bytes.withUnsafeBytes { try decode($0) }
  }
}
