package import Failures
package import SQLite
package import SystemPackage

/// Why an archive could not be written, read or published.
package struct ArchiveError: Error, Sendable {
  /// The kinds that callers tell apart.
  package enum Code: String, Sendable {
    /// The file or its folder cannot be created.
    case cannotCreate
    /// Reading or writing failed in the system.
    case inputOutput
    /// The disk, or the quota, is full.
    case diskFull
    /// Another run holds the archive.
    case locked
    /// The system does not allow it.
    case permission
    /// There is no such file.
    case missing
    /// The file is damaged, or is no MBTiles archive.
    case badArchive
    /// A value that may not go into an archive.
    case badValue
    /// The caller broke the writer's order: a fault of this program.
    case misuse
    /// The run was told to end.
    case stopped
  }

  package let code: Code

  /// A sentence: what is wrong and what to do.
  package let message: String

  /// The file concerned.
  package let path: FilePath?

  /// What the system or SQLite said.
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
  /// What a failed system call means: `doing` completes "cannot …".
  package init(_ errno: Errno, doing: String, path: FilePath) {
    let code = Code(errno)
    self.init(code, "cannot \(doing) \(path): \(errno).\(code.remedy)", path: path, cause: errno)
  }

  /// What SQLite's refusal means: `doing` completes "cannot …".
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
  /// What kind of failure a failed system call is.
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

  /// What to do, as a sentence with a blank before it; empty where only the place can tell.
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
