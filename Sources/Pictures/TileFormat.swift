import Files

/// The format of the bytes of tiles.
package enum TileFormat: String, Hashable, Sendable, CaseIterable {
  case png
  case jpeg = "jpg"
  case webp
  /// Mapbox vector tiles, by convention gzipped in MBTiles.
  case vector = "pbf"

  /// Creates the format named by the row `format` of an archive's metadata, or by a media type;
  /// `nil` for other words.
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

  /// Detects the format by the first bytes of a picture, or of a gzipped tile; `nil` if it is
  /// unknown.
  package init?(sniffing bytes: UnsafeRawBufferPointer) {
    switch FileSignature(bytes) {
    case .png: self = .png
    case .jpeg: self = .jpeg
    case .webp: self = .webp
    case .gzip: self = .vector
    default: return nil
    }
  }

  /// The name of the format in sentences.
  package var title: String {
    switch self {
    case .png: "PNG"
    case .jpeg: "JPEG"
    case .webp: "WebP"
    case .vector: "a vector tile"
    }
  }

  /// The formats of the tiles that builds write.
  package static let pictures: [TileFormat] = [.png, .webp, .jpeg]

  /// The row `type` of an archive: JPEG hides what lies under it, so such a tileset is a base map.
  package var tilesetType: String { self == .jpeg ? "baselayer" : "overlay" }

  /// The extension of a tile's file name.
  package var fileExtension: String { rawValue }
}
