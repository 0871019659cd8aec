package import Failures

/// The reason why no font could be used.
package struct FontError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// None of the searched places has a usable font file.
    case noFont
    /// A file is missing, unreadable, damaged, or not a font with scalable outlines.
    case unreadable
    /// The machine has too few file handles, too little memory or a failing disk, so the file
    /// itself may be usable.
    case machine
    /// FreeType itself failed to initialize.
    case library
  }

  package let code: Code

  /// The problem and its remedy.
  package let message: String

  /// The font file, if one is the cause.
  package let path: String?

  package init(code: Code, message: String, path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
  }
}

extension FontError: WordedFailure {
  package var failureCode: FailureCode { code == .machine ? .inputOutput : .missingInput }
}
