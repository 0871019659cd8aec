/// The matches between the records of a source and the rows of a joined table.
package struct JoinCounts: Hashable, Sendable {
  /// The table's file as the user named it.
  package var file: String

  /// The number of records of the source with a matching row.
  package var matched = 0

  /// The number of records of the source without one; their joined properties are null.
  package var missing = 0

  /// The first record without a row.
  package var firstMissing: LedgerNote?

  /// The number of rows of the table that no record requested, including those without a key.
  package var unused = 0

  /// The first row that no record requested.
  package var firstUnused: LedgerNote?

  /// The number of rows superseded by another with the same key.
  package var repeated = 0

  /// The first superseded row.
  package var firstRepeated: LedgerNote?

  package init(file: String) {
    self.file = file
  }
}
