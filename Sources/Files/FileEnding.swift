/// The ending of a file's name, by which people and programs tell what the file holds.
package struct FileEnding: Hashable, Sendable {
  /// The ending in lower case, without its dot.
  package let text: String

  /// The endings of pictures.
  private static let pictures: Set = [
    "apng", "avif", "bmp", "eps", "gif", "heic", "heif", "ico", "jfif", "jp2", "jpe", "jpeg", "jpg",
    "jxl", "pbm", "pdf", "pgm", "png", "pnm", "ppm", "ps", "psd", "svg", "svgz", "tga", "tif",
    "tiff", "webp", "xcf",
  ]

  /// The endings of files that hold data or other files.
  private static let files: Set = [
    "7z", "bz2", "csv", "db", "delta", "fgb", "geojson", "geojsonl", "geojsons", "gpkg", "gz",
    "htm", "html", "iso", "json", "jsonl", "kml", "kmz", "mbtile", "mbtiles", "ndjson", "parquet",
    "pbf", "pmtile", "pmtiles", "rar", "shp", "sqlite", "sqlite3", "tar", "tbz", "tgz", "tpk",
    "tpkx", "tsv", "txt", "txz", "vrt", "xls", "xlsx", "xml", "xz", "yaml", "yml", "zip", "zst",
  ]

  /// Creates the ending of a path; `nil` where its last step has none, or a slash ends the path.
  package init?(_ path: String) {
    guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last,
      let dot = name.lastIndex(of: "."), dot > name.startIndex
    else { return nil }
    text = name[name.index(after: dot)...].lowercased()
  }

  /// Whether the ending is one that files have and folders hardly ever.
  package var isOfFile: Bool { Self.pictures.contains(text) || Self.files.contains(text) }
}
