import SystemPackage

/// Reads files that a preview shows beside the tiles.
enum SmallFile {
  /// The bytes of a file; `nil` where it is missing, unreadable, or longer than the limit.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    guard
      let file = try? FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
    else { return nil }
    defer { try? file.close() }
    var bytes: [UInt8] = []
    while true {
      let start = bytes.count
      let room = min(limit + 1 - start, 1 << 16)
      guard room > 0 else { return nil }
      bytes.append(contentsOf: repeatElement(0, count: room))
      guard
        let count = try? bytes.withUnsafeMutableBytes({
          try file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
        })
      else { return nil }
      bytes.removeLast(room - count)
      if count == 0 { return bytes }
    }
  }
}
