import CSQLite

extension Database {
  /// Stops whatever runs on this connection after this many seconds from now with an error whose
  /// ``SQLiteError/isInterrupted`` is true; `nil` removes the deadline.
  ///
  /// A malicious view can run for ever; the clock is checked every 20,000 instructions.
  package func setDeadline(seconds: Double?) {
    deadline = seconds.map { ContinuousClock.now + .seconds($0) }
    watch()
  }

  /// Stops whatever runs on this connection with an interruption once SQLite's heap, of all
  /// connections of the process together, has grown by this many bytes from now; `nil` removes the
  /// limit.
  ///
  /// SQLite's own hard limit applies to the whole process and would also stop the writer of an
  /// archive. The heap is checked every 500 instructions, each of which can still allocate a value.
  /// Where SQLite was built without statistics of memory (Apple's), nothing is stopped.
  package func setMemoryLimit(bytes: Int?) {
    memoryLimit = bytes.map { sqlite3_memory_used() + Int64($0) }
    watch()
  }

  /// Stops whatever runs on this connection with an interruption once the function returns true; it
  /// is called every 20,000 instructions and must not use the connection.
  package func stopWhen(_ isStopped: @escaping @Sendable () -> Bool) {
    self.isStopped = isStopped
    watch()
  }

  /// The number of bytes that SQLite has allocated for all connections of the process.
  package static var memoryUsed: Int { Int(sqlite3_memory_used()) }

  /// Installs the handler that checks clock and heap, or removes it if there are no limits.
  private func watch() {
    guard deadline != nil || memoryLimit != nil || isStopped != nil else {
      sqlite3_progress_handler(connection, 0, nil, nil)
      return
    }
    // An instruction can allocate a whole value, so memory is checked more often.
    let instructions: Int32 = memoryLimit == nil ? 20_000 : 500
    // The handler is removed with the connection, which this object owns: it cannot outlive `self`.
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

extension Database {
  /// The number of pages fetched from the file so far.
  package var pagesRead: Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    let code = sqlite3_db_status(
      connection, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
    return code == SQLITE_OK ? Int(current) : 0
  }
}
