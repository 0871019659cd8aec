package import Failures

/// Why a PNG was refused.
///
/// The one who knows the file's name adds it: libraries see bytes only.
package struct PNGError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case notPNG
    case badHeader
    case tooLarge
    case truncated
    case corrupt
    case noMemory
  }

  package let code: Code

  /// A sentence that says what is wrong and what to do.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}

extension PNGError: Failure {
  package var failureCode: FailureCode { .badData }

  package var sentence: String { message }
}
