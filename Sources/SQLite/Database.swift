import CSQLite
import Workers

/// A connection to a SQLite file, closed when the last reference is released.
///
/// Opened without SQLite's mutex: only one thread at a time may use it and its statements.
package final class Database {
  let connection: OpaquePointer

  /// The maximum number of bytes of a path on Unix: `MAX_PATHNAME` of SQLite's os_unix.c.
  package static let pathLimit = 512

  /// The time at which a running statement is stopped; see ``setDeadline(seconds:)``.
  var deadline: ContinuousClock.Instant?

  /// The size of SQLite's heap in bytes at which a running statement is stopped; see
  /// ``setMemoryLimit(bytes:)``.
  var memoryLimit: Int64?

  /// Whether a running statement should stop; see ``stopWhen(_:)``.
  var isStopped: (@Sendable () -> Bool)?

  /// The permissions of statements; see ``permitOnly(_:)``.
  var permission: ReadPermission?

  /// Opens or creates a file. Statements on a foreign file stop when the run is cancelled, as by
  /// ``stopWhen(_:)``.
  ///
  /// - Parameters:
  ///   - path: The file; ignored for ``OpenMode/memory``.
  ///   - mode: The permitted access.
  ///   - trust: ``Trust/foreign`` for every file that this process did not write itself.
  ///   - isMapped: whether up to 2 GiB are memory-mapped, which saves a copy of each page. Only for
  ///     a file that is not truncated meanwhile: the system terminates the process if a page is
  ///     gone.
  package init(
    path: String, mode: OpenMode, trust: Trust = .own, isMapped: Bool = false
  ) throws(SQLiteError) {
    var connection: OpaquePointer?
    let flags =
      switch mode {
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
      }
    let name = mode == .immutable ? Self.immutableURI(path) : mode == .memory ? ":memory:" : path
    let code = sqlite3_open_v2(
      name, &connection, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      mode == .immutable && path.hasPrefix(LinkedNames.prefix) ? LinkedNames.name : nil)
    guard code == SQLITE_OK, let connection else {
      let error = SQLiteError(code, connection: connection)
      sqlite3_close_v2(connection)
      throw error
    }
    self.connection = connection
    if trust == .foreign {
      if let stop = RunStop.current { stopWhen { stop.hears() } }
      try restrict()
    }
    if isMapped { try execute("PRAGMA mmap_size=2147418112") }
  }

  deinit {
    // Statements that outlive the connection keep it open until they are finalized.
    sqlite3_close_v2(connection)
  }

  /// Prepares a single statement; text after its semicolon is an error, as is an empty text.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: self)
  }

  /// Runs every statement of a script and discards the rows.
  package func execute(_ script: String) throws(SQLiteError) {
    let code = sqlite3_exec(connection, script, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw SQLiteError(code, connection: connection, sql: script)
    }
  }

  /// Returns the first column of the first row as an integer, or `nil` if there are no rows.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Returns the first column of the first row as text, or `nil` if there are no rows or the value
  /// is null.
  package func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Returns the path as `file:` URI with `immutable=1`: everything but unreserved ASCII is
  /// escaped.
  private static func immutableURI(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var uri = "file:"
    for byte in path.utf8 {
      switch UInt8(byte) {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "."):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        uri.append("%")
        uri.append(digits[Int(byte >> 4)])
        uri.append(digits[Int(byte & 15)])
      }
    }
    return uri + "?immutable=1"
  }
}

/// The mode in which a database file is opened.
package enum OpenMode: Hashable, Sendable {
  /// Reads and writes; creates the file if it does not exist.
  case create

  /// Reads and writes an existing file.
  case readWrite

  /// Reads only, under SQLite's shared locks.
  case readOnly

  /// Reads only, without locks and without checking for a hot journal or log: for a file that is
  /// never written in place, also on a read-only medium. SQLite ignores a `-wal` beside it.
  case immutable

  /// A private database that is never written to disk.
  case memory
}

/// The degree of trust in the content of a database.
package enum Trust: Hashable, Sendable {
  /// The database was written by this process.
  case own

  /// A file from anywhere: its schema may be malicious, its pages may be damaged. Triggers,
  /// functions with side effects in views and writes to the schema are disabled, pages are checked
  /// while they are read, and lengths, depths and program sizes are limited.
  ///
  /// Source: "Defense Against The Dark Arts", https://www.sqlite.org/security.html.
  case foreign
}
