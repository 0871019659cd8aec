import CUnpack
import Features
import SystemPackage

/// The packed bytes of a file, or of a part of it, through one reused buffer.
///
/// The file is read at positions, so its descriptor may be shared.
final class PackedBytes {
  /// Size of the buffer in bytes, without the ``lookahead`` bytes before it.
  private static let room = 256 << 10

  /// The number of consumed bytes that may be taken back.
  static let lookahead = CUNPACK_LOOKAHEAD

  private let file: FileDescriptor
  private let end: Int
  /// The position in the file of the first byte after the buffer's.
  private var position: Int
  private let buffer: UnsafeMutableRawBufferPointer
  /// The unused bytes in the buffer; used ones precede them.
  private var valid: Range<Int>

  /// - Parameter range: the part of the file; it must be within the file.
  init(_ file: FileDescriptor, _ range: Range<Int>) {
    self.file = file
    position = range.lowerBound
    end = range.upperBound
    buffer = .allocate(byteCount: Self.lookahead + Self.room, alignment: 64)
    valid = Self.lookahead..<Self.lookahead
  }

  deinit { buffer.deallocate() }

  /// The bytes that were read but not used; valid until the next call.
  var available: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[valid]) }

  /// Whether nothing is left in the file; the buffer may still hold bytes.
  var isAtEnd: Bool { position >= end }

  /// Drops the first of the available bytes; a negative count takes back up to ``lookahead`` bytes
  /// that were dropped before.
  func consume(_ count: Int) {
    valid = (valid.lowerBound + count)..<valid.upperBound
  }

  /// Reads more bytes if none are available; at the end none are available afterwards.
  func fill() throws(UnpackFault) {
    guard valid.isEmpty, !isAtEnd else { return }
    let used = valid.lowerBound
    buffer.copyMemory(
      from: UnsafeRawBufferPointer(rebasing: buffer[(used - Self.lookahead)..<used]))
    let count: Int
    do {
      count = try file.read(
        fromAbsoluteOffset: Int64(position),
        into: UnsafeMutableRawBufferPointer(
          rebasing: buffer[Self.lookahead...].prefix(self.end - position)))
    } catch {
      throw .reading(error)
    }
    guard count > 0 else {
      throw UnpackFault(
        "became shorter while it was read; run again when nothing writes to it", .io)
    }
    position += count
    valid = Self.lookahead..<(Self.lookahead + count)
  }

  /// Takes one byte.
  ///
  /// - Throws: ``UnpackFault/truncated`` at the end.
  func next() throws(UnpackFault) -> UInt8 {
    if valid.isEmpty { try fill() }
    guard let byte = available.first else { throw .truncated }
    consume(1)
    return byte
  }

  /// Takes a number of two or four bytes, the lowest first.
  func number(bytes: Int) throws(UnpackFault) -> UInt32 {
    var number: UInt32 = 0
    for shift in 0..<bytes { number |= UInt32(try next()) << UInt32(8 * shift) }
    return number
  }
}
