import SystemPackage

/// The size of a file.
package enum FileSize {
  /// Bytes of a file.
  ///
  /// - Throws: `Errno`.
  package static func of(_ path: String) throws -> Int {
    let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
    defer { try? file.close() }
    return Int(try file.seek(offset: 0, from: .end))
  }
}
