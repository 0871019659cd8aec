package import SystemPackage

extension FailureCode {
  /// The thing that a failed system call was to create; decides which of the system's errors mean
  /// that there is no place for it.
  package enum Creation: Sendable {
    /// Nothing in particular.
    case none
    /// A file beside another one.
    case companion
    /// A file whose name the user chose.
    case file
    /// A folder with all its files.
    case folder
  }

  /// Creates the code for a failed system call.
  package init(_ error: Errno, creating creation: Creation = .none) {
    self =
      switch error {
      case .permissionDenied, .notPermitted: .permission
      case .readOnlyFileSystem: .cannotCreate
      case .noSpace, .diskQuotaExceeded, .ioError: .inputOutput
      case .noSuchFileOrDirectory, .notDirectory, .isDirectory:
        creation == .none ? .inputOutput : .cannotCreate
      case .fileNameTooLong, .fileExists:
        creation == .file || creation == .folder ? .cannotCreate : .inputOutput
      default: creation == .folder ? .cannotCreate : .inputOutput
      }
  }
}
