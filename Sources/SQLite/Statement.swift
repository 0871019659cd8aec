import CSQLite

/// A prepared statement, finalized when it goes out of scope.
///
/// Parameters are numbered from 1 and columns from 0, as in SQLite. Methods that bind buffers do
/// not copy: the bytes must stay valid until the next ``reset()``.
package struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: Database

  init(_ sql: String, on database: Database) throws(SQLiteError) {
    var handle: OpaquePointer?
    var rest = 0
    var text = sql
    let code = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          database.connection, characters.baseAddress, Int32(clamping: characters.count), 0,
          &handle, &tail)
        if let tail, let base = characters.baseAddress {
          rest = characters.count - (tail - base)
        }
        return code
      }
    }
    guard code == SQLITE_OK else {
      throw SQLiteError(code, connection: database.connection, sql: sql)
    }
    let isSingle = sql.utf8.suffix(rest).allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x3B }
    guard let handle, isSingle else {
      sqlite3_finalize(handle)
      throw SQLiteError(
        code: SQLITE_MISUSE, message: "a prepared text must hold exactly one statement", sql: sql)
    }
    self.handle = handle
    self.database = database
  }

  deinit {
    sqlite3_finalize(handle)
  }

  // MARK: Running

  /// Moves to the next row; returns false after the last.
  ///
  /// - Throws: The error of SQLite; the statement is reset first, so it can be used again.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// Runs a statement that yields no rows, then resets it for the next values.
  package func run() throws(SQLiteError) {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failure(code) }
    sqlite3_reset(handle)
  }

  /// Resets the statement so that it can run again; bound values are kept.
  package func reset() {
    sqlite3_reset(handle)
  }

  private func failure(_ code: Int32) -> SQLiteError {
    let sql = sqlite3_sql(handle).map { String(cString: $0) } ?? ""
    let error = SQLiteError(code, connection: database.connection, sql: sql)
    sqlite3_reset(handle)
    return error
  }

  // MARK: Binding

  /// The destructor `SQLITE_TRANSIENT`, which Swift cannot import; it makes SQLite copy the bound
  /// bytes.
  private static var copying: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Binds an integer.
  package func bind(_ value: Int64, at parameter: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, parameter, value))
  }

  /// Binds a number.
  package func bind(_ value: Double, at parameter: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, parameter, value))
  }

  /// Binds a text; SQLite keeps a copy.
  package func bind(_ value: String, at parameter: Int32) throws(SQLiteError) {
    var value = value
    let code = value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(
          handle, parameter, $0.baseAddress, Int32(clamping: $0.count), Self.copying)
      }
    }
    try check(code)
  }

  /// Binds UTF-8 text without copying it.
  package func bindText(
    borrowing text: UnsafeRawBufferPointer, at parameter: Int32
  ) throws(SQLiteError) {
    let address = text.baseAddress?.assumingMemoryBound(to: CChar.self)
    try check(sqlite3_bind_text(handle, parameter, address, Int32(clamping: text.count), nil))
  }

  /// Binds bytes without copying them.
  package func bindBlob(
    borrowing bytes: UnsafeRawBufferPointer, at parameter: Int32
  ) throws(SQLiteError) {
    guard let address = bytes.baseAddress, bytes.count > 0 else {
      return try check(sqlite3_bind_zeroblob(handle, parameter, 0))
    }
    try check(sqlite3_bind_blob64(handle, parameter, address, UInt64(bytes.count), nil))
  }

  /// Binds null.
  package func bindNull(at parameter: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, parameter))
  }

  // MARK: Columns of the current row

  /// The number of columns.
  package var columnCount: Int32 { sqlite3_column_count(handle) }

  /// Returns the storage class of the value.
  package func kind(_ column: Int32) -> ValueKind {
    ValueKind(rawValue: sqlite3_column_type(handle, column)) ?? .null
  }

  /// Returns the value as an integer, with SQLite's conversion: text that is not a number is 0.
  package func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  /// Returns the value as a number, with SQLite's conversion.
  package func double(_ column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  /// Returns the value as text, with invalid UTF-8 repaired; `nil` for null.
  package func text(_ column: Int32) -> String? {
    guard kind(column) != .null, let text = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// Calls `body` with the value's text as UTF-8, whatever the encoding of the file; the bytes are
  /// valid until the next step. The content is not validated: it may be malformed UTF-8.
  package func withUTF8<Result: ~Copyable, Failure: Error>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let address = sqlite3_column_text(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : count))
  }

  /// Calls `body` with the value's bytes, text or blob; they are valid until the next step.
  ///
  /// The value must not be read as another kind inside `body`: SQLite would convert it in place.
  package func withBytes<Result: ~Copyable, Failure: Error>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let address = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : count))
  }
}

/// The five storage classes of a SQLite value.
package enum ValueKind: Int32, Sendable {
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4
  case null = 5
}
