package import Failures

/// Why a series of images cannot be what the pipeline asks for.
package struct SeriesError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// A text is no instant, or a name holds none.
    case badTime
    /// A pattern of times, a glob or a url template is not written as it must be.
    case badPattern
    /// A list, manifest or capabilities document has not the form it must have.
    case badDocument
    /// A layer, folder or file is not there.
    case notFound
    /// Two frames claim one instant.
    case duplicateFrame
    /// A frame is missing, and the policy is to fail.
    case missingFrame
    /// The frames of a series differ in size.
    case sizeChange
    /// More frames, files or pixels than the limits allow.
    case tooLarge
    /// A folder cannot be read.
    case unreadable
  }

  package let code: Code

  /// A sentence that says what is wrong and what to do; never a secret.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  /// The same error with the place in front of its sentence.
  package func at(_ place: String) -> SeriesError {
    place.isEmpty ? self : SeriesError(code, "\(place): \(message)")
  }
}

extension SeriesError: Failure {
  package var failureCode: FailureCode {
    switch code {
    case .badPattern: .definition
    case .badTime, .badDocument, .duplicateFrame, .sizeChange, .tooLarge: .badData
    case .notFound, .missingFrame, .unreadable: .missingInput
    }
  }

  package var sentence: String { message }
}
