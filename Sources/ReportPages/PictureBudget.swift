import Foundation

/// Turns images into data URIs as long as the page does not become too large for that.
struct PictureBudget {
  /// Bytes of all images of a page; base64 makes a third more of them.
  private static let total = 12 << 20

  /// Bytes of one image: tiles are smaller, but for photographs of 1,024 px.
  private static let single = 2 << 20

  private var left = total

  /// Images that found no room.
  private(set) var leftOut = 0

  /// An image as the page holds it; `nil` if it is no image that browsers show, or too large.
  mutating func uri(_ bytes: [UInt8]) -> String? {
    guard let type = Self.type(of: bytes) else { return nil }
    guard bytes.count <= Self.single, bytes.count <= left else {
      leftOut += 1
      return nil
    }
    left -= bytes.count
    return "data:\(type);base64,\(Data(bytes).base64EncodedString())"
  }

  /// The type of an image by its first bytes.
  private static func type(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    return nil
  }
}
