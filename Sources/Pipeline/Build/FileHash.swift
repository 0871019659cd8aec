import Crypto
import Foundation
import SystemPackage

/// SHA-256 over files, read in blocks of 1 MiB.
enum FileHash {
  /// Feeds a file to a hash.
  ///
  /// - Returns: the file's length in bytes.
  /// - Throws: `Errno`.
  static func update(_ hash: inout SHA256, with path: FilePath) throws -> Int {
    let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    defer { try? file.close() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var total = 0
    while case let count = try file.read(into: buffer), count > 0 {
      hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      total += count
    }
    return total
  }

  /// The length and hash of a file.
  ///
  /// - Throws: `Errno`.
  static func sha256(of path: FilePath) throws -> (bytes: Int, text: String) {
    var hash = SHA256()
    let bytes = try update(&hash, with: path)
    return (bytes, text(of: hash))
  }

  /// A finished hash as 64 hexadecimal digits.
  static func text(of hash: SHA256) -> String {
    hash.finalize().map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
