import Features
import Files
import Foundation
import Hashing
import Ingest
import JSON
import OrderedCollections
package import SystemPackage

/// The hashes of the chunks of an archive's file, by which apps verify the parts of it that they fetch.
package struct FileChunks: Hashable {
  /// The bytes of a chunk, but for the last one's: a power of two that holds whole pages.
  package let size: Int

  /// The first 16 bytes of the SHA-256 of each chunk, in base64.
  package let hashes: String

  /// The most chunks of a file: their hashes are in each list, 22 KB of text.
  private static let limit = 1024

  package init(size: Int, hashes: String) {
    (self.size, self.hashes) = (size, hashes)
  }

  /// Reads a file.
  ///
  /// - Parameter checkpoint: called for every chunk; an error that it throws ends the reading.
  /// - Throws: `Errno`, and what `checkpoint` throws.
  /// - Complexity: O(bytes of the file).
  package init(of path: FilePath, checkpoint: () throws -> Void = {}) throws {
    let bytes = try FileStatus.size(of: path)
    var size = 1 << 16
    while (bytes + size - 1) / size > Self.limit { size *= 2 }
    let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    defer { try? file.close() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var hashes = Data()
    var filled = 0
    while case let count = try file.read(into: .init(rebasing: buffer[filled...])), count > 0 {
      filled += count
      guard filled == size else { continue }
      try checkpoint()
      hashes += Self.hash(UnsafeRawBufferPointer(buffer))
      filled = 0
    }
    if filled > 0 { hashes += Self.hash(UnsafeRawBufferPointer(rebasing: buffer[..<filled])) }
    self.init(size: size, hashes: hashes.base64EncodedString())
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    return Array(hash.finalize().prefix(16))
  }

  var json: ReportJSON { .sorted(["bytes": .integer(size), "hashes": .string(hashes)]) }

  init?(_ value: PropertyValue) {
    guard case .object(let members) = value, let size = UpdateText.count(members["bytes"]),
      let hashes = UpdateText.text(members["hashes"])
    else { return nil }
    self.init(size: size, hashes: hashes)
  }
}
