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
    guard let name = self.path.lastComponent?.string else {
      throw PipelineError(.usage, "'\(path)' names no file.")
    }
    temporary = self.path.removingLastComponent().appending(".\(name).tmp-\(getpid())")
    // What a dead run of the same process number left is in nobody's use.
    unlink(temporary.string)
  }

  deinit {
    try? file?.close()
    if !isCommitted { unlink(temporary.string) }
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
      if file == nil { file = try FileDescriptor.open(temporary, .readOnly, options: .closeOnExec) }
      if let file, fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
      guard rename(temporary.string, path.string) == 0 else { throw Errno(rawValue: errno) }
      isCommitted = true
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> PipelineError {
    let code: PipelineError.Code =
      switch error as? Errno {
      case .permissionDenied?, .notPermitted?, .readOnlyFileSystem?: .permission
      case .noSuchFileOrDirectory?, .notDirectory?, .isDirectory?: .cannotCreate
      default: .inputOutput
      }
    return PipelineError(
      code, "the file cannot be written. Check the folder and its permissions.",
      at: DocumentPlace(file: path.string), cause: "\(error)")
  }
}
