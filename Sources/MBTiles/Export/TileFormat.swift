/// What the bytes of tiles are.
package enum TileFormat: String, Hashable, Sendable, CaseIterable {
  case png
  case jpeg = "jpg"
  case webp
  /// Mapbox vector tiles, by habit gzipped in MBTiles.
  case vector = "pbf"

  /// What the row `format` of an archive's metadata names, a media type too; `nil` for other words.
  package init?(metadata text: String) {
    switch text.lowercased() {
    case "png", "png8", "png24", "png32", "png256", "image/png": self = .png
    case "jpg", "jpeg", "image/jpeg": self = .jpeg
    case "webp", "image/webp": self = .webp
    case "pbf", "mvt", "application/vnd.mapbox-vector-tile", "application/x-protobuf":
      self = .vector
    default: return nil
    }
  }

  /// What the first bytes of a picture, or of a gzipped tile, say; `nil` where they say nothing.
  package init?(sniffing bytes: UnsafeRawBufferPointer) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.count >= 12, bytes.starts(with: "RIFF".utf8),
      bytes.dropFirst(8).starts(with: "WEBP".utf8)
    {
      self = .webp
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      self = .vector
    } else {
      return nil
    }
  }

  /// The ending of the name of a tile's file.
  package var fileExtension: String { rawValue }
}
