import Features
import Files
import SystemPackage

/// The first hundred bytes of a database file, as far as they identify it.
///
/// Source: "The Database Header", https://www.sqlite.org/fileformat2.html#the_database_header, and
/// OGC 12-128r19, requirement 2.
package struct GeoPackageHead: Hashable, Sendable {
  /// The size of the header in bytes.
  package static let byteCount = 100

  /// Application ids of GeoPackage: `GP10`, `GP11`, and `GPKG` since 1.2.
  private static let known: Set<UInt32> = [0x4750_3130, 0x4750_3131, 0x4750_4B47]

  /// The page size in bytes.
  let pageBytes: Int
  /// The number of pages by the header, `nil` where the header is older than the last change.
  let pageCount: Int?
  let applicationID: UInt32
  /// The version of GeoPackage 1.2 and later: 10200 and so on.
  let userVersion: UInt32

  /// Reads the header; `nil` unless it is that of SQLite 3.
  package init?(_ head: some Collection<UInt8>) {
    let bytes = Array(head.prefix(Self.byteCount))
    guard bytes.count == Self.byteCount, FileSignature(bytes) == .sqlite else { return nil }
    func word(_ offset: Int) -> UInt32 {
      bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let page = Int(bytes[16]) << 8 | Int(bytes[17])
    pageBytes = page == 1 ? 65_536 : page
    pageCount = word(24) == word(92) && word(28) > 0 ? Int(word(28)) : nil
    applicationID = word(68)
    userVersion = word(60)
  }

  /// Whether the file declares itself a GeoPackage.
  package var isGeoPackage: Bool { Self.known.contains(applicationID) }

  /// Returns what is wrong with a file of this size under this header, or `nil`.
  func refusal(fileBytes: Int) -> String? {
    guard pageBytes >= 512, pageBytes <= 65_536, pageBytes.nonzeroBitCount == 1 else {
      return "is damaged: its header says pages of \(pageBytes) bytes"
    }
    if let pageCount, pageCount * pageBytes > fileBytes {
      return "is cut off: it should have \(pageCount * pageBytes) bytes and has \(fileBytes). "
        + "Copy or download it again."
    }
    return nil
  }
}
