import CSQLite
package import Failures

/// An error of SQLite, with its own codes and message.
package struct SQLiteError: Error, Hashable, Sendable {
  /// The primary result code, such as 13 for a full disk.
  package let code: Int32

  /// The extended result code, whose low byte is ``code``.
  package let extendedCode: Int32

  /// SQLite's own message.
  package let message: String

  /// The statement that failed, truncated to 200 characters; empty if there was none.
  package let sql: String

  /// The `errno` of the failed system call; 0 if there was none.
  package let systemError: Int32

  package init(code: Int32, message: String, sql: String = "", systemError: Int32 = 0) {
    self.code = code & 0xFF
    self.extendedCode = code
    self.message = message
    self.systemError = systemError
    // A single line, like everything in a message.
    self.sql = String(sql.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(200))
  }

  /// Creates the error of a connection after a call returned `code`.
  init(_ code: Int32, connection: OpaquePointer?, sql: String = "") {
    if let connection, let cause = Self.readingFailure(code, connection) {
      self.init(
        code: SQLITE_IOERR | 1 << 8, message: String(cString: sqlite3_errstr(SQLITE_IOERR)),
        sql: sql, systemError: cause)
      return
    }
    let extended = connection.map { sqlite3_extended_errcode($0) } ?? code
    let message = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    // SQLite keeps the last one, so it only applies to system errors.
    let isSystem = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF)
    self.init(
      code: extended & 0xFF == code & 0xFF ? extended : code,
      message: message.map { String(cString: $0) } ?? "unknown error", sql: sql,
      systemError: isSystem ? connection.map { sqlite3_system_errno($0) } ?? 0 : 0)
  }
}

extension SQLiteError {
  /// Returns the `errno` of a failed read, which SQLite reports as damage of the file (it turns
  /// `SQLITE_IOERR_CORRUPTFS` into `SQLITE_CORRUPT`); `nil` if no read failed.
  private static func readingFailure(_ code: Int32, _ connection: OpaquePointer) -> Int32? {
    guard [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) else { return nil }
    var cause: Int32 = 0
    let status = sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &cause)
    return status == SQLITE_OK && cause != 0 ? cause : nil
  }

  /// Creates the error for the system failure behind a line of SQLite's integrity checks, which
  /// report a page that cannot be read as damaged: `Tree 5 page 7: unable to get the page. error
  /// code=266`, and of a long value `Tree 5 page 7 cell 0: failed to get page 9`.
  ///
  /// - Returns: `nil` if the line reports actual damage.
  package init?(unreadablePageIn line: String) {
    let text = line.split(separator: "\n").joined(separator: "; ")
    guard let found = line.firstRange(of: "error code=") else {
      guard line.contains("failed to get page ") else { return nil }
      self.init(code: SQLITE_IOERR, message: text)
      return
    }
    let digits = line[found.upperBound...].prefix { $0.isASCII && $0.isNumber }
    guard let code = Int32(digits) else { return nil }
    self.init(code: code, message: text)
    if !isUnreadable { return nil }
  }

  /// Whether the disk or the quota is full.
  package var isFull: Bool { code == SQLITE_FULL }

  /// Whether reading or writing the file failed.
  package var isInputOutput: Bool { code == SQLITE_IOERR }

  /// Whether the file may be valid although it could not be read, due to the system, memory or the
  /// number of open files.
  package var isUnreadable: Bool {
    [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM].contains(code)
  }

  /// Whether another connection holds a lock on the file.
  package var isLocked: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

  /// Whether the file may not be written.
  package var isPermission: Bool { [SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH].contains(code) }

  /// Whether the file cannot be opened or created.
  package var isCannotOpen: Bool { code == SQLITE_CANTOPEN }

  /// Whether the file is damaged, or is not a database.
  package var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

  /// Whether the deadline of ``Database/setDeadline(seconds:)`` or the function of
  /// ``Database/stopWhen(_:)`` stopped the statement.
  package var isInterrupted: Bool { code == SQLITE_INTERRUPT }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    sql.isEmpty
      ? "\(message) (SQLite \(extendedCode))" : "\(message) (SQLite \(extendedCode)): \(sql)"
  }
}

extension SQLiteError: Failure {
  package var failureCode: FailureCode { .inputOutput }

  package var sentence: String { description }
}
