/// A format of images, recognized by the first bytes and never by a name.
package enum ImageFormat: String, Hashable, Sendable, CaseIterable {
  case png = "PNG"
  case jpeg = "JPEG"
  case webp = "WebP"

  /// Creates the format whose signature the bytes begin with.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }

  /// Returns the likely kind of unrecognized bytes, for the sentence of an error.
  static func guess(_ bytes: UnsafeRawBufferPointer) -> String {
    if bytes.isEmpty { return "the file is empty" }
    let looks: [(String, String)] = [
      ("GIF8", "a GIF"), ("RIFF", "a WAV or AVI"), ("II*\0", "a TIFF"), ("MM\0*", "a TIFF"),
      ("<", "an HTML or XML page"), ("{", "JSON"), ("BM", "a BMP"),
    ]
    let look = looks.first { bytes.starts(with: $0.0.utf8) }
    return look.map { "the file looks like \($0.1)" } ?? "the file begins like no known image"
  }
}
