import MBTiles
import SQLite

extension ArchiveReader {
  /// Returns the form and state of an archive that this program wrote, or that an app patched with
  /// one of its deltas.
  ///
  /// - Throws: ``ArchiveError/Code/badValue`` for all others: a delta would lose their additional
  ///   content, and their rows need not be unique.
  func own() throws(ArchiveError) -> (form: DeltaForm, state: ArchiveState) {
    if let name = try unknownTable() { throw ArchiveError(.delta(.unknownTable(name)), path: path) }
    let taps = metadata[ArchiveMetadata.tapsKey]
    guard let layout = ArchiveLayout(rawValue: layout.rawValue),
      let digest = metadata[ArchiveMetadata.digestKey], DigestText.isDigest(digest),
      taps.map(DigestText.isDigest) ?? true, metadata.otherRows == 0
    else { throw foreign }
    let hasBlocks = try hasTapBlocks()
    let form = DeltaForm(layout, taps: taps == nil ? nil : hasBlocks ? .blocks : .grids)
    guard
      try reading(.whole, { () throws(SQLiteError) in try database.hasSchema(form.archiveSchema) })
    else { throw foreign }
    return (form, ArchiveState(tiles: digest, taps: taps))
  }

  private var foreign: ArchiveError { ArchiveError(.delta(.foreign), path: path) }

  /// Returns the first table or view that archives of this program never have.
  private func unknownTable() throws(ArchiveError) -> String? {
    try reading { () throws(SQLiteError) in
      try database.text(
        """
        SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT IN ('metadata', \
        'map', 'images', 'tiles', 'grid_utfgrid', 'grid_key', 'keymap', 'grids', 'grid_data', \
        'taps', 'tap_entries') ORDER BY name LIMIT 1
        """)
    }
  }
}

extension Database {
  /// Whether the schema consists of exactly these statements, word for word; `VACUUM` stores them
  /// in another order.
  func hasSchema(_ expected: [String]) throws(SQLiteError) -> Bool {
    let statement = try prepare("SELECT sql FROM sqlite_schema LIMIT \(expected.count + 1)")
    var found: [String] = []
    while try statement.step() { found.append(statement.text(0) ?? "") }
    return found.sorted() == expected.sorted()
  }
}
