import SQLite
import Testing

struct QueryBudgetTests {
  private static let endless =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"

  @Test("a query that never ends is stopped at its deadline")
  func deadline() throws {
    let database = try Database(path: "", mode: .memory)
    database.setDeadline(seconds: 0.05)
    let error = #expect(throws: SQLiteError.self) { try database.integer(Self.endless) }
    #expect(error?.isInterrupted == true)
    database.setDeadline(seconds: nil)
    #expect(try database.integer("SELECT 7") == 7)
  }

  @Test("a query that allocates too much memory is stopped near its limit")
  func memory() throws {
    let database = try Database(path: "", mode: .memory)
    try database.execute("PRAGMA temp_store = MEMORY")
    database.setMemoryLimit(bytes: 16 << 20)
    let before = Database.memoryUsed
    let error = #expect(throws: SQLiteError.self) {
      try database.execute(
        "CREATE TABLE t AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
          + "SELECT randomblob(10000) AS b FROM c")
    }
    #expect(error?.isInterrupted == true)
    #expect(Database.memoryUsed - before < 256 << 20)
  }

  @Test("texts of a UTF-16 database are passed on as UTF-8")
  func utf8() throws {
    let database = try Database(path: "", mode: .memory)
    try database.execute("PRAGMA encoding = 'UTF-16be'; CREATE TABLE t AS SELECT 'Köln' AS v")
    let statement = try database.prepare("SELECT v, NULL FROM t")
    #expect(try statement.step())
    #expect(statement.withUTF8(0) { Array($0) } == Array("Köln".utf8))
    #expect(statement.withUTF8(1) { $0.count } == 0)
  }

  @Test(
    "only permitted statements can be prepared",
    arguments: [
      ("SELECT a FROM t", true), ("SELECT A FROM T", true), ("SELECT max(a) FROM t", true),
      ("SELECT b FROM u", false), ("SELECT t.a FROM t, u", false),
      ("SELECT upper(a) FROM t", false),
      ("SELECT name FROM sqlite_master", false), ("PRAGMA table_xinfo(t)", true),
      ("PRAGMA writable_schema = ON", false), ("ATTACH 'x' AS y", false), ("DELETE FROM t", false),
      ("INSERT INTO t VALUES (1)", false), ("UPDATE t SET a = 1", false), ("DROP TABLE t", false),
      ("CREATE TEMP TABLE x (a)", false), ("BEGIN", false),
      ("SELECT a FROM (SELECT b AS a FROM u)", false),
      ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c", false),
    ])
  func permission(_ sql: String, _ isPermitted: Bool) throws {
    let database = try Database(path: "", mode: .memory)
    try database.execute("CREATE TABLE t (a); CREATE TABLE u (b)")
    database.permitOnly(
      ReadPermission(tables: ["t"], functions: ["MAX"], pragmas: ["table_xinfo"]))
    if isPermitted {
      _ = try database.prepare(sql)
    } else {
      let error = #expect(throws: SQLiteError.self) { _ = try database.prepare(sql) }
      // A function is not permitted in other words and with a code of its own.
      #expect(error?.isPermission == true || error?.message.contains("not authorized") == true)
    }
    database.permitOnly(nil)
    _ = try database.prepare(sql)
  }

  @Test("a view is an error where views are off, and so is a value beyond its limit")
  func limits() throws {
    let database = try Database(path: "", mode: .memory)
    try database.execute("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t")
    try database.setViews(enabled: false)
    #expect(throws: SQLiteError.self) { _ = try database.prepare("SELECT a FROM v") }
    try database.setViews(enabled: true)
    _ = try database.prepare("SELECT a FROM v")
    database.limit(valueBytes: 1000, columns: 10)
    let error = #expect(throws: SQLiteError.self) {
      try database.text("SELECT hex(zeroblob(2000))")
    }
    #expect(error?.isTooBig == true)
  }
}
