import CSQLite

extension Database {
  /// The limits under which a foreign file is read.
  private static let limits: [(kind: Int32, value: Int32)] = [
    (SQLITE_LIMIT_LENGTH, 256 << 20),  // bytes of a value or row
    (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (SQLITE_LIMIT_COLUMN, 2000),  // a schema with a wider table cannot be read at all
    (SQLITE_LIMIT_EXPR_DEPTH, 64),
    (SQLITE_LIMIT_COMPOUND_SELECT, 16),
    (SQLITE_LIMIT_VDBE_OP, 25_000),
    (SQLITE_LIMIT_FUNCTION_ARG, 16),
    (SQLITE_LIMIT_ATTACHED, 0),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 256),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// Applies the restrictions that ``Trust/foreign`` describes.
  func restrict() throws(SQLiteError) {
    let flags: [(option: Int32, on: Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
      (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
    ]
    for flag in flags {
      let code = quadrille_sqlite3_db_config_flag(connection, flag.option, flag.on)
      guard code == SQLITE_OK else { throw SQLiteError(code, connection: connection) }
    }
    for limit in Self.limits { sqlite3_limit(connection, limit.kind, limit.value) }
    // The last of these reads the schema, which may be long or cyclic.
    setDeadline(seconds: 10)
    setMemoryLimit(bytes: 256 << 20)
    defer {
      setDeadline(seconds: nil)
      setMemoryLimit(bytes: nil)
    }
    try execute(
      "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536"
    )
  }
}
