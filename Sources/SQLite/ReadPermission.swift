import CSQLite

/// The permissions of a connection's statements, enforced by SQLite's authorizer.
///
/// Everything but reading is denied: writing, attaching, transactions, other pragmas. Names are
/// compared ignoring ASCII case, as in SQLite.
package struct ReadPermission: Sendable {
  /// The tables that may be read; `nil` for all, as a view needs.
  private let tables: Set<String>?
  /// The functions that may be called; `nil` for all that the schema may use.
  private let functions: Set<String>?
  private let pragmas: Set<String>
  private let allowsRecursion: Bool

  /// Creates a permission to read some tables with some functions.
  package init(
    tables: [String]?, functions: [String]?, pragmas: [String] = [], allowsRecursion: Bool = false
  ) {
    self.tables = tables.map { Set($0.map(Self.folded)) }
    self.functions = functions.map { Set($0.map(Self.folded)) }
    self.pragmas = Set(pragmas.map(Self.folded))
    self.allowsRecursion = allowsRecursion
  }

  /// Returns the name in lower case, ASCII only.
  private static func folded(_ name: String) -> String {
    String(
      decoding: name.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Returns the answer for an action, in the codes of `sqlite3_set_authorizer`.
  fileprivate func answer(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> Int32 {
    func isNamed(_ name: UnsafePointer<CChar>?, in names: Set<String>?) -> Bool {
      guard let names else { return true }
      return name.map { names.contains(Self.folded(String(cString: $0))) } ?? false
    }
    let isAllowed =
      switch action {
      case SQLITE_SELECT: true
      case SQLITE_READ: isNamed(first, in: tables)
      case SQLITE_FUNCTION: isNamed(second, in: functions)
      case SQLITE_PRAGMA: isNamed(first, in: pragmas)
      case SQLITE_RECURSIVE: allowsRecursion
      default: false
      }
    return isAllowed ? SQLITE_OK : SQLITE_DENY
  }
}

extension Database {
  /// Refuses to prepare any statement that needs more than these permissions, with an error whose
  /// ``SQLiteError/isPermission`` is true; `nil` permits everything.
  package func permitOnly(_ permission: ReadPermission?) {
    self.permission = permission
    guard permission != nil else {
      sqlite3_set_authorizer(connection, nil, nil)
      return
    }
    // Like the connection, the authorizer lives as long as `self`.
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, _, _ in
        guard let context else { return SQLITE_DENY }
        let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
        return database.permission?.answer(action, first, second) ?? SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Lowers the limits of ``Trust/foreign``: the bytes of one value or row, and the columns of a
  /// table or a result.
  package func limit(valueBytes: Int, columns: Int) {
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytes))
    sqlite3_limit(connection, SQLITE_LIMIT_COLUMN, Int32(clamping: columns))
  }

  /// Enables or disables the views of the schema; using a disabled one is an error.
  package func setViews(enabled: Bool) throws(SQLiteError) {
    let code = quadrille_sqlite3_db_config_flag(
      connection, SQLITE_DBCONFIG_ENABLE_VIEW, enabled ? 1 : 0)
    guard code == SQLITE_OK else { throw SQLiteError(code, connection: connection) }
  }
}

extension SQLiteError {
  /// Whether a value or row exceeds the length limit.
  package var isTooBig: Bool { code == SQLITE_TOOBIG }

  /// Whether memory ran out.
  package var isOutOfMemory: Bool { code == SQLITE_NOMEM }
}
