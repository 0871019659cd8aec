package import Failures

/// The reason why a text could not be analysed.
package struct TextAnalysisError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operation that ICU refused.
  let operation: String

  /// ICU's number of the error.
  let status: Int32

  package var description: String {
    "ICU \(ICUVersion.text) cannot \(operation) (its error \(status)); is its data file complete? "
      + "Install ICU again ('make deps' installs libicu-dev)."
  }
}

extension TextAnalysisError: Failure {
  package var failureCode: FailureCode { .missingInput }

  package var sentence: String { description }
}
