import CZlib

/// A decompressor of a body with gzip or deflate coding, piece by piece, which detects whether it
/// is complete.
///
/// libcurl could decompress too, but takes a truncated stream for a complete one. Concatenated
/// members of gzip are one body (RFC 1952, section 2.2).
final class BodyUnpacker {
  /// The coding of a body (RFC 9110, section 8.4.1).
  private enum Coding {
    case gzip, deflate
  }

  /// Size of the output buffer in bytes.
  private static let room = 1 << 16

  private let coding: Coding
  /// The zlib stream at a fixed address, since zlib keeps it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutablePointer<UInt8>
  private var hasBegun = false

  /// Whether the last piece ended where the compressed stream does.
  private(set) var isAtEnd = false

  /// - Parameter codings: those of the response's head.
  /// - Throws: for other codings, or more than one.
  init(_ codings: [String]) throws(TransferFailure) {
    switch codings {
    case ["gzip"], ["x-gzip"]: coding = .gzip
    case ["deflate"]: coding = .deflate
    default: throw .badCoding
    }
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(capacity: Self.room)
  }

  deinit {
    if hasBegun { inflateEnd(stream) }
    buffer.deallocate()
    stream.deallocate()
  }

  /// Decompresses a piece of the body and passes on the result, a bounded piece at a time.
  ///
  /// - Throws: what `deliver` throws, and ``TransferFailure/badCoding`` if the bytes are malformed,
  ///   or others follow the stream.
  func take(
    _ piece: UnsafeRawBufferPointer,
    _ deliver: (UnsafeRawBufferPointer) throws(TransferFailure) -> Void
  ) throws(TransferFailure) {
    guard let start = piece.baseAddress, let first = piece.first else { return }
    try begin(first)
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: start.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(piece.count)
    repeat {
      if isAtEnd { try beginMember() }
      stream.pointee.next_out = buffer
      stream.pointee.avail_out = UInt32(Self.room)
      let status = inflate(stream, Z_NO_FLUSH)
      let count = Self.room - Int(stream.pointee.avail_out)
      if count > 0 { try deliver(UnsafeRawBufferPointer(start: buffer, count: count)) }
      switch status {
      case Z_STREAM_END: isAtEnd = true
      case Z_OK, Z_BUF_ERROR: break
      default: throw .badCoding
      }
      // A full buffer may leave more behind, even if all input is consumed.
    } while stream.pointee.avail_in > 0 || (stream.pointee.avail_out == 0 && !isAtEnd)
  }

  /// Initializes the stream, whose form depends on its first byte: "deflate" means zlib's form, but
  /// some servers send the bare stream.
  private func begin(_ first: UInt8) throws(TransferFailure) {
    guard !hasBegun else { return }
    let bits: Int32 =
      switch coding {
      case .gzip: 16 + MAX_WBITS
      // The method of zlib's header, which at the start of a bare stream would be an odd padding.
      case .deflate: first & 0x0F == 8 ? MAX_WBITS : -MAX_WBITS
      }
    guard inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw TransferFailure(.connection, "there is no memory to unpack the answer") }
    hasBegun = true
  }

  /// Continues after the end of a stream, where only another member of gzip is allowed.
  private func beginMember() throws(TransferFailure) {
    guard coding == .gzip, inflateReset(stream) == Z_OK else { throw .badCoding }
    isAtEnd = false
  }
}
