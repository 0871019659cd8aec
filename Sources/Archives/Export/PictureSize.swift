import Files
import MBTiles
import Pictures

/// The size in pixels of a PNG, JPEG or WebP, read from its header.
struct PictureSize: Hashable, CustomStringConvertible {
  let width: Int
  let height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Reads the size; `nil` where the bytes are of no such format, or are truncated.
  ///
  /// - Complexity: O(1) for a PNG, O(segments) for a JPEG.
  init?(of bytes: UnsafeRawBufferPointer) {
    func short(_ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
    switch FileSignature(bytes) {
    case .png where bytes.count >= 24:
      self.init(width: short(16) << 16 | short(18), height: short(20) << 16 | short(22))
      return
    case .webp:
      guard let picture = try? PictureStructure(bytes) else { return nil }
      self.init(width: picture.width, height: picture.height)
      return
    case .jpeg: break
    default: return nil
    }
    var offset = 2
    // Segments of a JPEG (ITU-T T.81, annex B): a marker, then a length that includes itself.
    while offset + 9 < bytes.count, bytes[offset] == 0xFF {
      let marker = bytes[offset + 1]
      if marker == 0xFF {
        offset += 1
        continue
      }
      let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
      if isFrame {
        self.init(width: short(offset + 7), height: short(offset + 5))
        return
      }
      let length = short(offset + 2)
      guard length >= 2 else { return nil }
      offset += 2 + length
    }
    return nil
  }

  var description: String { "\(width) × \(height)" }
}
