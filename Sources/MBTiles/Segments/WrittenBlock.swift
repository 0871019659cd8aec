import Files
import SystemPackage

/// A range of a file's bytes, with their checksum when they were written.
package struct WrittenBlock: Sendable {
  private let offset: Int64
  private let count: Int
  private let checksum: UInt64

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
    self.offset = offset
    count = bytes.count
    checksum = ImageChecksum.of(bytes)
  }

  /// Whether the file still holds the bytes.
  ///
  /// - Throws: the system's error if it cannot be read.
  /// - Complexity: O(bytes).
  func isIntact(in file: FileDescriptor, _ buffer: inout [UInt8]) throws -> Bool {
    if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
    return try buffer.withUnsafeMutableBytes { buffer in
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      var done = 0
      while done < count {
        let read = try file.read(
          fromAbsoluteOffset: offset + Int64(done),
          into: UnsafeMutableRawBufferPointer(rebasing: part[done...]))
        guard read > 0 else { return false }
        done += read
      }
      return ImageChecksum.of(UnsafeRawBufferPointer(part)) == checksum
    }
  }
}
