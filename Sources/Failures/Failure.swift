/// An error that can end a run: what kind it is, what the user reads, and where it is wrong.
///
/// Each target conforms its own errors where it declares them; the run needs to know none of them.
/// Errors about one record, and those that their own target always catches, do not conform.
package protocol Failure: Error {
  /// What kind of failure it is; decides the exit status.
  var failureCode: FailureCode { get }

  /// One sentence: what is wrong and what to do about it.
  var sentence: String { get }

  /// Where it is wrong, if it is in a file and ``sentence`` does not name it.
  var place: DocumentPlace? { get }

  /// The words of another library that explain it.
  var cause: String? { get }
}

extension Failure {
  package var place: DocumentPlace? { nil }

  package var cause: String? { nil }
}
