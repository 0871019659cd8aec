/// What a remote file is expected to hold.
package enum ContentKind: String, CaseIterable, Hashable, Sendable {
  case csv
  case geojson
  /// GeoJSON text sequence (RFC 8142) or one object a line.
  case geojsonseq
  case gpkg
  case json
  case png
  case jpeg
  /// PNG or JPEG.
  case image
  /// Nothing is checked but that there is a body and that it is no HTML page.
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
    case .image: "a PNG or JPEG image"
    case .any: "data"
    }
  }

  /// Whether compression on the way is worth that the transfer cannot be resumed.
  var isText: Bool {
    switch self {
    case .csv, .geojson, .geojsonseq, .json: true
    case .gpkg, .png, .jpeg, .image, .any: false
    }
  }
}
