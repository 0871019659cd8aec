package import Failures

/// The reason why no font could be used.
package struct FontError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// None of the searched places has a usable font file.
    case noFont
    /// A file is missing, unreadable, damaged, or not a font with scalable outlines.
    case unreadable
    /// The machine lacks files or memory or its disk fails, so it is not known what a file is.
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
