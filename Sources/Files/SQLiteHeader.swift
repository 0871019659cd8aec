/// The first hundred bytes of a SQLite database.
///
/// Source: https://www.sqlite.org/fileformat2.html#the_database_header; integers are big-endian.
package struct SQLiteHeader: Hashable, Sendable {
  /// The size of the header in bytes.
  package static let byteCount = 100

  /// The first bytes of every database.
  package static let signature = Array("SQLite format 3\0".utf8)

  /// Page size in bytes, 512 … 65536 in a sound file.
  package let pageSize: Int

  /// 1 for a rollback journal, 2 for a write-ahead log.
  package let writeVersion: UInt8

  /// 1 for a rollback journal, 2 for a write-ahead log.
  package let readVersion: UInt8

  /// The number of pages that is written in the header.
  package let writtenPages: Int

  /// Whether ``writtenPages`` is as of the last change: older writers left the number as it was.
  private let countsPages: Bool

  /// The text encoding; 1 for UTF-8.
  package let textEncoding: UInt32

  /// A number of the application's own.
  package let userVersion: UInt32

  package let applicationID: UInt32

  /// Whether readers need a write-ahead log beside the file.
  package var usesLog: Bool { writeVersion != 1 || readVersion != 1 }

  /// The number of pages; `nil` if it is older than the last change.
  package var pageCount: Int? { countsPages ? writtenPages : nil }

  /// Reads a header; `nil` if the bytes do not begin a database.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.signature) else { return nil }
    func word(_ offset: Int) -> UInt32 {
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    self.pageSize = pageSize == 1 ? 65536 : pageSize
    writeVersion = bytes[18]
    readVersion = bytes[19]
    writtenPages = Int(word(28))
    countsPages = word(24) == word(92) && word(28) > 0
    textEncoding = word(56)
    userVersion = word(60)
    applicationID = word(68)
  }

  /// Reads the header at the beginning of a file; see ``init(_:)-(UnsafeRawBufferPointer)``.
  package init?(_ head: some Collection<UInt8>) {
    guard let header = Array(head.prefix(Self.byteCount)).withUnsafeBytes({ Self($0) })
    else { return nil }
    self = header
  }
}
