import MBTiles
import Reports
import Runs
import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that appears whole or not at all: written beside its place under another name, made
/// durable, renamed.
final class PendingFile {
  let path: FilePath
  /// Where to write.
  let temporary: FilePath
  private var file: FileDescriptor?
  private var isCommitted = false

  /// Nothing is created yet.
  init(_ path: String) throws(PipelineError) {
    self.path = FilePath(path)
    guard self.path.lastComponent != nil else {
      throw PipelineError(.usage, "'\(path)' names no file.")
    }
    temporary = DurableFile.temporary(for: self.path)
    // What dead runs left is in nobody's use.
    StaleFiles.remove(besides: self.path, isLocked: false)
  }

  deinit {
    try? file?.close()
    if !isCommitted { unlink(temporary.string) }
  }

  /// Creates the file without a byte, for a writer that opens it itself: SQLite does not say why it
  /// cannot.
  func create() throws(PipelineError) {
    try write([])
    do {
      try file?.close()
    } catch {
      throw failure(error)
    }
    file = nil
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(PipelineError) {
    do {
      let file =
        try self.file
        ?? FileDescriptor.open(
          temporary, .writeOnly, options: [.create, .truncate, .closeOnExec],
          permissions: [.ownerReadWrite, .groupRead, .otherRead])
      self.file = file
      try file.writeAll(bytes)
    } catch {
      throw failure(error)
    }
  }

  /// Makes the file durable and gives it its name.
  func commit() throws(PipelineError) {
    do {
      try file?.close()
      file = nil
      try DurableFile.synchronize(temporary)
      try LeftLog.settle(path, for: temporary)
      try DurableFile.rename(temporary, to: path)
      isCommitted = true
      try DurableFile.synchronizeFolder(of: path)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> PipelineError {
    if let error = error as? any Failure { return PipelineError(error) }
    return ReportFile.failure(error as? Errno ?? .ioError, path: path.string)
  }
}
