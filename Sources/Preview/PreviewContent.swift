import MBTiles

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
  }

  package let kind: Kind
  package let bytes: [UInt8]

  package init(_ kind: Kind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// Creates the content of a tile, whose first bytes show its format.
  package init(tile bytes: [UInt8]) {
    let format = bytes.withUnsafeBytes { TileFormat(sniffing: $0) }
    self.init(format == .webp ? .webp : format == .jpeg ? .jpeg : .png, bytes)
  }
}

extension PreviewContent.Kind {
  /// Whether the bytes are compressed already.
  var isPicture: Bool { [.png, .webp, .jpeg].contains(self) }
}
