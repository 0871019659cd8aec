package import Failures
package import Files
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

  /// The fact that ``message`` words.
  package let fact: Fact

  /// The file concerned.
  package let path: FilePath?

  package init(_ fact: Fact, path: FilePath? = nil) {
    self.fact = fact
    self.path = path
  }

  /// Creates the error for a failed system call; `doing` completes "cannot …".
  package init(_ errno: Errno, doing: String, path: FilePath) {
    self.init(FileError(errno, doing: doing, path: path))
  }

  /// Creates the error for a folder or file of tiles other than an archive.
  ///
  /// - Parameter fault: the rest of a sentence that begins with the path, without its full stop.
  package init(damagedFolder path: FilePath, _ fault: String) {
    self.init(.content(.damagedFolder(fault: fault)), path: path)
  }

  package init(_ error: FileError) {
    self.init(.system(error), path: error.path)
  }

  /// Creates the error for a failure of SQLite; `doing` completes "cannot …".
  package init(_ error: SQLiteError, doing: String, path: FilePath) {
    self.init(.database(error, doing: doing), path: path)
  }

  /// The system's error; `nil` where no system call failed.
  package var systemError: Errno? {
    switch fact {
    case .system(let error): error.cause
    case .file(.unreadable(let error)): error
    default: nil
    }
  }
}

extension ArchiveError.Code {
  /// Creates the code for a failed system call.
  init(_ errno: Errno) {
    self =
      switch FailureCode(errno, creating: .file) {
      case .permission: .permission
      case .cannotCreate: .cannotCreate
      default:
        [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(errno) ? .diskFull : .inputOutput
      }
  }

  /// Creates the code for a failure of SQLite.
  init(_ error: SQLiteError) {
    self =
      if error.isFull {
        .diskFull
      } else if error.isPermission {
        .permission
      } else if error.isLocked {
        .locked
      } else if error.isCannotOpen {
        error.systemError == 0 ? .cannotCreate : Self(Errno(rawValue: error.systemError))
      } else if error.isCorrupt || error.isInterrupted {
        .badArchive
      } else {
        .inputOutput
      }
  }
}

extension ArchiveError: WordedFailure, CustomStringConvertible {
  package var failureCode: FailureCode { code.failureCode }
}

extension ArchiveError.Code {
  var failureCode: FailureCode {
    switch self {
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
}
