import CSQLite
import Foundation

/// An open SQLite file. For one thread at a time.
final class SQLiteFile {
  /// The name of the file in errors.
  let name: String

  private let connection: OpaquePointer

  /// Maximum bytes of a value: more than any tile.
  private static let valueLimit: Int32 = 64 << 20

  /// The way a file is opened.
  enum Mode {
    /// Read as it is, without locks: the file never changes under its inode.
    case immutable
    /// Read under SQLite's locks: an update may change the file in place.
    case shared
    /// Read and written.
    case writable
  }

  /// The longest wait for a lock that another connection holds, in milliseconds.
  private static let patience: Int32 = 5000

  init(path: String, mode: Mode) throws(ClientError) {
    name = (path as NSString).lastPathComponent
    guard access(path, F_OK) == 0 else { throw ClientError.missing(file: name) }
    if mode == .shared, access(path + "-journal", F_OK) == 0 {
      // A killed update has left it: only a connection that may write restores the file by it.
      _ = try? SQLiteFile(path: path, mode: .writable).integer("PRAGMA schema_version")
    }
    if mode == .immutable { try Self.check(path, name) }
    var connection: OpaquePointer?
    let flags =
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
      | (mode == .writable ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY)
    let status = sqlite3_open_v2(Self.uri(path, mode), &connection, flags, nil)
    guard status == SQLITE_OK, let connection else {
      let reason = Self.reason(connection, status)
      sqlite3_close_v2(connection)
      throw ClientError.inputOutput(file: name, reason: reason)
    }
    self.connection = connection
    // The file may be hostile: its schema runs no functions with side effects and cannot write.
    _ = quadrille_sqlite3_db_config_flag(connection, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = quadrille_sqlite3_db_config_flag(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.valueLimit)
    sqlite3_busy_timeout(connection, Self.patience)
    // Reads the header. To open and close the file otherwise would drop the locks of its connections.
    if mode == .shared { try requireHeader() }
  }

  deinit { sqlite3_close_v2(connection) }

  private func requireHeader() throws(ClientError) {
    do throws(ClientError) {
      _ = try integer("PRAGMA schema_version")
    } catch {
      switch error {
      case .notArchive(let file, _):
        throw ClientError.notArchive(file: file, reason: "it is no file of SQLite")
      case .damaged(let file, _): throw ClientError.damaged(file: file, reason: "it ends too early")
      default: throw error
      }
    }
  }

  /// Checks the header of a file: SQLite does not miss pages that it does not need.
  ///
  /// Source: https://www.sqlite.org/fileformat.html#the_database_header
  private static func check(_ path: String, _ name: String) throws(ClientError) {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ClientError.lastSystemError(file: name)
    }
    defer { try? handle.close() }
    let head: [UInt8]
    let size: UInt64
    do {
      head = Array(try handle.read(upToCount: 100) ?? Data())
      size = try handle.seekToEnd()
    } catch {
      throw ClientError.inputOutput(file: name, reason: error.localizedDescription)
    }
    guard head.count == 100, head.starts(with: "SQLite format 3\0".utf8) else {
      throw ClientError.notArchive(file: name, reason: "it is no file of SQLite")
    }
    func number(_ range: Range<Int>) -> UInt64 { head[range].reduce(0) { $0 << 8 | UInt64($1) } }
    let pageSize = number(16..<18) == 1 ? 65_536 : number(16..<18)
    // Programs of before 2010 did not write the number of pages.
    let hasCount = number(24..<28) == number(92..<96)
    guard !hasCount || size >= pageSize * number(28..<32) else {
      throw ClientError.damaged(file: name, reason: "it ends too early")
    }
  }

  /// Returns the address by which SQLite opens a file: `file:` with escaped signs.
  static func uri(_ path: String, _ mode: Mode) -> String {
    let allowed = CharacterSet(
      charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/")
    let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    switch mode {
    case .immutable: return "file:\(escaped)?mode=ro&immutable=1"
    case .shared: return "file:\(escaped)?mode=ro"
    case .writable: return "file:\(escaped)?mode=rw"
    }
  }

  private static func reason(_ connection: OpaquePointer?, _ status: Int32) -> String {
    connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
      ?? String(cString: sqlite3_errstr(status))
  }

  /// Returns the error for the status of a failed call.
  fileprivate func error(_ status: Int32) -> ClientError {
    let reason = Self.reason(connection, status)
    switch status & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy(file: name)
    case SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_NOMEM,
      SQLITE_AUTH:
      return .inputOutput(file: name, reason: reason)
    case SQLITE_NOTADB: return .notArchive(file: name, reason: reason)
    default: return .damaged(file: name, reason: reason)
    }
  }

  /// Prepares a statement, which keeps the file open.
  func prepare(_ sql: String) throws(ClientError) -> SQLiteRows {
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard status == SQLITE_OK, let statement else { throw error(status) }
    return SQLiteRows(statement, of: self)
  }

  /// Runs statements that return nothing.
  func run(_ sql: String) throws(ClientError) {
    let status = sqlite3_exec(connection, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw error(status) }
  }

  /// Returns the text of the first column of a query's first row.
  func text(_ sql: String, _ values: String...) throws(ClientError) -> String? {
    let rows = try prepare(sql)
    for (index, value) in values.enumerated() { rows.bind(value, at: Int32(index + 1)) }
    return try rows.step() ? rows.text(0) : nil
  }

  /// Returns the number in the first column of a query's first row.
  func integer(_ sql: String) throws(ClientError) -> Int? {
    let rows = try prepare(sql)
    return try rows.step() ? rows.integer(0) : nil
  }
}

/// The rows of a prepared statement.
final class SQLiteRows {
  private let file: SQLiteFile
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer, of file: SQLiteFile) {
    (self.statement, self.file) = (statement, file)
  }

  deinit { sqlite3_finalize(statement) }

  /// Goes to the next row; returns whether there is one.
  func step() throws(ClientError) -> Bool {
    let status = sqlite3_step(statement)
    switch status {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw file.error(status)
    }
  }

  /// Returns to the beginning, so that values can be bound.
  func reset() { sqlite3_reset(statement) }

  func bind(_ value: Int, at index: Int32) {
    sqlite3_bind_int64(statement, index, Int64(value))
  }

  func bind(_ value: String, at index: Int32) {
    // SQLite copies the text: its lifetime ends with the call.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(statement, index, value, -1, transient)
  }

  func bind(_ value: SQLiteValue, at index: Int32) {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let number): bind(number, at: index)
    case .text(let bytes): bind(String(decoding: bytes, as: UTF8.self), at: index)
    case .blob(let bytes):
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      sqlite3_bind_blob(statement, index, bytes, Int32(clamping: bytes.count), transient)
    }
  }

  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

  func text(_ column: Int32) -> String? {
    sqlite3_column_text(statement, column).map { String(cString: $0) }
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// Calls `body` with the bytes of a column, which are valid until the next step.
  func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    let base = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return body(UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : count))
  }
}
