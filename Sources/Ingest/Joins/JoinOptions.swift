/// How a table is joined to the records of a source.
package struct JoinOptions: Sendable {
  /// The property of the source that is compared; `id` is the Feature's id where there is no such
  /// property.
  package var left: String

  /// The column of the table that it is compared with.
  package var right: String

  /// The columns that records gain, which must all exist; `nil` for all but ``right``.
  package var select: [String]?

  /// What stands before the names of the columns that records gain.
  package var prefix = ""

  /// The properties that somebody will read, with their prefix; `nil` for all.
  package var wanted: [String]?

  /// Which of two rows with one key counts.
  package var onDuplicate = DuplicatePolicy.error

  /// How the table is read; it has no coordinates.
  package var csv = CSVOptions()

  package var limits = JoinLimits()

  /// A join on a column that both sides have under the names given.
  package init(left: String, right: String) {
    self.left = left
    self.right = right
  }
}

/// How much a joined table may hold, since all of it is kept in memory.
package struct JoinLimits: Hashable, Sendable {
  /// Rows; a table with more is refused.
  package var rows = 1 << 24

  /// Bytes of keys and kept columns; a table with more is refused.
  package var bytes = 1 << 30

  /// Bytes of one row, which thousands of records at once may ask for; a longer one is rejected.
  package var row = 64 << 10

  package init() {}
}
