/// How the records of a source and the rows of a joined table found each other.
package struct JoinCounts: Hashable, Sendable {
  /// The table's file as the user named it.
  package var file: String

  /// Records of the source that found a row.
  package var matched = 0

  /// Records of the source without a row; their joined properties are null.
  package var missing = 0

  /// The first record without a row.
  package var firstMissing: LedgerNote?

  /// Rows of the table that no record asked for, those without a key among them.
  package var unused = 0

  /// The first row that no record asked for.
  package var firstUnused: LedgerNote?

  /// Rows that gave way to another with the same key.
  package var repeated = 0

  /// The first row that gave way.
  package var firstRepeated: LedgerNote?

  package init(file: String) {
    self.file = file
  }
}
