import CUnpack
import CZlib
import Features

/// The progress of one step of a decoder.
struct DecodeStep {
  /// The number of packed bytes used. At the end of a stream it may be negative: as many bytes of
  /// earlier input were not used, ``PackedBytes/lookahead`` at most.
  var consumed: Int
  /// The number of unpacked bytes written.
  var produced: Int
  /// Whether the packed stream ended here.
  var isAtEnd: Bool
}

/// A decoder of packed streams, piece by piece, one stream after the other.
protocol StreamDecoder: AnyObject {
  /// Decodes as much as the input provides and the output holds.
  func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(UnpackFault) -> DecodeStep
}

/// The decoders of bare deflate streams (RFC 1951), as gzip and zip wrap them.
enum Deflate {
  /// Returns the fastest decoder that is installed; all give the same bytes.
  ///
  /// - Parameter format: the format that messages name.
  static func decoder(_ format: PackedFormat) throws(UnpackFault) -> any StreamDecoder {
    if let fast = LibraryDecoder.deflate(format) { return fast }
    return try DeflateDecoder(format)
  }
}

/// A decoder of bare deflate streams by zlib.
final class DeflateDecoder: StreamDecoder {
  private let format: PackedFormat
  /// The zlib stream at a fixed address, since zlib keeps it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// - Parameter format: the format that messages name.
  init(_ format: PackedFormat) throws(UnpackFault) {
    self.format = format
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard
      inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw .noMemory }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(UnpackFault) -> DecodeStep {
    let given = UInt32(clamping: input.count)
    let room = UInt32(clamping: output.count)
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = given
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = room
    let status = inflate(stream, Z_NO_FLUSH)
    guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else {
      throw status == Z_MEM_ERROR ? .noMemory : .damaged(format)
    }
    let step = DecodeStep(
      consumed: Int(given - stream.pointee.avail_in),
      produced: Int(room - stream.pointee.avail_out), isAtEnd: status == Z_STREAM_END)
    if step.isAtEnd { inflateReset(stream) }
    return step
  }
}

/// A decoder by a library that is loaded when it is first needed: of Zstandard, of bzip2, or of bare
/// deflate streams by ISA-L.
final class LibraryDecoder: StreamDecoder {
  private let format: PackedFormat
  private let decoder: OpaquePointer

  /// - Throws: ``UnpackFault`` where the library is not installed.
  init(_ format: PackedFormat) throws(UnpackFault) {
    self.format = format
    let library = format == .zstd ? CUNPACK_ZSTD : CUNPACK_BZIP2
    guard cunpack_is_available(library) != 0 else {
      let package = format == .zstd ? "libzstd1" : "libbz2-1.0"
      throw UnpackFault(
        "is packed by \(format.rawValue), whose library is not installed; install \(package) "
          + "(Debian's name), or unpack the file by hand", .configuration)
    }
    guard let decoder = cunpack_open(library) else { throw .noMemory }
    self.decoder = decoder
  }

  /// Returns a decoder of bare deflate streams by ISA-L, which is several times as fast as zlib;
  /// `nil` where it is not installed.
  ///
  /// - Parameter format: the format that messages name.
  static func deflate(_ format: PackedFormat) -> LibraryDecoder? {
    cunpack_open(CUNPACK_DEFLATE).map { LibraryDecoder(format, $0) }
  }

  private init(_ format: PackedFormat, _ decoder: OpaquePointer) {
    self.format = format
    self.decoder = decoder
  }

  deinit { cunpack_close(decoder) }

  func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(UnpackFault) -> DecodeStep {
    var consumed = input.count
    var produced = output.count
    let outcome = cunpack_step(
      decoder, input.baseAddress, &consumed, output.baseAddress, &produced)
    switch outcome {
    case CUNPACK_MORE, CUNPACK_END:
      return DecodeStep(
        consumed: consumed, produced: produced, isAtEnd: outcome == CUNPACK_END)
    case CUNPACK_NO_MEMORY: throw .noMemory
    default: throw .damaged(format)
    }
  }
}
