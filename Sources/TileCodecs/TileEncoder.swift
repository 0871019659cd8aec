import PNG
package import Raster

/// An encoder of tiles in one format; one worker owns it.
package final class TileEncoder {
  /// The content of a tile, which decides the effort of compression.
  package enum Content: Sendable {
    /// Symbols.
    case symbols
    /// Areas and lines.
    case drawing
    /// Resampled images.
    case image
  }

  private enum Encoder {
    case png(PNGEncoder)
    case webP(WebPEncoder)
    case jpeg(JPEGEncoder)
  }

  private let encoder: Encoder

  package init(_ codec: TileCodec) {
    switch codec {
    case .png: encoder = .png(PNGEncoder())
    case .webP(let quality): encoder = .webP(WebPEncoder(quality: quality))
    case .jpeg(let quality, let background):
      encoder = .jpeg(JPEGEncoder(quality: quality, background: background))
    }
  }

  /// Encodes a tile.
  ///
  /// - Complexity: O(pixels).
  package func encode(
    _ picture: Pixmap, showing content: Content
  ) throws(TileCodecError) -> [UInt8] {
    switch encoder {
    case .png(let png):
      switch content {
      case .symbols: png.encode(picture)
      case .drawing: png.encodeDrawing(picture)
      case .image: png.encodeImage(picture)
      }
    case .webP(let webP): try webP.encode(picture, showing: content)
    case .jpeg(let jpeg): try jpeg.encode(picture)
    }
  }
}

extension TileCodec {
  /// Returns the tile that shows nothing: one shared file represents every such tile.
  package func blank(side: Int) throws(TileCodecError) -> [UInt8] {
    switch self {
    case .png: PNGEncoder.transparent(width: side, height: side)
    case .webP: BlankWebP.bytes(width: side, height: side)
    case .jpeg:
      try TileEncoder(self).encode(Pixmap(width: side, height: side), showing: .symbols)
    }
  }
}
