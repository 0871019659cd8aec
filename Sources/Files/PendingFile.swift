import Platform
package import SystemPackage

/// A file that appears complete or not at all: it is written under another name in the same folder,
/// made durable, and renamed.
///
/// A file that was not committed is removed with the object.
package final class PendingFile {
  /// The final path of the file.
  package let path: FilePath

  /// The path at which to write.
  package let temporary: FilePath

  private var file: FileDescriptor?
  private var isCommitted = false

  /// Creates a pending file; creates nothing on disk yet, and removes temporary files of the same
  /// file that dead runs left behind.
  package init(_ path: FilePath) {
    self.path = path
    temporary = DurableFile.temporary(for: path)
    StaleFiles.remove(besides: path, isLocked: false)
  }

  deinit {
    try? file?.close()
    if !isCommitted { unlink(temporary.string) }
  }

  /// Creates the file empty, for a writer that opens it itself.
  package func create() throws(Errno) {
    try write([])
    try close()
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    try Errno.thrown {
      let file =
        try self.file
        ?? FileDescriptor.open(
          temporary, .writeOnly, options: [.create, .truncate, .closeOnExec],
          permissions: DurableFile.publicPermissions)
      self.file = file
      try file.writeAll(bytes)
    }
  }

  /// Makes the file durable.
  package func finish() throws(Errno) {
    try close()
    try DurableFile.synchronize(temporary)
  }

  /// Gives a finished file its name.
  package func commit() throws(Errno) {
    try DurableFile.rename(temporary, to: path)
    isCommitted = true
    try DurableFile.synchronizeFolder(of: path)
  }

  private func close() throws(Errno) {
    try Errno.thrown {
      try file?.close()
      file = nil
    }
  }
}
