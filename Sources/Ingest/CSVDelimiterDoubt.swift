package import Features

/// The suspicion that the fields of a file are separated by another character than the configured
/// one.
struct CSVDelimiterDoubt: Hashable {
  let given: UInt8
  let likely: UInt8

  /// The number of bytes of a file that are examined.
  private static let limit = 64 << 10

  /// Examines the first records; `nil` where the configured delimiter may be right.
  ///
  /// The rest of the head is read, so that the answer is the same whatever the buffer holds.
  ///
  /// - Parameters:
  ///   - cursor: positioned at the first record, or at the header line.
  ///   - names: the names of a header line before the cursor.
  /// - Complexity: O(bytes of the first records), at most 64 KiB.
  init?(_ cursor: CSVCursor, after names: [String] = []) {
    given = cursor.scanner.delimiter
    var isLast = cursor.isLast
    let source = cursor.source
    while !isLast, source.buffer.count - cursor.index < Self.limit {
      guard let count = try? source.fill(keeping: source.buffer.count) else { return nil }
      isLast = count == 0
    }
    let rest = source.buffer.dropFirst(cursor.index)
    let separator = String(UnicodeScalar(given))
    let line = names.isEmpty ? [] : Array((names.joined(separator: separator) + "\n").utf8)
    likely =
      TableHead.best(
        line + rest.prefix(Self.limit), delimiter: given,
        isWhole: isLast && rest.count <= Self.limit
      ).delimiter
    if likely == given { return nil }
  }

  /// The problem and its remedy, as the end of a sentence about what is missing.
  var words: String {
    "the fields look divided by \(TableHead.words(for: likely)), not by "
      + "\(TableHead.words(for: given)). Set \"delimiter: \(setting)\"."
  }

  /// The delimiter as a pipeline file may spell it.
  private var setting: String {
    let name = TableHead.name(of: likely)
    return name.utf8.count == 1 ? "'\(name)'" : name
  }
}

extension CSVReader {
  /// Returns the error of a column that is missing, or of a delimiter that looks wrong.
  ///
  /// Valid only before the first record is read.
  ///
  /// - Parameters:
  ///   - context: the data that lacks the column, see ``UnknownColumn/context``.
  ///   - key: the key that fixes the problem if the delimiter is right; `nil` if none does.
  package func missing(_ name: String, _ context: String, key: String? = nil) -> SourceError {
    CSVSchema.missing(
      UnknownColumn(.column(name), context, known: schema.names, key: key),
      file: cursor.source.name, line: schema.line,
      doubt: CSVDelimiterDoubt(cursor, after: schema.names))
  }
}

extension CSVSchema {
  /// Returns the error for something that is not among the columns of a file.
  static func missing(
    _ unknown: UnknownColumn, file: String, line: Int, doubt: CSVDelimiterDoubt?
  ) -> SourceError {
    guard let doubt else { return SourceError(unknown, file: file, line: line) }
    return SourceError(
      code: .configuration, file: file, line: line,
      message: "\(unknown.problem); \(doubt.words)")
  }
}
