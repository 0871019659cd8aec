import Files
import Foundation
import SQLite
import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

/// A row of the table that is written page by page and read by SQLite.
private struct Row: Equatable {
  var key: [UInt8]
  var number: Int64?
  var bytes: [UInt8]
}

@Suite("Pages written one after the other")
struct PageFileTests {
  /// Writes a table of rows, the index of their keys, and the file around them.
  private func write(_ rows: [Row], to path: FilePath, _ size: PageSize) throws {
    let file = try PageFile(path: path, pageSize: size)
    var table = TableTree(file)
    var index = IndexTree(file)
    var record = RecordBuffer()
    for row in rows {
      record.begin()
      record.add(text: row.key)
      if let number = row.number { record.add(number) } else { record.addNull() }
      try row.bytes.withUnsafeBytes { bytes in
        try record.withPayload(blob: bytes) { (payload) throws(ArchiveError) in
          try table.append(payload)
        }
      }
    }
    let order = rows.indices.sorted { rows[$0].key.lexicographicallyPrecedes(rows[$1].key) }
    for number in order {
      record.begin()
      record.add(text: rows[number].key)
      record.add(Int64(number + 1))
      try record.withPayload { (payload) throws(ArchiveError) in
        try index.append(payload, endsRun: number % 7 == 3)
      }
    }
    let statements = SchemaStatement.all(
      of:
        "CREATE TABLE t (key TEXT, number INTEGER, bytes BLOB); CREATE UNIQUE INDEX t_key ON t (key)"
    )
    let roots = [try table.finish(), try index.finish()]
    try SchemaPage(zip(statements, roots).map { ($0, root: $1) }, pageCount: file.pageCount, size)
      .finish(file)
  }

  /// What SQLite says of a file: its check, and all rows in their order.
  private func read(_ path: FilePath) throws -> (check: [String], rows: [Row]) {
    let database = try Database(path: path.string, mode: .immutable)
    var check: [String] = []
    let integrity = try database.prepare("PRAGMA integrity_check")
    while try integrity.step() { check.append(integrity.text(0) ?? "") }
    var rows: [Row] = []
    let statement = try database.prepare("SELECT key, number, bytes FROM t ORDER BY rowid")
    while try statement.step() {
      rows.append(
        Row(
          key: statement.withBytes(0) { Array($0) },
          number: statement.kind(1) == .null ? nil : statement.integer(1),
          bytes: statement.withBytes(2) { Array($0) }))
    }
    return (check, rows)
  }

  /// Asserts that SQLite finds nothing wrong and reads what was written.
  private func check(_ rows: [Row], _ comment: Comment) throws {
    let folder = try TemporaryFolder()
    for pageSize in [PageSize.small, .large] {
      let path = folder.path.appending("pages\(pageSize.bytes)")
      try write(rows, to: path, pageSize)
      let read = try read(path)
      #expect(read.check == ["ok"], comment)
      #expect(read.rows == rows, comment)
      let size = try #require(FileStatus(path)?.size)
      #expect(Int(size) % pageSize.bytes == 0, comment)
    }
  }

  /// A text that ends in the number and is longer if it has to be.
  private func key(_ number: Int, length: Int) -> [UInt8] {
    let digits = Array("\(number)".utf8)
    return Array(repeating: UInt8(ascii: "k"), count: max(0, length - digits.count)) + digits
  }

  @Test("pages are what SQLite reads, from no rows to past each new leaf and level")
  func everyCount() throws {
    // Four entries of this length fit a page of the index.
    for count in 0...40 {
      let rows = (0..<count).map {
        Row(key: key($0, length: 900), number: Int64($0), bytes: [UInt8($0)])
      }
      try check(rows, "\(count) rows with long keys")
    }
    for count in [255, 256, 1000, 4000] {
      let rows = (0..<count).map {
        Row(key: key($0, length: 32), number: nil, bytes: [])
      }
      try check(rows, "\(count) rows with short keys")
    }
    // Two rows a leaf: a table of three levels.
    let rows = (0..<1200).map {
      Row(key: key($0, length: 8), number: 0, bytes: Array(repeating: 1, count: 1800))
    }
    try check(rows, "long rows")
  }

  @Test(
    "roots lie in the head, all of which is used, and what it has no room for at the end",
    arguments: [0, 1, 30, 2000], [1, 900, 20_000])
  func head(count: Int, length: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("pages")
    let file = try PageFile(path: path, headPages: 3)
    var (table, index, last) = (TableTree(file), IndexTree(file), TableTree(file))
    var record = RecordBuffer()
    for row in 0..<count {
      record.begin()
      record.add(Int64(row))
      try record.withPayload { (payload) throws(ArchiveError) in try table.append(payload) }
      record.begin()
      record.add(Int64(row))
      record.add(Int64(row + 1))
      try record.withPayload { (payload) throws(ArchiveError) in
        try index.append(payload, endsRun: row % 50 == 7)
      }
    }
    let (rows, entries) = (try table.end(), try index.end())
    let roots = [
      try rows.finish(in: file, sparing: 1), try entries.finish(in: file, sparing: 1),
      try file.fillHead { () throws(ArchiveError) in
        record.begin()
        record.add(text: [UInt8](repeating: 7, count: length))
        try record.withPayload { (payload) throws(ArchiveError) in try last.append(payload) }
        return try last.finish()
      },
    ]
    #expect(roots.prefix(2) == [3, 4])
    #expect(roots[2] == 2 || length > 4096)
    #expect(file.head.isEmpty)
    let statements = SchemaStatement.all(
      of: "CREATE TABLE t (a); CREATE UNIQUE INDEX t_a ON t (a); CREATE TABLE m (b TEXT)")
    try SchemaPage(zip(statements, roots).map { ($0, root: $1) }, pageCount: file.pageCount, .small)
      .finish(file)
    let database = try Database(path: path.string, mode: .immutable)
    #expect(try database.text("PRAGMA integrity_check") == "ok")
    #expect(try database.integer("SELECT count(*) FROM t WHERE a = rowid - 1") == Int64(count))
    #expect(try database.integer("SELECT length(b) FROM m") == Int64(length))
  }

