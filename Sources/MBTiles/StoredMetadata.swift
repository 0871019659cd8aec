package import SQLite

/// The table `metadata` of an existing archive.
package struct StoredMetadata: Hashable, Sendable {
  /// Maximum number of rows that are read.
  private static let rowLimit = 10_000

  /// Rows whose name and value are text, in the order in which they are stored.
  package let entries: [MetadataEntry]

  /// The number of rows left out of ``entries``.
  package let otherRows: Int

  /// Creates the metadata of rows that all are text.
  package init(_ entries: [MetadataEntry]) {
    self.entries = entries
    otherRows = 0
  }

  /// Reads the table; empty if it does not exist.
  package init(_ database: Database) throws(SQLiteError) {
    let table = "SELECT 1 FROM sqlite_schema WHERE name = 'metadata' AND type IN ('table', 'view')"
    guard try database.integer(table) != nil else {
      entries = []
      otherRows = 0
      return
    }
    let statement = try database.prepare(
      "SELECT name, value FROM metadata LIMIT \(Self.rowLimit)")
    var entries: [MetadataEntry] = []
    var otherRows = 0
    while try statement.step() {
      guard statement.kind(0) == .text, statement.kind(1) == .text,
        let name = statement.text(0), let value = statement.text(1)
      else {
        otherRows += 1
        continue
      }
      entries.append(MetadataEntry(name, value))
    }
    self.entries = entries
    self.otherRows = otherRows
  }

  /// Returns the first value with a name.
  package subscript(_ name: String) -> String? {
    entries.first { $0.name == name }?.value
  }
}
