import SystemPackage

/// The size of a file.
enum FileSize {
  /// Bytes of a file.
  ///
  /// - Throws: `Errno`.
  static func of(_ path: String) throws -> Int {
    let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
    defer { try? file.close() }
    return Int(try file.seek(offset: 0, from: .end))
  }
}
