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
}

extension CQL2Error: WordedFailure {
  package var failureCode: FailureCode { .definition }
}