  @Test("pages hold payloads of each length around those that overflow")
  func lengths() throws {
    // 4061 bytes fit a leaf of a table, 1002 an entry of an index, 4092 a further page; of large
    // pages 16349, 4086 and 16380.
    let lengths =
      Array(3980...4070) + Array(8060...8190) + Array(16_270...16_400) + Array(32_640...32_780)
      + [12_000, 100_000, 1, 0, 127, 128]
    try check(
      lengths.enumerated().map { index, length in
        Row(
          key: key(index, length: 20), number: Int64(length),
          bytes: (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ length) })
      }, "blobs")
    try check(
      (Array(980...1010) + Array(4060...4090) + Array(4990...5110) + [20_000]).map {
        Row(key: key($0, length: $0), number: 1, bytes: [])
      }, "keys")
  }

  @Test("pages hold numbers of each width")
  func numbers() throws {
    var numbers: [Int64] = [0, 1, -1, 2, .min, .max]
    for bit in stride(from: 7, through: 62, by: 1) {
      let power = Int64(1) << Int64(bit)
      numbers += [power - 1, power, power + 1, -power - 1, -power, -power + 1]
    }
    try check(
      numbers.enumerated().map { Row(key: key($0, length: 4), number: $1, bytes: []) }, "numbers")
  }

  @Test("pages hold random rows", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rows = (0..<1500).map { number in
      Row(
        key: key(number, length: Int(random.next() % (number % 50 == 0 ? 3000 : 60))),
        number: random.next() % 9 == 0
          ? nil : Int64(bitPattern: random.next()) >> Int64(random.next() % 64),
        bytes: (0..<Int(random.next() % (number % 20 == 0 ? 15_000 : 300))).map { _ in
          UInt8(truncatingIfNeeded: random.next())
        })
    }
    try check(rows, "seed \(seed)")
  }

  @Test(
    "pages leave out the one that SQLite locks, at a gibibyte",
    .enabled(if: ProcessInfo.processInfo.environment["QUADRILLE_SLOW"] != nil),
    arguments: [PageSize.small, .large])
  func lockPage(size: PageSize) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("pages")
    let file = try PageFile(path: path, pageSize: size)
    var table = TableTree(file)
    var record = RecordBuffer()
    // Some rows with 15 further pages around the place, one of which lies across it.
    let length = 16 * size.bytes - 536
    let bytes = [UInt8](repeating: 7, count: length)
    let count = (1 << 30) / (16 * size.bytes) + 20
    for _ in 0..<count {
      record.begin()
      record.add(1)
      try bytes.withUnsafeBytes { bytes in
        try record.withPayload(blob: bytes) { (payload) throws(ArchiveError) in
          try table.append(payload)
        }
      }
    }
    #expect(file.pageCount > size.lockPage)
    let root = try table.finish()
    let statement = try #require(SchemaStatement.all(of: "CREATE TABLE t (a, b)").first)
    try SchemaPage([(statement, root: root)], pageCount: file.pageCount, size).finish(file)
    let database = try Database(path: path.string, mode: .immutable)
    #expect(try database.text("PRAGMA integrity_check") == "ok")
    #expect(
      try database.integer("SELECT count(*) FROM t WHERE length(b) = \(length)") == Int64(count))
  }

  @Test("pages are not written over a file, nor into a missing folder")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("pages")
    try check([], "nothing")
    _ = try PageFile(path: path)
    #expect { try PageFile(path: path) } throws: { error in
      (error as? ArchiveError)?.code == .cannotCreate
        && "\(error)".hasSuffix("exists already. Remove it.")
    }
    #expect { try PageFile(path: folder.path.appending("no").appending("pages")) } throws: {
      ($0 as? ArchiveError)?.code == .cannotCreate
    }
  }
}

@Suite("Numbers of variable length")
struct VarintsTests {
  @Test(
    "varints are written as SQLite reads them",
    arguments: [
      (0, [0]), (127, [0x7F]), (128, [0x81, 0]), (240, [0x81, 0x70]), (16_383, [0xFF, 0x7F]),
      (16_384, [0x81, 0x80, 0]), (1 << 55, [0xC0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]),
      (1 << 56, [0x80, 0xC0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]),
      (UInt64.max, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
    ] as [(UInt64, [UInt8])])
  func bytes(value: UInt64, expected: [UInt8]) {
    let written = withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) { buffer in
      let count = Varints.write(value, to: buffer)
      return Array(buffer[..<count])
    }
    #expect(written == expected)
    #expect(Varints.length(of: value) == expected.count)
  }
}
