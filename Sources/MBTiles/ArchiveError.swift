package import Failures
package import SQLite
package import SystemPackage

/// The reason why an archive could not be written, read or published.
package struct ArchiveError: Error, Sendable {
  /// The kinds of errors that callers distinguish.
  package enum Code: String, Sendable {
    /// The file or its folder cannot be created.
    case cannotCreate
    /// A system call failed while reading or writing.
    case inputOutput
    /// The disk or the quota is full.
    case diskFull
    /// Another run holds the archive's lock.
    case locked
    /// The permissions do not allow it.
    case permission
    /// The file does not exist.
    case missing
    /// The file is damaged, or is not an MBTiles archive.
    case badArchive
    /// The value is not allowed in an archive.
    case badValue
    /// The caller violated the writer's order: a bug of this program.
    case misuse
    /// The run was stopped.
    case stopped
  }

  package let code: Code

  /// A sentence with the problem and its remedy.
  package let message: String

  /// The file concerned.
  package let path: FilePath?

  /// The error of the system or of SQLite.
  package let cause: (any Error & Sendable)?

  package init(
    _ code: Code, _ message: String, path: FilePath? = nil, cause: (any Error & Sendable)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.cause = cause
  }
}

extension ArchiveError {
  /// Creates the error for a failed system call; `doing` completes "cannot …".
  package init(_ errno: Errno, doing: String, path: FilePath) {
    let code = Code(errno)
    self.init(code, "cannot \(doing) \(path): \(errno).\(code.remedy)", path: path, cause: errno)
  }

  /// Creates the error for a failure of SQLite; `doing` completes "cannot …".
  package init(_ error: SQLiteError, doing: String, path: FilePath) {
    let code: Code =
      if error.isFull {
        .diskFull
      } else if error.isPermission {
        .permission
      } else if error.isLocked {
        .locked
      } else if error.isCannotOpen {
        error.systemError == 0 ? .cannotCreate : Code(Errno(rawValue: error.systemError))
      } else if error.isCorrupt || error.isInterrupted {
        .badArchive
      } else {
        .inputOutput
      }
    self.init(
      code, "cannot \(doing) \(path): \(error.message).\(code.remedy)", path: path, cause: error)
  }
}

extension ArchiveError.Code {
  /// Creates the code for a failed system call.
  init(_ errno: Errno) {
    self =
      switch errno {
      case .noSpace, .diskQuotaExceeded, .fileTooLarge: .diskFull
      case .permissionDenied, .notPermitted: .permission
      case .noSuchFileOrDirectory, .notDirectory, .isDirectory, .fileNameTooLong, .fileExists,
        .readOnlyFileSystem:
        .cannotCreate
      default: .inputOutput
      }
  }

  /// The remedy as a sentence with a space before it; empty where it depends on the caller.
  var remedy: String {
    switch self {
    case .diskFull: " Free some space or choose another folder with --output."
    case .permission: " Make the folder writable or choose another one with --output."
    case .locked: " Wait for the other run to end."
    case .cannotCreate: " Create the folder or choose another one with --output."
    case .badArchive: " Build the archive again."
    case .inputOutput, .missing, .badValue, .misuse, .stopped: ""
    }
  }
}

extension ArchiveError: CustomStringConvertible {
  package var description: String { message }
}

extension ArchiveError: Failure {
  package var failureCode: FailureCode {
    switch code {
    case .cannotCreate: .cannotCreate
    case .inputOutput, .diskFull: .inputOutput
    case .locked: .locked
    case .permission: .permission
    case .missing: .missingInput
    case .badArchive, .badValue: .badData
    case .misuse: .bug
    case .stopped: .interrupted
    }
  }

  package var sentence: String { message }
}
