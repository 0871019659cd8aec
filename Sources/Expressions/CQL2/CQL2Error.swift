package import Failures

/// What is wrong with a filter in CQL2 text, and where in that text.
package struct CQL2Error: Error, Hashable, Sendable {
  /// From 1.
  package var line: Int
  /// From 1, in Unicode scalars.
  package var column: Int
  /// What was expected and what was found, one sentence.
  package var message: String

  init(_ message: String, at place: CQL2Place) {
    line = place.line
    column = place.column
    self.message = message
  }
}

/// A place in CQL2 text: line and column from 1, columns in Unicode scalars.
struct CQL2Place: Hashable, Sendable {
  var line = 1
  var column = 1
}

extension CQL2Error: Failure {
  package var failureCode: FailureCode { .definition }

  package var sentence: String { message }
}
