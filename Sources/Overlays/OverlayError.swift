package import Failures

/// Why an image was refused, or why it cannot be placed.
///
/// The one who knows the file's name adds it: this module sees bytes only.
package struct OverlayError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case unknownFormat
    case tooLarge
    case truncated
    case corrupt
    case unsupported
    case noMemory
    case badPlacement
    /// A colour ramp for what has no values.
    case badOptions
    /// A `nodata` that no pixel of the image could be.
    case badNoData
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

extension OverlayError: Failure {
  package var failureCode: FailureCode {
    switch code {
    case .badPlacement, .badOptions, .badNoData: .definition
    case .unknownFormat, .tooLarge, .truncated, .corrupt, .unsupported, .noMemory: .badData
    }
  }

  package var sentence: String { message }
}
