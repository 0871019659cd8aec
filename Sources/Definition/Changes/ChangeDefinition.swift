import Ingest
package import RecordChanges

/// The changes to the records of a source on their way from its reader: first edits, then joins.
package struct ChangeDefinition: Sendable {
  package var edits: EditsDefinition?

  /// The joins in the order in which they are applied.
  package var joins: [JoinDefinition] = []

  package init() {}

  /// Whether there are neither edits nor joins.
  package var isEmpty: Bool { edits == nil && joins.isEmpty }

  /// The paths of all files, whose contents count as input.
  package var files: [String] { (edits?.files.map(\.path) ?? []) + joins.map(\.path) }
}

/// The decoded `edits:` of a source.
package struct EditsDefinition: Hashable, Sendable {
  /// A file of a log.
  package struct File: Hashable, Sendable {
    /// The path, resolved against the pipeline file's folder.
    package var path: String
    package var form: EditLogForm
  }

  /// The files of the log, in the order in which they are read.
  package var files: [File]

  /// Whether a missing file counts as empty.
  package var isOptional: Bool

  /// The column or member that names the operation of an entry.
  package var operation: String

  /// The column or member with the time from which an entry applies.
  package var time: String
}

/// A decoded `join:` of a source.
package struct JoinDefinition: Sendable {
  /// The path of the table, resolved against the pipeline file's folder.
  package var path: String

  /// The member of the zip file, or the sheet of the spreadsheet, that is the table; `nil` for the only
  /// one.
  package var member: String?

  /// The table in messages.
  package var name: String { member.map { "\(path)/\($0)" } ?? path }

  /// The options, except for the columns that will be read, which the style determines.
  package var options: JoinOptions
}
