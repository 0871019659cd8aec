import Foundation

/// The hashes of the chunks of an archive's file in a signed list, by which parts of the file are
/// trusted without the rest.
struct ArchiveChunks: Hashable, Sendable {
  /// The bytes of a chunk, but for the last one's.
  let size: Int

  private let hashes: [UInt8]

  /// The bytes of each hash, the first ones of a SHA-256.
  private static let hashBytes = 16

  /// The sizes that a list may name: a chunk holds whole pages.
  private static let sizes = (1 << 16)...(1 << 30)

  /// - Parameters:
  ///   - text: the hashes in base64.
  ///   - bytes: the size of the file.
  /// - Returns: `nil` unless there is one hash for each chunk of the file.
  init?(size: Int, text: String, ofFileWith bytes: Int) {
    guard Self.sizes.contains(size), size & (size - 1) == 0,
      let hashes = Data(base64Encoded: text),
      hashes.count == (bytes + size - 1) / size * Self.hashBytes
    else { return nil }
    (self.size, self.hashes) = (size, Array(hashes))
  }

  /// The names under which chunks are kept: their hashes.
  var names: [String] { (0..<hashes.count / Self.hashBytes).map { name(of: $0) } }

  func name(of index: Int) -> String {
    Hexadecimal.text(Array(hashes[index * Self.hashBytes..<(index + 1) * Self.hashBytes]))
  }

  /// Whether bytes are a chunk.
  func isRight(_ bytes: Data, at index: Int) -> Bool {
    var hash = SHA256Hash()
    bytes.withUnsafeBytes { hash.update($0) }
    return Hexadecimal.text(Array(hash.finish().prefix(Self.hashBytes))) == name(of: index)
  }
}
