package import Failures

/// The reason why a sprite or an image of a style was refused; the caller adds the file's name.
package struct SpriteError: Error, Hashable, Sendable {
  /// A sentence with the problem and its remedy.
  package let message: String

  init(_ message: String) {
    self.message = message
  }
}

extension SpriteError: WordedFailure {
  package var failureCode: FailureCode { .badData }
}
