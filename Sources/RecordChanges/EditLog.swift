package import Features
package import Ingest

/// A log of edits, read whole: the resulting edits for each key that it names.
///
/// Entries take effect in the order of their times, or of the files if their times are equal; an
/// entry without a time takes effect with the one before it. Only the net effect counts: a record
/// that is deleted and inserted again keeps its place.
package struct EditLog: Sendable {
  /// The keys that the log names; a key's number is its index.
  let keys: IdentifierIndex

  /// The edits for each key, by its number.
  let edits: ContiguousArray<KeyEdits>

  /// The numbers of the keys whose records the log alone can create, in the order in which it first
  /// creates them.
  let makers: ContiguousArray<Int>

  /// A fast pre-test for ``keys``.
  let filter: KeyFilter

  /// The values of the entries; an update has only what it changes, its other values are missing.
  /// The names are names of properties, without the log's own columns.
  let records: FeatureBatch

  /// The entries in the order of the files.
  let entries: ContiguousArray<EditEntry>

  /// The columns that were read as the log's own, which a source should not have as well.
  let ownColumns: [String]

  /// The property that is the key, `nil` for the ids of Features.
  let key: String?

  /// The log's files as the user named them.
  package let files: [String]

  /// The rejected entries; `read` counts only those.
  package let ledger: SourceLedger

  /// The number of entries that count.
  package var entryCount: Int { entries.count }

  /// Reads a log.
  ///
  /// - Parameter files: read one after the other as one log.
  /// - Throws: ``SourceError`` when a file cannot be read further, the log is over its
  ///   ``EditLimits``, or a CSV file with an `upsert` lacks columns of its source.
  /// - Complexity: O(bytes + entries · log(entries)).
  package static func read(
    _ files: [(source: ByteSource, form: EditLogForm)], options: EditLogOptions
  ) throws(SourceError) -> EditLog {
    var builder = EditLogBuilder(options: options)
    for file in files {
      switch file.form {
      case .csv: try builder.readCSV(file.source)
      case .geojsonseq: try builder.readTexts(file.source)
      }
    }
    return builder.finish()
  }

  /// Returns an example that points at an entry.
  func note(entry index: Int) -> LedgerNote {
    let entry = entries[index]
    let verb = entry.operation == .delete ? "deletes" : "updates"
    return LedgerNote(
      file: files[Int(entry.file)], line: entry.line,
      message: "\(verb) '\(keys.text(Int(entry.key)))', which is not there")
  }
}
