import SQLite

extension ArchiveReader {
  /// The layout and digest of an archive that this program wrote, or that an app patched with one
  /// of its deltas.
  ///
  /// - Throws: ``ArchiveError/Code/badValue`` for all others: a delta would lose what they hold
  ///   besides, and their rows need not be unique.
  func own() throws(ArchiveError) -> (layout: ArchiveLayout, digest: String) {
    if try hasTapBlocks() {
      throw ArchiveError(
        .badValue,
        "\(path) has compact taps, and deltas do not carry them. Publish the whole archive, or set"
          + " 'format: utfgrid' or no 'interactivity' in the pipeline.", path: path)
    }
    if try hasGrids() {
      throw ArchiveError(
        .badValue,
        "\(path) answers taps, and deltas do not carry grids. Publish the whole archive, or leave"
          + " 'interactivity' out of the pipeline.", path: path)
    }
    guard let layout = ArchiveLayout(rawValue: layout.rawValue),
      let digest = metadata[ArchiveMetadata.digestKey], DigestText.isDigest(digest),
      metadata.otherRows == 0, try hasSchema(of: layout)
    else {
      throw ArchiveError(
        .badValue,
        "\(path) was not written by this version of the program: deltas lead from and to its own"
          + " archives only. Build the archive again.", path: path)
    }
    return (layout, digest)
  }

  /// Whether the file has the tables and indexes of a layout, word for word, and no others.
  private func hasSchema(of layout: ArchiveLayout) throws(ArchiveError) -> Bool {
    let script = layout.tables + "\n" + layout.indexes
    let expected = script.split(separator: ";").map { statement in
      String(statement.drop { $0 == "\n" })
    }
    do {
      return try database.hasSchema(expected)
    } catch {
      throw ArchiveError(error, doing: "read", path: path)
    }
  }
}

extension Database {
  /// Whether the schema is made of these statements, in this order, and of nothing else.
  func hasSchema(_ expected: [String]) throws(SQLiteError) -> Bool {
    let statement = try prepare("SELECT sql FROM sqlite_schema ORDER BY rowid")
    for sql in expected {
      guard try statement.step(), statement.text(0) == sql else { return false }
    }
    return try !statement.step()
  }
}
