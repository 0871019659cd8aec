import Platform
package import SystemPackage

/// A file that appears whole or not at all: written beside its place under another name, made
/// durable, renamed.
///
/// What was not committed is removed with the object.
package final class PendingFile {
  /// Where the file will be.
  package let path: FilePath

  /// Where to write.
  package let temporary: FilePath

  private var file: FileDescriptor?
  private var isCommitted = false

  /// Nothing is created yet; what dead runs left of the same file is removed.
  package init(_ path: FilePath) {
    self.path = path
    temporary = DurableFile.temporary(for: path)
    StaleFiles.remove(besides: path, isLocked: false)
  }

  deinit {
    try? file?.close()
    if !isCommitted { unlink(temporary.string) }
  }

  /// Creates the file without a byte, for a writer that opens it itself.
  package func create() throws(Errno) {
    try write([])
    try close()
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    do {
      let file =
        try self.file
        ?? FileDescriptor.open(
          temporary, .writeOnly, options: [.create, .truncate, .closeOnExec],
          permissions: DurableFile.publicPermissions)
      self.file = file
      try file.writeAll(bytes)
    } catch {
      throw error as? Errno ?? .ioError
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
    do {
      try file?.close()
      file = nil
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
