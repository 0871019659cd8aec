import Features

/// That the fields of a file look divided by another character than the one that is set.
struct CSVDelimiterDoubt: Hashable {
  let given: UInt8
  let likely: UInt8

  /// How much of a file is looked at, bytes.
  private static let limit = 64 << 10

  /// Looks at the first records; `nil` where the delimiter that is set may be the right one.
  ///
  /// - Parameter cursor: at the first record, or behind the line of names.
  /// - Complexity: O(bytes of the first records), at most 64 KiB.
  init?(_ cursor: CSVCursor) {
    let text = Array(cursor.buffer.prefix(Self.limit))
    given = cursor.scanner.delimiter
    likely =
      TableHead.best(
        text, delimiter: given, isWhole: cursor.isLast && text.count == cursor.buffer.count
      ).delimiter
    if likely == given { return nil }
  }

  /// What is wrong and what helps, as the end of a sentence about what is missing.
  var words: String {
    "the fields look divided by \(TableHead.words(for: likely)), not by "
      + "\(TableHead.words(for: given)). Set \"delimiter: \(setting)\"."
  }

  /// The value as a pipeline file may hold it.
  private var setting: String {
    let name = TableHead.name(of: likely)
    return name.utf8.count == 1 ? "'\(name)'" : name
  }
}

extension CSVReader {
  /// That a column is not there, with the columns that are, or that the delimiter looks wrong.
  ///
  /// Must be asked before the first record is read.
  ///
  /// - Parameters:
  ///   - problem: what is missing; it ends with the file's name.
  ///   - remedy: the sentence that helps where the delimiter is right, if one does.
  func missing(_ problem: String, remedy: String? = nil) -> SourceError {
    CSVSchema.missing(
      problem, names: schema.names, remedy: remedy, file: cursor.source.name, line: 1,
      doubt: CSVDelimiterDoubt(cursor))
  }
}

extension CSVSchema {
  /// That something is not among the columns of a file.
  static func missing(
    _ problem: String, names: [String], remedy: String?, file: String, line: Int,
    doubt: CSVDelimiterDoubt?
  ) -> SourceError {
    let shown = names.prefix(20).joined(separator: ", ")
    let rest = names.count > 20 ? " and \(names.count - 20) more" : ""
    let columns = ["columns are \(shown)\(rest).", remedy].compactMap(\.self)
    return SourceError(
      code: .configuration, file: file, line: line,
      message: "\(problem); " + (doubt?.words ?? columns.joined(separator: " ")))
  }
}
