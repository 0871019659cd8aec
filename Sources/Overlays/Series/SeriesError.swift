package import Failures

/// The reason why a series of images is invalid.
package struct SeriesError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// A text is not an instant, or a name contains none.
    case badTime
    /// A time pattern, a glob or a url template is malformed.
    case badPattern
    /// A list, manifest or capabilities document does not have the required form.
    case badDocument
    /// A layer, folder or file does not exist.
    case notFound
    /// Two frames have the same instant.
    case duplicateFrame
    /// A frame is missing, and the policy is to fail.
    case missingFrame
    /// More frames, files or pixels than the limits allow.
    case tooLarge
    /// A folder cannot be read.
    case unreadable
  }

  package let code: Code

  /// A sentence with the problem and its remedy; never a secret.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Returns the error with the place before its sentence.
  package func at(_ place: String) -> SeriesError {
    place.isEmpty ? self : SeriesError(code, "\(place): \(message)")
  }
}

extension SeriesError: WordedFailure {
  package var failureCode: FailureCode {
    switch code {
    case .badPattern: .definition
    case .badTime, .badDocument, .duplicateFrame, .tooLarge: .badData
    case .notFound, .missingFrame, .unreadable: .missingInput
    }
  }
}
