import Files

/// A format of images, recognized by the first bytes and never by a name.
package enum ImageFormat: String, Hashable, Sendable, CaseIterable {
  case png = "PNG"
  case jpeg = "JPEG"
  case webp = "WebP"

  /// Creates the format whose signature the bytes begin with.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    switch FileSignature(bytes) {
    case .png: self = .png
    case .jpeg: self = .jpeg
    case .webp: self = .webp
    default: return nil
    }
  }

  /// Returns the likely kind of unrecognized bytes, for the sentence of an error.
  static func guess(_ bytes: UnsafeRawBufferPointer) -> String {
    if bytes.isEmpty { return "the file is empty" }
    if let signature = FileSignature(bytes) { return "the file is \(signature.words)" }
    let looks: [(String, String)] = [
      ("RIFF", "a WAV or AVI"), ("<", "an HTML or XML page"), ("{", "JSON"), ("BM", "a BMP"),
    ]
    let look = looks.first { bytes.starts(with: $0.0.utf8) }
    return look.map { "the file looks like \($0.1)" } ?? "the file begins like no known image"
  }
}
