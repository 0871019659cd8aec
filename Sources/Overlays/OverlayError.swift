package import Failures

/// The reason why an image was refused or cannot be placed.
///
/// The caller, who knows the file's name, adds it: this module only sees bytes.
package struct OverlayError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case unknownFormat
    case tooLarge
    case truncated
    case corrupt
    case unsupported
    case noMemory
    /// The library that reads the format is not installed.
    case noLibrary
    case badPlacement
    /// A colour ramp for an image without values.
    case badOptions
    /// A `nodata` that no pixel of the image could have.
    case badNoData
  }

  package let code: Code

  /// A sentence with the problem and its remedy.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension OverlayError: WordedFailure {
  package var failureCode: FailureCode {
    switch code {
    case .badPlacement, .badOptions, .badNoData, .noLibrary: .definition
    case .noMemory: .inputOutput
    case .unknownFormat, .tooLarge, .truncated, .corrupt, .unsupported: .badData
    }
  }
}
