package import Failures

/// The reason why a PNG was refused.
///
/// The caller, who knows the file's name, adds it: libraries only see bytes.
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

  /// A sentence with the problem and its remedy.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension PNGError: WordedFailure {
  package var failureCode: FailureCode { code == .noMemory ? .inputOutput : .badData }
}
