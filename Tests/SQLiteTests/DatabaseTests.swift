import Platform
import SQLite
import TestSupport
import Testing

@Suite("A database")
struct DatabaseTests {
  @Test("a database gives every storage class back as it was bound")
  func roundTrip() throws {
    let database = try Database(path: "", mode: .memory)
    try database.execute("CREATE TABLE t (a, b, c, d, e)")
    let insertion = try database.prepare("INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5)")
    let blob: [UInt8] = [0, 1, 255]
    try insertion.bind(Int64.min, at: 1)
    try insertion.bind(-0.1, at: 2)
    try insertion.bind("Zürich\0日本", at: 3)
    try insertion.bindNull(at: 5)
    try blob.withUnsafeBytes {
      try insertion.bindBlob(borrowing: $0, at: 4)
      try insertion.run()
    }

    let selection = try database.prepare("SELECT * FROM t")
    #expect(try selection.step())
    #expect(selection.columnCount == 5)
    #expect((0..<5).map { selection.kind($0) } == [.integer, .real, .text, .blob, .null])
    #expect(selection.integer(0) == .min)
    #expect(selection.double(1) == -0.1)
    #expect(selection.text(2) == "Zürich\0日本")
    #expect(selection.withBytes(3) { Array($0) } == blob)
    #expect(selection.text(4) == nil)
    #expect(try !selection.step())
  }

  @Test("a database distinguishes the empty text and the empty blob from null")
  func empty() throws {
    let database = try Database(path: "", mode: .memory)
    let selection = try database.prepare("SELECT ?1, ?2, ?3")
    try selection.bind("", at: 1)
    try selection.bindBlob(borrowing: UnsafeRawBufferPointer(start: nil, count: 0), at: 2)
    #expect(try selection.step())
    #expect((0..<3).map { selection.kind($0) } == [.text, .blob, .null])
    #expect(selection.withBytes(1) { $0.count } == 0)
  }

  @Test("a database reuses a statement with other values after a run, and after an error")
  func reuse() throws {
    let database = try Database(path: "", mode: .memory)
    try database.execute("CREATE TABLE t (a UNIQUE)")
    let insertion = try database.prepare("INSERT INTO t VALUES (?1)")
    for value in [1, 2, 2, 3] as [Int64] {
      try insertion.bind(value, at: 1)
      try? insertion.run()
    }
    #expect(try database.integer("SELECT sum(a) FROM t") == 6)
  }

  @Test("a database error has SQLite's code, its message and the statement")
  func errors() throws {
    let database = try Database(path: "", mode: .memory)
    try database.execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
    let error = #expect(throws: SQLiteError.self) {
      try database.execute("INSERT INTO t VALUES (1)")
    }
    #expect(error?.code == 19)
    #expect(error?.extendedCode == 2067)
    #expect(error?.message == "UNIQUE constraint failed: t.a")
    #expect(error?.sql == "INSERT INTO t VALUES (1)")
  }

  @Test(
    "a database prepares exactly one statement",
    arguments: ["", " ; ", "SELECT 1; SELECT 2", "SELECT 1; x"])
  func notOne(sql: String) throws {
    let database = try Database(path: "", mode: .memory)
    #expect(throws: SQLiteError.self) { _ = try database.prepare(sql) }
    _ = try database.prepare("SELECT 1;\n")
  }

  @Test("a database stays open for a statement that outlives it")
  func lifetime() throws {
    var database: Database? = try Database(path: "", mode: .memory)
    let selection = try database?.prepare("SELECT 7")
    database = nil
    #expect(try selection?.step() == true)
    #expect(selection?.integer(0) == 7)
  }

  @Test(
    "a database opens a file of any name without locks",
    arguments: ["plain", "a b", "50%", "q?mode=memory", "#1", "ü", "a'b&c"])
  func immutable(name: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.path(name)
    try Database(path: file, mode: .create).execute("CREATE TABLE t (a)")
    let database = try Database(path: file, mode: .immutable, trust: .foreign)
    #expect(try database.text("SELECT name FROM sqlite_schema") == "t")
    #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO t VALUES (1)") }
  }

  @Test(
    "a database does not create a file unless asked to",
    arguments: [OpenMode.readOnly, .immutable, .readWrite])
  func missing(mode: OpenMode) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("missing")
    let error = #expect(throws: SQLiteError.self) {
      _ = try Database(path: file, mode: mode).integer("SELECT 1 FROM sqlite_schema")
    }
    #expect(error?.isCannotOpen == true)
    #expect(access(file, F_OK) != 0)
  }
}

/// Overwrites a file from an offset to its end with one byte.
func overwrite(_ path: String, from offset: Int, with byte: Int32) {
  guard let file = fopen(path, "r+") else { return }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let size = ftell(file)
  fseek(file, offset, SEEK_SET)
  for _ in offset..<max(offset, size) { fputc(byte, file) }
}
