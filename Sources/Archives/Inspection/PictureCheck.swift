import Files
import PNG
import TileCodecs

/// A check that the pictures of tiles can be decoded; one per thread.
///
/// Pictures in WebP are decoded where libwebp is installed, as it is where they are made; elsewhere
/// the check of their structure must do.
final class PictureCheck {
  private let png = PNGCheck()
  private let decoder = TileDecoder()
  private let hasWebP = WebPLibrary.version != nil

  /// Returns the fault of a picture, as the end of a sentence, or `nil`.
  ///
  /// - Complexity: O(pixels).
  func fault(in bytes: UnsafeRawBufferPointer) -> String? {
    switch FileSignature(bytes) {
    case .webp: if !hasWebP { return nil }
    case .jpeg: break
    default: return png.fault(in: bytes)
    }
    do {
      _ = try decoder.decode(bytes)
      return nil
    } catch let error as TileCodecError {
      if case .invalid(let fault) = error { return fault }
      return error.sentence
    } catch {
      return "cannot be decoded: \(error)"
    }
  }
}
