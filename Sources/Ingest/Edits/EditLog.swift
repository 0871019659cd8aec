package import Features

/// A log of edits, read whole: what it makes of each key that it names.
///
/// Entries hold in the order of their times, equal ones in the order of the files; an entry without
/// a time holds when the one before it does. What counts is what they come to: a record that is
/// deleted and comes again keeps its place.
package struct EditLog: Sendable {
  /// The keys that the log names, by number.
  let keys: IdentifierIndex

  /// What becomes of each key, by its number.
  let edits: ContiguousArray<KeyEdits>

  /// Keys whose records the log alone can make, in the order in which it first makes them.
  let makers: ContiguousArray<Int>

  /// A quick look for ``keys``.
  let filter: KeyFilter

  /// The values of the entries; one that updates has only what it changes, the others are missing.
  /// Names are those of properties without the log's own.
  let records: FeatureBatch

  /// The entries in the order of the files.
  let entries: ContiguousArray<EditEntry>

  /// The log's own columns that were read as such, which a source had better not have as well.
  let ownColumns: [String]

  /// The property that is the key, `nil` for the ids of Features.
  let key: String?

  /// The log's files as the user named them.
  package let files: [String]

  /// The entries that were refused; `read` counts only those.
  package let ledger: SourceLedger

  /// The number of entries that count.
  package var entryCount: Int { entries.count }

  /// Reads a log.
  ///
  /// - Parameter files: one after the other is one log.
  /// - Throws: ``SourceError`` when a file cannot be read on, the log is over its ``EditLimits``, or
  ///   a CSV file with an `upsert` lacks columns of its source.
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

  /// An example that shows an entry.
  func note(entry index: Int) -> LedgerNote {
    let entry = entries[index]
    let verb = entry.operation == .delete ? "deletes" : "updates"
    return LedgerNote(
      file: files[Int(entry.file)], line: entry.line,
      message: "\(verb) '\(keys.text(Int(entry.key)))', which is not there")
  }
}
