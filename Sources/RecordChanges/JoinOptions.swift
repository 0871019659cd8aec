package import Ingest

/// Options for joining a table to the records of a source.
package struct JoinOptions: Sendable {
  /// The property of the source that is compared; `id` is the Feature's id where the source lacks a
  /// property of that name.
  package var left: String

  /// The column of the table that ``left`` is compared with.
  package var right: String

  package var comparison = KeyComparison.exact

  /// The text that all keys of a side may begin with, and that is not compared.
  package var leftPrefix = ""
  package var rightPrefix = ""

  /// The columns that records gain, which must all exist; `nil` for all but ``right``.
  package var select: [String]?

  /// The prefix of the names of the columns that records gain.
  package var prefix = ""

  /// The properties that will be read, with their prefix; `nil` for all.
  package var wanted: [String]?

  /// The policy for two rows with one key.
  package var onDuplicate = DuplicatePolicy.error

  /// The options for reading the table; it has no coordinates.
  package var csv = CSVOptions()

  package var limits = JoinLimits()

  /// Creates a join on a property of the source and a column of the table.
  package init(left: String, right: String) {
    self.left = left
    self.right = right
  }
}

/// The keys that count as equal.
package enum KeyComparison: String, CaseIterable, Sendable {
  /// Equal texts.
  case exact
  /// Equal letters in either case and digits, without zeros before the first and whatever stands
  /// between them: `08-115` is `8115`.
  case codes

  /// Returns the text that is compared instead of a key.
  package func text(_ key: some StringProtocol, without prefix: String) -> String {
    let key = key.hasPrefix(prefix) ? key.dropFirst(prefix.count) : key[...]
    guard self == .codes else { return String(key) }
    let plain = key.lowercased().filter { $0.isLetter || $0.isNumber }
    let code = plain.drop { $0 == "0" }
    return code.isEmpty ? plain : String(code)
  }
}

/// Limits on the size of a joined table, since all of it is kept in memory.
package struct JoinLimits: Hashable, Sendable {
  /// Maximum number of rows; a table with more is refused.
  package var rows = 1 << 24

  /// Maximum bytes of keys and kept columns; a table with more is refused.
  package var bytes = 1 << 30

  /// Maximum bytes of one row, since thousands of records may take it at once; a longer row is
  /// rejected.
  package var row = 64 << 10
}
