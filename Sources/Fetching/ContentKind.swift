/// The expected content of a remote file.
package enum ContentKind: String, CaseIterable, Hashable, Sendable {
  case csv
  case geojson
  /// A GeoJSON text sequence (RFC 8142) or one object per line.
  case geojsonseq
  case gpkg
  case json
  case png
  case jpeg
  /// PNG, JPEG, WebP, or a format that GDAL reads.
  case image
  /// A map tile, which may be empty.
  case tile
  /// Some bytes of a file, or a file made of such: not checked.
  case part
  /// Anything: only checked to be non-empty and not an HTML page.
  case any

  /// The kind in words.
  package var words: String {
    switch self {
    case .csv: "CSV"
    case .geojson: "GeoJSON"
    case .geojsonseq: "a GeoJSON sequence"
    case .gpkg: "a GeoPackage"
    case .json: "JSON"
    case .png: "a PNG image"
    case .jpeg: "a JPEG image"
    case .image: "a PNG, JPEG, WebP or GeoTIFF image"
    case .tile: "a map tile"
    case .part: "a part of a file"
    case .any: "data"
    }
  }

  /// Whether the file may be packed, as data of sources may.
  var mayBePacked: Bool {
    switch self {
    case .csv, .geojson, .geojsonseq, .gpkg, .image, .tile, .part, .any: true
    case .json, .png, .jpeg: false
    }
  }

  /// Whether compression is worth that the transfer cannot be resumed.
  var isText: Bool {
    switch self {
    case .csv, .geojson, .geojsonseq, .json, .tile: true
    case .gpkg, .png, .jpeg, .image, .part, .any: false
    }
  }
}
