import Foundation

/// The journal that SQLite has kept of an archive's last transaction: the pages before it.
///
/// A transaction that ends makes a journal invalid by zeros in place of its header, and leaves the
/// rest. With the header again it is the journal of a transaction that was interrupted, so SQLite
/// itself restores the archive, whenever it is killed.
///
/// Source: https://www.sqlite.org/fileformat2.html#the_rollback_journal
struct UndoJournal {
  private let path: String
  private let header: Data

  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Reads a journal; `nil` unless it is the one of the last change of the archive.
  ///
  /// - Complexity: O(bytes of the journal).
  init?(_ path: String, of archive: String) {
    guard let file = FileHandle(forReadingAtPath: archive) else { return nil }
    defer { try? file.close() }
    guard let current = try? file.read(upToCount: 100), current.count == 100,
      let journal = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
      journal.first == 0 || journal.starts(with: Self.magic)
    else { return nil }
    let told = Int(Self.number(current, at: 16) >> 16)
    let page = told == 1 ? 65_536 : told
    guard page >= 512 else { return nil }
    // The header fills a sector of the disk.
    for sector in [512, 4096, 1024, 2048, 8192] {
      guard let found = Self.records(of: journal, from: sector, page: page),
        Self.number(found.first, at: 24) &+ 1 == Self.number(current, at: 24)
      else { continue }
      self.path = path
      let pages = Self.number(found.first, at: 28)
      header =
        Self.magic.reduce(into: Data()) { $0.append($1) }
        + [UInt32(found.count), found.nonce, pages, UInt32(sector), UInt32(page)]
        .reduce(into: Data()) { data, number in
          withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
        }
      return
    }
    return nil
  }

  /// Returns the number of records, the number that all their checksums begin with, and the first
  /// page; `nil` if one is none.
  private static func records(
    of journal: Data, from start: Int, page: Int
  ) -> (count: Int, nonce: UInt32, first: Data)? {
    let length = page + 8
    let count = (journal.count - start) / length
    guard count > 0, (journal.count - start) % length == 0 else { return nil }
    var (nonce, first): (UInt32?, Data?)
    for index in 0..<count {
      let record = journal[(start + index * length)...].prefix(length)
      let content = record.dropFirst(4).prefix(page)
      let sum = stride(from: page - 200, to: 0, by: -200).reduce(0 as UInt32) {
        $0 &+ UInt32(content[content.startIndex + $1])
      }
      let own = number(record, at: page + 4) &- sum
      guard own == nonce ?? own else { return nil }
      nonce = own
      if number(record, at: 0) == 1 { first = content }
    }
    guard let nonce, let first else { return nil }
    return (count, nonce, first)
  }

  /// Returns a number of four bytes, the highest first.
  private static func number(_ data: Data, at index: Int) -> UInt32 {
    data.dropFirst(index).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Writes the header, after which SQLite takes the file for a journal to play back.
  func revive(_ files: FileActions) throws(ClientError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ClientError.lastSystemError(file: path.lastComponent) }
    defer { close(descriptor) }
    try files.write(header, to: descriptor, of: path)
    try files.sync(path)
  }
}
