package import Ingest

/// What changes the records of a source on their way from its reader: first edits, then joins.
package struct ChangeDefinition: Sendable {
  package var edits: EditsDefinition?

  /// In the order in which they are joined.
  package var joins: [JoinDefinition] = []

  package init() {}

  /// Whether nothing changes.
  package var isEmpty: Bool { edits == nil && joins.isEmpty }

  /// All files, whose contents count as input.
  package var files: [String] { (edits?.files.map(\.path) ?? []) + joins.map(\.path) }
}

/// The `edits:` of a source.
package struct EditsDefinition: Hashable, Sendable {
  /// One file of a log.
  package struct File: Hashable, Sendable {
    /// Resolved against the pipeline file's folder.
    package var path: String
    package var form: EditLogForm
  }

  /// The files of the log, one after the other.
  package var files: [File]

  /// Whether a file that is not there counts as empty.
  package var isOptional = false

  /// The column or member that says what an entry does.
  package var operation: String

  /// The column or member with the time from which an entry holds.
  package var time: String
}

/// One `join:` of a source.
package struct JoinDefinition: Sendable {
  /// The table, resolved against the pipeline file's folder.
  package var path: String

  /// Everything but what somebody will read, which the style says.
  package var options: JoinOptions
}
