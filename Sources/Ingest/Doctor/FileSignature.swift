/// A format that no reader of records reads, recognized by the first bytes of a file.
package enum FileSignature: CaseIterable, Hashable, Sendable {
  case shapefile
  case flatGeobuf
  case parquet
  case arrow
  case spreadsheet
  case oldSpreadsheet
  case zippedShapefile
  case zippedKML
  case zip
  case gzip
  case gif
  case tiff
  case png
  case jpeg
  case webp
  case pdf

  /// - Parameter head: the first bytes; some kilobytes are needed to see what a zip archive holds.
  package init?(_ head: some Collection<UInt8>) {
    func begins(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
    func begins(_ text: String) -> Bool { head.starts(with: text.utf8) }
    if begins([0x00, 0x00, 0x27, 0x0A]) {
      self = .shapefile
    } else if begins("fgb\u{03}fgb") {
      self = .flatGeobuf
    } else if begins("PAR1") {
      self = .parquet
    } else if begins("ARROW1") {
      self = .arrow
    } else if begins("PK\u{03}\u{04}") {
      self = Self.zipped(Array(head))
    } else if begins([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
      self = .oldSpreadsheet
    } else if begins([0x1F, 0x8B]) {
      self = .gzip
    } else if begins("GIF87a") || begins("GIF89a") {
      self = .gif
    } else if begins("II*\0") || begins("MM\0*") || begins("II+\0") || begins("MM\0+") {
      self = .tiff
    } else if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins("RIFF"), head.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if begins("%PDF-") {
      self = .pdf
    } else {
      return nil
    }
  }

  /// Returns the format of a zip archive by the names of its files, each of which stands before its
  /// file.
  private static func zipped(_ bytes: [UInt8]) -> FileSignature {
    func holds(_ text: String) -> Bool { bytes.contains(text.utf8) }
    if holds("xl/") || holds("opendocument.spreadsheet") { return .spreadsheet }
    if holds(".shp") { return .zippedShapefile }
    return holds(".kml") ? .zippedKML : .zip
  }

  /// Whether it is a format of records that every GDAL reads, for sources of `type: ogr`; Parquet and
  /// Arrow are left to those who know that theirs does.
  package var isConverted: Bool {
    switch self {
    case .shapefile, .flatGeobuf, .zippedShapefile, .zippedKML: true
    default: false
    }
  }

  /// The format as part of a sentence: `a shapefile`.
  package var words: String {
    switch self {
    case .shapefile: "a shapefile"
    case .flatGeobuf: "a FlatGeobuf file"
    case .parquet: "a Parquet file"
    case .arrow: "an Arrow file"
    case .spreadsheet: "a spreadsheet"
    case .oldSpreadsheet: "an old Office file, such as an Excel sheet"
    case .zippedShapefile: "a zip archive with a shapefile in it"
    case .zippedKML: "a KMZ file"
    case .zip: "a zip archive"
    case .gzip: "packed by gzip"
    case .gif: "a GIF image"
    case .tiff: "a TIFF image"
    case .png: "a PNG image"
    case .jpeg: "a JPEG image"
    case .webp: "a WebP image"
    case .pdf: "a PDF document"
    }
  }

  /// Returns the command that converts the file into a readable one, and the settings for the
  /// result.
  package func conversion(of file: String) -> String {
    let toGeoPackage = "ogr2ogr -f GPKG -t_srs EPSG:4326 data.gpkg"
    return switch self {
    case .shapefile, .flatGeobuf, .zippedShapefile, .zippedKML: "Set 'type: ogr'."
    case .arrow: "\(toGeoPackage) \(file), and 'type: gpkg'."
    case .parquet:
      "\(toGeoPackage) \(file), and 'type: gpkg'; for a table without geometry, "
        + "duckdb -c \"COPY (FROM '\(file)') TO 'data.csv'\", and 'type: csv'."
    case .spreadsheet, .oldSpreadsheet:
      "ogr2ogr -f CSV data.csv \(file), and 'type: csv'; add the name of a sheet if there are "
        + "several."
    case .zip: "unzip \(file), and name the file in it."
    case .gzip: "gunzip \(file)"
    case .gif: "\(imageConversion(of: file) ?? ""), and 'type: image'."
    case .png, .jpeg, .webp, .tiff: "It is a source of 'type: image'."
    case .pdf: "Export its content as CSV or GeoJSON."
    }
  }

  /// Returns the command that converts an image into a readable one; `nil` for anything but an
  /// image, or for one that needs none.
  package func imageConversion(of file: String) -> String? {
    switch self {
    case .gif: "gdal_translate -of PNG \(file) image.png"
    case .tiff:
      "gdal_translate -of PNG \(file) image.png; a file that says itself where it lies needs no place "
        + "in the pipeline, and is read as it is"
    default: nil
    }
  }
}
