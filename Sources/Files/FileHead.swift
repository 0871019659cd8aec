package import SystemPackage

/// The first bytes of a file, by which its format is recognized.
package enum FileHead {
  /// Returns at most `count` bytes; none unless the path leads to a regular file that can be read.
  ///
  /// A fault of the machine is recorded as ``MachineFault``.
  package static func bytes(of path: FilePath, _ count: Int) -> [UInt8] {
    do {
      // Opened without waiting: a pipe in the file's place would block forever.
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      guard try FileStatus(of: file).kind == .file else { return [] }
      return bytes(of: file, count, at: path)
    } catch {
      MachineFault.note(error as? Errno ?? .ioError, at: path)
      return []
    }
  }

  /// Returns at most `count` bytes of an open file.
  ///
  /// - Parameter path: its name for a ``MachineFault``.
  package static func bytes(of file: FileDescriptor, _ count: Int, at path: FilePath) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    do {
      let read = try bytes.withUnsafeMutableBytes {
        try file.read(fromAbsoluteOffset: 0, into: $0)
      }
      return Array(bytes.prefix(read))
    } catch {
      MachineFault.note(error as? Errno ?? .ioError, at: path)
      return []
    }
  }
}
