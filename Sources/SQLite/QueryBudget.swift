import CSQLite

extension Database {
  /// Stops whatever runs on this connection after so many seconds from now with an error whose
  /// ``SQLiteError/isInterrupted`` is true; `nil` takes the deadline away.
  ///
  /// A hostile view can run for ever; the clock is looked at every 20,000 instructions.
  package func setDeadline(seconds: Double?) {
    deadline = seconds.map { ContinuousClock.now + .seconds($0) }
    watch()
  }

  /// Stops whatever runs on this connection with an interruption once SQLite's heap, all
  /// connections of the process taken together, has grown by so many bytes from now; `nil` takes
  /// the limit away.
  ///
  /// SQLite's own hard limit is one for the process and would stop the writer of an archive too.
  /// The heap is looked at every 500 instructions, which can still allocate a value each.
  /// Where SQLite was built without statistics of memory (Apple's), nothing is stopped.
  package func setMemoryLimit(bytes: Int?) {
    memoryLimit = bytes.map { sqlite3_memory_used() + Int64($0) }
    watch()
  }

  /// Stops whatever runs on this connection with an interruption once the function returns true;
  /// it is asked every 20,000 instructions and must not use the connection.
  package func stopWhen(_ isStopped: @escaping @Sendable () -> Bool) {
    self.isStopped = isStopped
    watch()
  }

  /// The bytes that SQLite has allocated for all connections of the process.
  package static var memoryUsed: Int { Int(sqlite3_memory_used()) }

  /// Installs the handler that compares clock and heap, or removes it where nothing is watched.
  private func watch() {
    guard deadline != nil || memoryLimit != nil || isStopped != nil else {
      sqlite3_progress_handler(connection, 0, nil, nil)
      return
    }
    // An instruction can allocate a whole value, so memory is looked at more often.
    let instructions: Int32 = memoryLimit == nil ? 20_000 : 500
    // The handler goes with the connection, which this object owns: it cannot outlive `self`.
    sqlite3_progress_handler(
      connection, instructions,
      { context in
        guard let context else { return 0 }
        let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
        if let limit = database.memoryLimit, sqlite3_memory_used() > limit { return 1 }
        if let isStopped = database.isStopped, isStopped() { return 1 }
        guard let deadline = database.deadline else { return 0 }
        return ContinuousClock.now >= deadline ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

/// How much a statement has done; for tests of what a query touches.
package struct StatementWork: Hashable, Sendable {
  /// Instructions of SQLite's machine.
  package var instructions: Int
  /// Rows stepped over in scans of whole tables.
  package var scannedRows: Int
  /// Sorts.
  package var sorts: Int
}

extension Database {
  /// Pages that had to be fetched from the file so far.
  package var pagesRead: Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    let code = sqlite3_db_status(
      connection, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
    return code == SQLITE_OK ? Int(current) : 0
  }
}
