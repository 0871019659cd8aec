import Files
import Testing

@Suite("The format of a file by its first bytes")
struct FileSignatureTests {
  @Test(
    "is known by a beginning of its own",
    arguments: [
      ("\u{1F}\u{0B}", nil), ("RIFF....WAVE", nil), ("RIFF....WEBP", .webp), ("GIF89a", .gif),
      ("II*\0", .tiff), ("MM\0+", .tiff), ("CDF\u{5}", .netCDF), ("CDF,a", nil), ("GRIB", .grib),
      ("ncols 5", .textGrid), ("ncols,5", nil), ("SQLite format 3\0", .sqlite),
      ("SQLite format 3,", nil), ("PMTiles\u{3}", .pmtiles), ("PK\u{5}\u{6}", .zip),
      ("PK\u{3}\u{4}…xl/workbook.xml", .spreadsheet), ("PK\u{3}\u{4}…a.shp", .zippedShapefile),
      ("PK\u{3}\u{4}…doc.kml", .zippedKML), ("PK\u{3}\u{4}…a.csv", .zip),
      ("BZh91AY&SY", .bzip2), ("BZh91,a,b,c", nil), ("P*M\u{18}", .zstandard), ("P*M", nil),
      ("fgb\u{3}fgb", .flatGeobuf), ("PAR1", .parquet), ("ARROW1", .arrow), ("%PDF-1.7", .pdf),
      ("", nil), ("lng,lat\n", nil), ("{}", nil),
    ] as [(String, FileSignature?)])
  func beginnings(_ text: String, _ expected: FileSignature?) {
    #expect(FileSignature(text.utf8) == expected)
  }

  @Test(
    "is not known by a part of a beginning",
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png), ([0xFF, 0xD8, 0xFF], .jpeg),
      ([0x1F, 0x8B], .gzip), ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
      ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], .hdf5),
      ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], .jpeg2000), ([0, 0, 0x27, 0x0A], .shapefile),
      ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .oldSpreadsheet),
    ] as [([UInt8], FileSignature)])
  func parts(_ bytes: [UInt8], _ expected: FileSignature) {
    #expect(FileSignature(bytes + [0x41]) == expected)
    #expect(FileSignature(bytes.dropLast()) == nil)
  }
}
