import Files
import Platform
package import SystemPackage

/// The content of a packed file, in a temporary file that lives as long as this object.
package final class UnpackedFile: Sendable {
  /// The open file; readers give positions, so it has none of its own.
  package let file: FileDescriptor

  /// The path for readers that open files themselves; `nil` for a file without a name.
  package let path: FilePath?

  /// Creates an empty file.
  ///
  /// - Parameter hasName: whether the file keeps its name as long as this object lives. Those that
  ///   killed runs left in the folder are removed.
  init(in folder: FilePath, hasName: Bool) throws(Errno) {
    guard hasName else {
      file = try UnnamedFile.open(in: folder, for: "unpacked")
      path = nil
      return
    }
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    let path = folder.appending(".quadrille-unpacked.tmp-\(getpid())-\(mark)")
    StaleFiles.remove(like: path)
    do {
      file = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite)
    } catch {
      throw error as? Errno ?? .ioError
    }
    self.path = path
  }

  deinit {
    try? file.close()
    if let path { unlink(path.string) }
  }
}
