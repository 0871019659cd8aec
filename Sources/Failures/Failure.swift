/// An error that can end a run: its kind, the text for the user, and the place of the problem.
///
/// Each target conforms its own errors where it declares them; the run needs to know none of the
/// types.
package protocol Failure: Error {
  /// The kind of failure; decides the exit status.
  var failureCode: FailureCode { get }

  /// A sentence that gives the problem and its remedy.
  var sentence: String { get }

  /// The place of the problem, if it is in a file that ``sentence`` does not name.
  var place: DocumentPlace? { get }

  /// The explanation of another library.
  var cause: String? { get }
}

extension Failure {
  package var place: DocumentPlace? { nil }

  package var cause: String? { nil }
}

/// A failure that keeps its sentence.
package protocol WordedFailure: Failure {
  /// A sentence with the problem and its remedy.
  var message: String { get }
}

extension WordedFailure {
  package var sentence: String { message }

  package var description: String { message }
}
