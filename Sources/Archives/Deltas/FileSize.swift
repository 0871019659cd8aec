import SystemPackage

/// A reader of file sizes.
package enum FileSize {
  /// Returns the size of a file in bytes.
  ///
  /// - Throws: `Errno`.
  package static func of(_ path: String) throws -> Int {
    let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
    defer { try? file.close() }
    return Int(try file.seek(offset: 0, from: .end))
  }
}
