package import Failures

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why no font could be used.
package struct FontError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// No usable font file in any of the places that are searched.
    case noFont
    /// A file that is missing, unreadable, damaged, or not a font with scalable outlines.
    case unreadable
    /// The system opens no more files, so that nobody can tell which fonts there are.
    case tooManyFiles
    /// FreeType itself did not start.
    case library
  }

  package let code: Code

  /// What is wrong and what to do.
  package let message: String

  /// The font file, where one is to blame.
  package let path: String?

  package init(code: Code, message: String, path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
  }

  package var description: String { message }
}

extension FontError {
  /// This error, or where the system opens no more files, which would explain it: that.
  func orTooManyFiles() -> FontError {
    // Neither the folder listing nor FreeType hands on the system's reason.
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
