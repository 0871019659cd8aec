import Hashing

/// The header of an artifact's file, its first 64 bytes; numbers are little-endian.
///
/// | bytes | what |
/// |---|---|
/// | 0 ..< 8 | ``magic`` |
/// | 8 ..< 16 | ``formatVersion`` |
/// | 16 ..< 24 | bytes of the body, which is the rest of the file |
/// | 24 ..< 32 | the program, the first half of a SHA-256 of ``ProgramIdentity/text``, 8 bytes |
/// | 32 ..< 64 | SHA-256 of the body |
package struct ArtifactHeader: Hashable, Sendable {
  static let byteCount = 64

  /// The signature; not text in any encoding, like PNG's, so that a conversion of line ends is
  /// detected.
  static let magic: [UInt8] = [0x89, 0x51, 0x41, 0x52, 0x54, 0x0D, 0x0A, 0x1A]

  /// The version of the layout of the columns in a body, to be raised when it changes; contents are
  /// identified by the program.
  static let formatVersion: UInt64 = 6

  /// The number of bytes of the body: a multiple of ``byteCount``.
  let bodyLength: Int

  /// SHA-256 of the body, 32 bytes.
  let bodyDigest: [UInt8]

  /// The mark of the program, eight bytes; see ``mark(of:)``.
  let program: [UInt8]

  init(bodyLength: Int, bodyDigest: [UInt8], program: String) {
    self.bodyLength = bodyLength
    self.bodyDigest = bodyDigest
    self.program = Self.mark(of: program)
  }

  /// Creates the header of a body that is in memory.
  package init(body: [UInt8], program: String) {
    self.init(
      bodyLength: body.count, bodyDigest: SHA256.hash(data: body), program: program)
  }

  /// Parses a header; `nil` for other data, or a header of another version.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic),
      Self.number(bytes, 8) == Self.formatVersion,
      let length = Int(exactly: Self.number(bytes, 16))
    else { return nil }
    bodyLength = length
    program = Array(bytes[24..<32])
    bodyDigest = Array(bytes[32..<64])
  }

  /// The encoded header, 64 bytes.
  package var bytes: [UInt8] {
    func number(_ value: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
    return Self.magic + number(Self.formatVersion) + number(UInt64(bodyLength)) + program
      + bodyDigest
  }

  /// Returns the mark that represents a program in headers.
  static func mark(of program: String) -> [UInt8] {
    Array(SHA256.hash(data: Array(program.utf8)).prefix(8))
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
