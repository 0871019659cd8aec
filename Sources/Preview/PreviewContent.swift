import JSON
import MBTiles
import Pictures
import Runs

/// Bytes and their content type.
package struct PreviewContent: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case html = "text/html; charset=utf-8"
    case css = "text/css; charset=utf-8"
    case script = "text/javascript; charset=utf-8"
    case json = "application/json"
    case png = "image/png"
    case webp = "image/webp"
    case jpeg = "image/jpeg"
    case text = "text/plain; charset=utf-8"
    /// Compact taps: a zlib stream.
    case taps = "application/octet-stream"

    /// Creates the kind of an image by its first bytes; `nil` for anything else.
    package init?(image bytes: [UInt8]) {
      switch bytes.withUnsafeBytes({ TileFormat(sniffing: $0) }) {
      case .png: self = .png
      case .jpeg: self = .jpeg
      case .webp: self = .webp
      default: return nil
      }
    }
  }

  package let kind: Kind
  package let bytes: [UInt8]

  package init(_ kind: Kind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// Creates the content of a document: one line.
  init(json: ReportJSON) {
    self.init(.json, Array("\(json.line)\n".utf8))
  }

  /// Creates the content of a tile, whose first bytes show its format.
  package init(tile bytes: [UInt8]) {
    self.init(Kind(image: bytes) ?? .png, bytes)
  }
}

extension PreviewContent.Kind {
  /// Whether the bytes are compressed already.
  var isCompressed: Bool { [.png, .webp, .jpeg, .taps].contains(self) }
}
