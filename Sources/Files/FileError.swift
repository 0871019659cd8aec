package import SystemPackage

/// A file or folder that the system refused.
package struct FileError: Error, Hashable, Sendable {
  /// What was to be done with it; completes "cannot … PATH".
  package let action: String

  package let path: FilePath

  /// What the system said.
  package let cause: Errno

  package init(_ cause: Errno, doing action: String, path: FilePath) {
    self.action = action
    self.path = path
    self.cause = cause
  }
}
