import Foundation

/// The application of deltas to an archive, in one transaction.
///
/// To a copy that nobody else has open, or to the archive itself: SQLite's journal holds its old pages
/// until the transaction ends, and whatever opens the archive after a kill restores these.
struct DeltaApplication {
  private let path: String
  private let files: FileActions

  /// The most deltas of a transaction: SQLite attaches no more files.
  static let limit = 10

  init(to path: String, _ files: FileActions) {
    (self.path, self.files) = (path, files)
  }

  /// Applies deltas to a copy, which is of no use after an error.
  ///
  /// - Parameter proof: throws unless the archive after them is right.
  /// - Throws: ``ClientError/unusableDelta(file:reason:)`` if one does not apply.
  /// - Complexity: O(bytes of the deltas), and now and then O(bytes of the archive).
  func apply(
    _ deltas: [String], isStopped: () -> Bool, proof: (SQLiteFile) throws(ClientError) -> Void
  ) throws(ClientError) {
    let archive = try SQLiteFile(path: path, mode: .writable)
    var rest = deltas[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(Self.limit))
      rest = rest.dropFirst(some.count)
      try run(some, on: archive, isStopped: isStopped)
      let hasGrown = try archive.integer(Self.sizeQuestion(Self.schema(some.count - 1))) == 1
      if rest.isEmpty { try proof(archive) }
      try commit(archive, of: some.count)
      if hasGrown {
        try files.announce(.compact)
        try archive.run("VACUUM")
      }
    }
  }

  /// Applies deltas to the archive in its place.
  ///
  /// - Parameters:
  ///   - deltas: at most ``limit``.
  ///   - journal: called before the transaction ends, after which SQLite's journal stays.
  /// - Returns: whether that could be; else the archive is as it was: it would grow too much, or
  ///   somebody reads it all the time.
  /// - Complexity: O(bytes of the deltas + bytes that `proof` reads).
  func applyInPlace(
    _ deltas: [String], isStopped: () -> Bool, proof: (SQLiteFile) throws(ClientError) -> Void,
    ending: () throws(ClientError) -> Void
  ) throws(ClientError) -> Bool {
    let archive = try SQLiteFile(path: path, mode: .writable)
    do throws(ClientError) {
      _ = try archive.integer("PRAGMA schema_version")
      // A journal that was left would be longer than this one.
      try files.remove(path + "-journal")
      for setting in Self.settings { _ = try archive.text("PRAGMA \(setting)") }
      try run(deltas, on: archive, isStopped: isStopped)
      guard try archive.integer(Self.sizeQuestion(Self.schema(deltas.count - 1))) == 0 else {
        return false
      }
      try proof(archive)
      try ending()
      try commit(archive, of: deltas.count)
      return true
    } catch {
      guard case .busy = error else { throw error }
      return false
    }
  }

  /// The settings for a change in place. Pages wait in memory, 32 MiB of them, so that readers wait
  /// no longer than these are written; the journal stays afterwards, as long as it is.
  private static let settings = [
    "synchronous = FULL", "fullfsync = 1", "cache_size = -32768", "journal_mode = PERSIST",
    "journal_size_limit = -1",
  ]

  /// Runs the statements of deltas in a transaction, which is left open.
  private func run(
    _ deltas: [String], on archive: SQLiteFile, isStopped: () -> Bool
  ) throws(ClientError) {
    // No trigger may run on the rows of a delta.
    guard try archive.integer("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 0
    else {
      throw ClientError.notArchive(file: archive.name, reason: "it has triggers")
    }
    do throws(ClientError) {
      var forms: [DeltaForm] = []
      for (index, delta) in deltas.enumerated() {
        forms.append(try Self.form(of: delta))
        let attachment = try archive.prepare("ATTACH ?1 AS \(Self.schema(index))")
        attachment.bind(SQLiteFile.uri(delta, .immutable), at: 1)
        _ = try attachment.step()
      }
      try files.announce(.statement)
      try archive.run("BEGIN IMMEDIATE")
      for (index, delta) in deltas.enumerated() {
        let schema = Self.schema(index)
        try requireStart(archive, delta, schema)
        for statement in forms[index].statements {
          if isStopped() { throw ClientError.cancelled }
          try files.announce(.statement)
          try archive.run(statement.replacingOccurrences(of: "delta.", with: schema + "."))
        }
        try requireEnd(archive, delta, schema)
      }
    } catch {
      switch error {
      case .damaged(let file, let reason), .notArchive(let file, let reason):
        throw ClientError.unusableDelta(file: file, reason: reason)
      default: throw error
      }
    }
  }

  private func commit(_ archive: SQLiteFile, of count: Int) throws(ClientError) {
    try files.announce(.statement)
    try archive.run("COMMIT")
    for index in 0..<count { try archive.run("DETACH \(Self.schema(index))") }
  }

  /// The name under which a delta is attached.
  private static func schema(_ index: Int) -> String { index == 0 ? "delta" : "delta\(index)" }

  /// Opens a delta, which is not trusted, and returns its form.
  static func form(of delta: String) throws(ClientError) -> DeltaForm {
    let file = try SQLiteFile(path: delta, mode: .immutable)
    func unusable(_ reason: String) -> ClientError {
      .unusableDelta(file: file.name, reason: reason)
    }
    guard try file.integer("PRAGMA application_id") == DeltaForm.applicationID else {
      throw unusable("it is no delta")
    }
    let version = try file.integer("PRAGMA user_version") ?? 0
    guard DeltaForm.versions.contains(version) else {
      throw unusable("its format is \(version)")
    }
    let rows = try file.prepare("SELECT sql FROM sqlite_master LIMIT 100")
    var tables: Set<String> = []
    while try rows.step() { tables.insert(rows.text(0) ?? "") }
    guard let form = DeltaForm.all.first(where: { $0.tables == tables }) else {
      throw unusable("its tables are others")
    }
    guard try file.text("PRAGMA quick_check(1)") == "ok" else { throw unusable("it is damaged") }
    return form
  }

  private func requireStart(
    _ archive: SQLiteFile, _ delta: String, _ schema: String
  ) throws(ClientError) {
    guard try Self.state(archive) == Self.state(archive, of: schema, "before") else {
      throw ClientError.unusableDelta(
        file: delta.lastComponent, reason: "it starts from another archive")
    }
  }

  private func requireEnd(
    _ archive: SQLiteFile, _ delta: String, _ schema: String
  ) throws(ClientError) {
    guard try Self.state(archive) == Self.state(archive, of: schema, "after") else {
      throw ClientError.unusableDelta(
        file: delta.lastComponent, reason: "it leads to another archive than it says")
    }
  }

  /// Returns the state by the metadata of an archive.
  static func state(_ archive: SQLiteFile) throws(ClientError) -> ArchiveState? {
    let query = "SELECT value FROM main.metadata WHERE name = ?1"
    guard let digest = try archive.text(query, "quadrille:digest") else { return nil }
    return ArchiveState(digest: digest, taps: try archive.text(query, "quadrille:taps"))
  }

  private static func state(
    _ archive: SQLiteFile, of schema: String, _ side: String
  ) throws(ClientError) -> ArchiveState? {
    let query = "SELECT value FROM \(schema).facts WHERE name = ?1"
    guard let digest = try archive.text(query, side) else { return nil }
    return ArchiveState(digest: digest, taps: try archive.text(query, "taps_\(side)"))
  }

  /// Asks whether the archive has become half as large again as a fresh one.
  private static func sizeQuestion(_ schema: String) -> String {
    """
    SELECT (SELECT page_count * page_size FROM pragma_page_count('main'), pragma_page_size('main'))
         > 1.5 * (SELECT value FROM \(schema).facts WHERE name = 'bytes')
    """
  }
}

extension String {
  /// The name of the file that a path leads to.
  var lastComponent: String { split(separator: "/").last.map { String($0) } ?? self }
}
