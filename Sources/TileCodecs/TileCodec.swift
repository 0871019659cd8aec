package import Raster

/// The format in which tiles are stored, with its quality.
package enum TileCodec: Hashable, Sendable {
  case png

  /// - Parameter quality: 0 … 100; `nil` is lossless.
  case webP(quality: Int?)

  /// JPEG has no transparency: transparent pixels show the background.
  ///
  /// - Parameters:
  ///   - quality: 0 … 100.
  ///   - background: an opaque colour.
  case jpeg(quality: Int, background: PremultipliedColor)

  /// Whether the pixels of a decoded tile are those that were painted.
  package var isLossless: Bool {
    switch self {
    case .png, .webP(quality: nil): true
    case .webP, .jpeg: false
    }
  }

  /// The values beside the pixels that determine a tile's bytes, with the version of the library
  /// that writes them; `nil` for PNG, whose only library is libdeflate.
  package var identity: String? {
    switch self {
    case .png: nil
    case .webP(let quality):
      "webp \(quality.map { "\($0)" } ?? "lossless") \(WebPLibrary.version ?? "")"
    case .jpeg(let quality, let background):
      "jpeg \(quality) \(background.bits) \(JPEGEncoder.version)"
    }
  }

  /// Refuses a codec whose library is not installed.
  package func requireLibrary() throws(TileCodecError) {
    if case .webP = self, WebPLibrary.version == nil { throw .absent }
  }
}
