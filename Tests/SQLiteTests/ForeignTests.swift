import SQLite
import TestSupport
import Testing

@Suite("A foreign database")
struct ForeignTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  @Test("a query of a foreign database is stopped at its deadline, also within a view")
  func deadline() throws {
    let database = try Database(path: "", mode: .memory, trust: .foreign)
    try database.execute("CREATE VIEW tiles AS \(Self.endless)")
    database.setDeadline(seconds: 0.01)
    let error = #expect(throws: SQLiteError.self) {
      _ = try database.integer("SELECT * FROM tiles")
    }
    #expect(error?.isInterrupted == true)
    database.setDeadline(seconds: nil)
    #expect(try database.integer("SELECT 1") == 1)
  }

  @Test("a foreign database runs no triggers")
  func triggers() throws {
    let database = try Database(path: "", mode: .memory, trust: .foreign)
    try database.execute(
      """
      CREATE TABLE t (a); CREATE TABLE log (a);
      CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1); END;
      INSERT INTO t VALUES (1);
      """)
    #expect(try database.integer("SELECT count(*) FROM log") == 0)
  }

  @Test(
    "a foreign database is refused beyond its limits",
    arguments: [
      "SELECT zeroblob(300 << 20)",
      "ATTACH ':memory:' AS other",
      "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'x'",
      "SELECT \(String(repeating: "(", count: 500))1\(String(repeating: ")", count: 500))",
      "SELECT load_extension('x')",
    ])
  func limits(script: String) throws {
    let database = try Database(path: "", mode: .memory, trust: .foreign)
    try database.execute("CREATE TABLE t (a)")
    #expect(throws: SQLiteError.self) { try database.execute(script) }
  }

  @Test("a damaged foreign database is recognized, and read with an error rather than a crash")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("damaged")
    let size = 64 << 10
    try Database(path: file, mode: .create).execute(
      "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(\(size)))")
    overwrite(file, from: 4096, with: 0xFF)
    let database = try Database(path: file, mode: .immutable, trust: .foreign)
    let error = #expect(throws: SQLiteError.self) {
      _ = try database.integer("SELECT count(*) FROM t")
    }
    #expect(error?.isCorrupt == true)
  }
}
