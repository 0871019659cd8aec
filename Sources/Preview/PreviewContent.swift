/// Bytes and their content type.
package struct PreviewContent: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case html = "text/html; charset=utf-8"
    case css = "text/css; charset=utf-8"
    case script = "text/javascript; charset=utf-8"
    case json = "application/json"
    case png = "image/png"
    case jpeg = "image/jpeg"
    case webp = "image/webp"
    case text = "text/plain; charset=utf-8"

    /// Creates the kind of an image by its first bytes; `nil` for anything else.
    package init?(image bytes: [UInt8]) {
      if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
        self = .png
      } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
        self = .jpeg
      } else if bytes.count > 12, bytes.starts(with: Array("RIFF".utf8)),
        bytes[8..<12].elementsEqual("WEBP".utf8)
      {
        self = .webp
      } else {
        return nil
      }
    }
  }

  package let kind: Kind
  package let bytes: [UInt8]

  package init(_ kind: Kind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }
}
