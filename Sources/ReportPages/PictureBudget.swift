import Files
import Foundation

/// A converter of images to data URIs, with a limit on the size of the page.
struct PictureBudget {
  /// The maximum total bytes of the images of a page; base64 adds a third.
  private static let total = 12 << 20

  /// The maximum bytes of one image: tiles are smaller, except for photographs of 1,024 pixels.
  private static let single = 2 << 20

  private var left = total

  /// The number of images that exceeded the budget.
  private(set) var leftOut = 0

  /// Returns an image as a data URI; `nil` if browsers cannot show it, or if it is too large.
  mutating func uri(_ bytes: [UInt8]) -> String? {
    guard let type = Self.type(of: bytes) else { return nil }
    guard bytes.count <= Self.single, bytes.count <= left else {
      leftOut += 1
      return nil
    }
    left -= bytes.count
    return "data:\(type);base64,\(Data(bytes).base64EncodedString())"
  }

  /// Returns the type of an image by its first bytes.
  private static func type(of bytes: [UInt8]) -> String? {
    switch FileSignature(bytes) {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    default: nil
    }
  }
}
