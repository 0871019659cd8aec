/// The fields of a SQLite file's first 100 bytes that an archive's readers depend on.
///
/// Source: https://www.sqlite.org/fileformat2.html#the_database_header; integers are big-endian.
package struct ArchiveHeader: Hashable, Sendable {
  /// Size of the header in bytes.
  package static let size = 100

  /// "MBPX", the application id registered for MBTiles.
  package static let mbtilesID: UInt32 = 0x4D50_4258

  /// Page size in bytes, 512 … 65536.
  package let pageSize: Int

  /// 1 for a rollback journal, 2 for a write-ahead log.
  package let writeVersion: UInt8

  /// 1 for a rollback journal, 2 for a write-ahead log.
  package let readVersion: UInt8

  /// The number of pages of the file according to the header.
  package let pageCount: Int

  /// The text encoding; 1 for UTF-8.
  package let textEncoding: UInt32

  package let applicationID: UInt32

  /// Whether readers need a write-ahead log beside the file.
  package var usesLog: Bool { writeVersion != 1 || readVersion != 1 }

  /// The first bytes of every SQLite file.
  package static let signature = Array("SQLite format 3\0".utf8)

  /// Reads a header; `nil` if the bytes are not that of a SQLite file.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size, bytes.starts(with: Self.signature) else { return nil }
    func word(_ offset: Int) -> UInt32 {
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    self.pageSize = pageSize == 1 ? 65536 : pageSize
    writeVersion = bytes[18]
    readVersion = bytes[19]
    pageCount = Int(word(28))
    textEncoding = word(56)
    applicationID = word(68)
  }
}
