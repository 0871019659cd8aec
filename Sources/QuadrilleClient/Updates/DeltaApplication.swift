/// The application of deltas to a copy of an archive that nobody else has open.
struct DeltaApplication {
  private let path: String
  private let files: FileActions

  /// - Parameter path: the copy, which is of no use after an error.
  init(to path: String, _ files: FileActions) {
    (self.path, self.files) = (path, files)
  }

  /// Applies deltas one after the other, each in one transaction.
  ///
  /// - Throws: ``ClientError/unusableDelta(file:reason:)`` if one does not apply.
  /// - Complexity: O(bytes of the deltas), and now and then O(bytes of the archive).
  func apply(_ deltas: [String], isStopped: () -> Bool) throws(ClientError) {
    let archive = try SQLiteFile(path: path, mode: .writable)
    // No trigger may run on the rows of a delta.
    guard try archive.integer("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 0
    else {
      throw ClientError.notArchive(file: archive.name, reason: "it has triggers")
    }
    for delta in deltas {
      if isStopped() { throw ClientError.cancelled }
      do throws(ClientError) {
        try apply(delta, to: archive, isStopped: isStopped)
      } catch {
        switch error {
        case .damaged(let file, let reason), .notArchive(let file, let reason):
          throw ClientError.unusableDelta(file: file, reason: reason)
        default: throw error
        }
      }
    }
  }

  private func apply(
    _ delta: String, to archive: SQLiteFile, isStopped: () -> Bool
  ) throws(ClientError) {
    let form = try Self.form(of: delta)
    let attachment = try archive.prepare("ATTACH ?1 AS delta")
    attachment.bind(SQLiteFile.uri(delta, .immutable), at: 1)
    _ = try attachment.step()
    try requireStart(archive, delta)
    try archive.run("BEGIN IMMEDIATE")
    for statement in form.statements {
      if isStopped() { throw ClientError.cancelled }
      try files.announce(.statement)
      try archive.run(statement)
    }
    try requireEnd(archive, delta)
    try files.announce(.statement)
    try archive.run("COMMIT")
    let hasGrown = try archive.integer(Self.sizeQuestion) == 1
    try archive.run("DETACH delta")
    if hasGrown {
      try files.announce(.compact)
      try archive.run("VACUUM")
    }
  }

  /// Opens a delta, which is not trusted, and returns its form.
  private static func form(of delta: String) throws(ClientError) -> DeltaForm {
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

  private func requireStart(_ archive: SQLiteFile, _ delta: String) throws(ClientError) {
    guard try Self.state(archive) == Self.state(archive, of: delta, "before") else {
      throw ClientError.unusableDelta(
        file: delta.lastComponent, reason: "it starts from another archive")
    }
  }

  private func requireEnd(_ archive: SQLiteFile, _ delta: String) throws(ClientError) {
    guard try Self.state(archive) == Self.state(archive, of: delta, "after") else {
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
    _ archive: SQLiteFile, of delta: String, _ side: String
  ) throws(ClientError) -> ArchiveState? {
    let query = "SELECT value FROM delta.facts WHERE name = ?1"
    guard let digest = try archive.text(query, side) else { return nil }
    return ArchiveState(digest: digest, taps: try archive.text(query, "taps_\(side)"))
  }

  /// Whether the archive has become half as large again as a fresh one.
  private static let sizeQuestion = """
    SELECT (SELECT page_count * page_size FROM pragma_page_count('main'), pragma_page_size('main'))
         > 1.5 * (SELECT value FROM delta.facts WHERE name = 'bytes')
    """
}

extension String {
  /// The name of the file that a path leads to.
  var lastComponent: String { split(separator: "/").last.map { String($0) } ?? self }
}
