package import Failures

/// An error in a filter in CQL2 text, with its place in that text.
package struct CQL2Error: Error, Hashable, Sendable {
  /// The line, from 1.
  package var line: Int
  /// The column in Unicode scalars, from 1.
  package var column: Int
  /// One sentence that says what was expected and what was found.
  package var message: String

  init(_ message: String, at place: CQL2Place) {
    line = place.line
    column = place.column
    self.message = message
  }
}

/// A position in CQL2 text: line and column from 1, columns in Unicode scalars.
struct CQL2Place: Hashable, Sendable {
  var line = 1
  var column = 1

  /// Returns the part of a text between two places, without space at its end and on one line.
  static func text(of text: String, from start: CQL2Place, to end: CQL2Place) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(start.line - 1) else { return "" }
    let line = lines[start.line - 1]
    let rest = line.dropFirst(start.column - 1)
    let part = end.line == start.line ? rest.prefix(max(0, end.column - start.column)) : rest
    let last = part.lastIndex { $0 != " " && $0 != "\t" && $0 != "\r" }
    return String(last.map { part[...$0] } ?? part.prefix(0))
  }
}

extension CQL2Error: WordedFailure {
  package var failureCode: FailureCode { .definition }
}
