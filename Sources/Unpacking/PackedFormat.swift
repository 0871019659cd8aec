/// A format of packed files, recognised by its first bytes.
package enum PackedFormat: String, CaseIterable, Hashable, Sendable {
  /// RFC 1952; also as many members behind one another.
  case gzip
  /// The files of PKWARE's APPNOTE, with their 64-bit extensions.
  case zip
  /// Zstandard, RFC 8878.
  case zstd
  case bzip2

  /// The number of first bytes that decide.
  package static let headBytes = 10

  /// - Parameter head: the first bytes of a file; ``headBytes`` are enough.
  package init?(_ head: some Collection<UInt8>) {
    let head = Array(head.prefix(Self.headBytes))
    if head.starts(with: [0x1F, 0x8B, 0x08]) {
      self = .gzip
    } else if head.starts(with: [0x50, 0x4B, 0x03, 0x04])
      || head.starts(with: [0x50, 0x4B, 0x05, 0x06])
    {
      self = .zip
    } else if Self.isZstandard(head) {
      self = .zstd
    } else if Self.isBzip2(head) {
      self = .bzip2
    } else {
      return nil
    }
  }

  /// Whether a frame begins, or one that decoders skip (RFC 8878, section 3.1.2).
  private static func isZstandard(_ head: [UInt8]) -> Bool {
    if head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return true }
    return head.count >= 4 && head[0] & 0xF0 == 0x50 && head[1...3] == [0x2A, 0x4D, 0x18]
  }

  /// Whether a stream begins: `BZh`, a block size, and the mark of a block or of the end. The first
  /// four bytes alone may begin a text.
  private static func isBzip2(_ head: [UInt8]) -> Bool {
    guard head.count >= 10, head.starts(with: "BZh".utf8), (0x31...0x39).contains(head[3]) else {
      return false
    }
    let mark = Array(head[4..<10])
    return mark == [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]
      || mark == [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]
  }

  /// The ending that tools append to the name of the file that they pack; `nil` for a format that
  /// has names of its own.
  package var ending: String? {
    switch self {
    case .gzip: ".gz"
    case .zstd: ".zst"
    case .bzip2: ".bz2"
    case .zip: nil
    }
  }
}
