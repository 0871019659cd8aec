package import SystemPackage

/// An operation on a file or folder that the system refused.
package struct FileError: Error, Hashable, Sendable {
  /// The operation that failed; completes "cannot … PATH".
  package let action: String

  package let path: FilePath

  /// The system's error.
  package let cause: Errno

  package init(_ cause: Errno, doing action: String, path: FilePath) {
    self.action = action
    self.path = path
    self.cause = cause
  }
}

extension Errno {
  /// Returns the result of system calls; an error of another kind counts as one of the medium.
  package static func thrown<Value>(by calls: () throws -> Value) throws(Errno) -> Value {
    do {
      return try calls()
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
