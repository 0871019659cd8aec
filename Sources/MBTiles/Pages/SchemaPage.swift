import Files

/// A table, a view or an index as in `sqlite_schema`.
struct SchemaStatement {
  /// `table`, `view` or `index`.
  let type: String
  let name: String

  /// The table that the object is or belongs to; a view's own name.
  let table: String

  /// The SQL statement that creates the object.
  let statement: String

  /// Parses the statements of a text of this program: `CREATE TABLE name (…); CREATE VIEW name AS
  /// …; CREATE UNIQUE INDEX name ON table (…);`.
  static func all(of text: String) -> [SchemaStatement] {
    text.split(separator: ";").compactMap { SchemaStatement(String($0)) }
  }

  private init?(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count > 3 else { return nil }
    switch words[1] {
    case "TABLE", "VIEW":
      (type, name, table) = (words[1].lowercased(), String(words[2]), String(words[2]))
    default:
      // CREATE INDEX, or CREATE UNIQUE INDEX.
      let place = words[1] == "INDEX" ? 2 : 3
      guard words.count > place + 2 else { return nil }
      (type, name, table) = ("index", String(words[place]), String(words[place + 2]))
    }
    statement = String(text.drop(while: \.isWhitespace))
  }
}

/// The first page of a SQLite file: the file's header and its schema table.
///
/// Source: https://www.sqlite.org/fileformat2.html#the_database_header.
struct SchemaPage {
  private let page: TreePage

  /// - Parameters:
  ///   - objects: all tables, views and indexes, with the page number of each one's root; 0 for a
  ///     view.
  ///   - pageCount: the number of pages of the file.
  ///   - pageSize: the size of each.
  /// - Throws: ``ArchiveError/Code/misuse`` if the objects do not fit the page.
  init(
    _ objects: [(statement: SchemaStatement, root: UInt32)], pageCount: UInt32, _ pageSize: PageSize
  ) throws(ArchiveError) {
    page = TreePage(.tableLeaf, pageSize, start: SQLiteHeader.byteCount)
    var record = RecordBuffer()
    for (index, (object, root)) in objects.enumerated() {
      record.begin()
      record.add(text: object.type.utf8)
      record.add(text: object.name.utf8)
      record.add(text: object.table.utf8)
      record.add(Int64(root))
      record.add(text: object.statement.utf8)
      try record.withPayload { (payload) throws(ArchiveError) in
        let split = PayloadSplit(payload.count, in: .table, of: pageSize)
        guard split.rest == 0, page.add(payload, split, overflow: 0, row: UInt64(index + 1)) else {
          throw ArchiveError(.misuse(of: "archive writer", given: "too many tables"))
        }
      }
    }
    writeHeader(pageCount)
  }

  private func writeHeader(_ pageCount: UInt32) {
    let bytes = page.bytes
    bytes.copyBytes(from: SQLiteHeader.signature)
    bytes.storeBytes(of: UInt16(bytes.count).bigEndian, toByteOffset: 16, as: UInt16.self)
    // Rollback journal; nothing reserved; the fractions that SQLite demands.
    UnsafeMutableRawBufferPointer(rebasing: bytes[18..<24]).copyBytes(from: [1, 1, 0, 64, 32, 32])
    let words: [(offset: Int, value: UInt32)] = [
      // The change counter, and the change for which the number of pages is valid.
      (24, 1), (92, 1), (28, pageCount),
      // The schema's change counter, its format, UTF-8.
      (40, 1), (44, 4), (56, 1),
      (68, SQLiteHeader.mbtilesID),
      // The first version of SQLite that writes such files.
      (96, 3_007_000),
    ]
    for (offset, value) in words {
      bytes.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
    }
  }

  /// Calls `body` with the page.
  func withBytes(_ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void) throws(ArchiveError)
  {
    defer { withExtendedLifetime(page) {} }
    try body(page.finish())
  }

  /// Writes the page into its file, which is then complete.
  func finish(_ file: PageFile) throws(ArchiveError) {
    try withBytes { (bytes) throws(ArchiveError) in try file.finish(firstPage: bytes) }
  }
}
