package import Failures
import Platform

/// The reason why no font could be used.
package struct FontError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// None of the searched places has a usable font file.
    case noFont
    /// A file is missing, unreadable, damaged, or not a font with scalable outlines.
    case unreadable
    /// The system cannot open more files, so the available fonts cannot be determined.
    case tooManyFiles
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

  package var description: String { message }
}

extension FontError {
  /// Returns this error, or the one that the system cannot open more files, if that is the cause.
  func orTooManyFiles() -> FontError {
    // Neither the folder listing nor FreeType passes on the system's reason.
    let file = open("/", O_RDONLY | O_CLOEXEC)
    guard file < 0 else {
      close(file)
      return self
    }
    guard [EMFILE, ENFILE].contains(errno) else { return self }
    return FontError(
      code: .tooManyFiles,
      message: "no font can be opened: too many files are open. Raise the limit ('ulimit -n 1024')."
    )
  }
}

extension FontError: Failure {
  package var failureCode: FailureCode { code == .tooManyFiles ? .inputOutput : .missingInput }

  package var sentence: String { message }
}
