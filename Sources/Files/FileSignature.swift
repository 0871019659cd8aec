/// A format of files or of the pictures in them, recognized by the first bytes and never by a name.
package enum FileSignature: String, CaseIterable, Hashable, Sendable {
  case png = "a PNG image"
  case jpeg = "a JPEG image"
  case webp = "a WebP image"
  case gif = "a GIF image"
  /// TIFF and BigTIFF.
  case tiff = "a TIFF image"
  case netCDF = "a NetCDF file"
  case hdf5 = "an HDF5 file"
  case grib = "a GRIB file"
  case jpeg2000 = "a JPEG 2000 image"
  /// An Arc/Info grid in text.
  case textGrid = "an Arc/Info grid"
  case sqlite = "an SQLite database"
  case pmtiles = "a PMTiles archive"
  case gzip = "packed by gzip"
  case zip = "a zip archive"
  case zstandard = "packed by Zstandard"
  case bzip2 = "packed by bzip2"
  case spreadsheet = "a spreadsheet"
  case zippedShapefile = "a zip archive with a shapefile in it"
  case zippedKML = "a KMZ file"
  case oldSpreadsheet = "an old Office file, such as an Excel sheet"
  case shapefile = "a shapefile"
  case flatGeobuf = "a FlatGeobuf file"
  case parquet = "a Parquet file"
  case arrow = "an Arrow file"
  case pdf = "a PDF document"

  /// The number of bytes that tell all formats apart, except for what a zip archive holds.
  package static let byteCount = 16

  /// The beginnings of the formats that have fixed ones, the most frequent ones first.
  private static let beginnings: [(bytes: [UInt8], format: FileSignature)] = [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png), ([0xFF, 0xD8, 0xFF], .jpeg),
    ([0x1F, 0x8B], .gzip), (Array("SQLite format 3\0".utf8), .sqlite),
    (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
    (Array("II*\0".utf8), .tiff), (Array("MM\0*".utf8), .tiff),
    (Array("II+\0".utf8), .tiff), (Array("MM\0+".utf8), .tiff),
    (Array("CDF\u{1}".utf8), .netCDF), (Array("CDF\u{2}".utf8), .netCDF),
    (Array("CDF\u{5}".utf8), .netCDF), ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], .hdf5),
    (Array("GRIB".utf8), .grib), ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], .jpeg2000),
    (Array("ncols ".utf8), .textGrid), (Array("PMTiles".utf8), .pmtiles),
    (Array("PK\u{3}\u{4}".utf8), .zip), (Array("PK\u{5}\u{6}".utf8), .zip),
    ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
    ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .oldSpreadsheet),
    ([0, 0, 0x27, 0x0A], .shapefile), (Array("fgb\u{3}fgb".utf8), .flatGeobuf),
    (Array("PAR1".utf8), .parquet), (Array("ARROW1".utf8), .arrow), (Array("%PDF-".utf8), .pdf),
  ]

  /// - Parameter head: the first bytes, ``byteCount`` or as many as there are; some kilobytes are
  ///   needed to see what a zip archive holds.
  package init?(_ head: UnsafeRawBufferPointer) {
    if let (_, format) = Self.beginnings.first(where: { head.starts(with: $0.bytes) }) {
      self = format == .zip ? Self.zipped(head) : format
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if Self.isSkippableFrame(head) {
      self = .zstandard
    } else if Self.isBzip2(head) {
      self = .bzip2
    } else {
      return nil
    }
  }

  /// See ``init(_:)-(UnsafeRawBufferPointer)``.
  package init?(_ head: some Collection<UInt8>) {
    guard let format = Array(head).withUnsafeBytes({ Self($0) }) else { return nil }
    self = format
  }

  /// Returns the format of a zip archive by the names of its files, each of which stands before its
  /// file.
  private static func zipped(_ bytes: UnsafeRawBufferPointer) -> FileSignature {
    func holds(_ text: String) -> Bool { bytes.contains(text.utf8) }
    if holds("xl/") || holds("opendocument.spreadsheet") { return .spreadsheet }
    if holds(".shp") { return .zippedShapefile }
    return holds(".kml") ? .zippedKML : .zip
  }

  /// Whether a frame of Zstandard begins that decoders skip (RFC 8878, section 3.1.2).
  private static func isSkippableFrame(_ head: UnsafeRawBufferPointer) -> Bool {
    head.count >= 4 && head[0] & 0xF0 == 0x50 && head[1...3].elementsEqual([0x2A, 0x4D, 0x18])
  }

  /// Whether a stream begins: `BZh`, a block size, and the mark of a block or of the end. The first
  /// four bytes alone may begin a text.
  private static func isBzip2(_ head: UnsafeRawBufferPointer) -> Bool {
    guard head.starts(with: "BZh".utf8), head.count >= 10, (0x31...0x39).contains(head[3]) else {
      return false
    }
    return head[4...].starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
      || head[4...].starts(with: [0x17, 0x72, 0x45, 0x38, 0x50, 0x90])
  }

  /// Whether it is a format of rasters that only GDAL reads.
  package var isWarped: Bool {
    switch self {
    case .tiff, .netCDF, .hdf5, .grib, .jpeg2000, .textGrid: true
    default: false
    }
  }

  /// The format as part of a sentence: `a shapefile`.
  package var words: String { rawValue }
}
