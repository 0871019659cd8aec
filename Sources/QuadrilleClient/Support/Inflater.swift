import CZlib
import TapReading

/// The inflation of zlib and gzip streams (RFC 1950, 1952) that are not trusted.
enum Inflater {
  /// Maximum bytes of a block or page of compact taps.
  static let tapLimit = TapEntryPage.inflatedLimit

  /// Maximum bytes of a grid.
  static let gridLimit = 1 << 20

  /// Returns the bytes of a stream; `nil` if it is damaged, cut off or longer than the limit.
  ///
  /// - Complexity: O(bytes).
  static func inflate(_ stream: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    guard let base = stream.baseAddress else { return nil }
    var state = z_stream()
    // 32 makes zlib tell the two headers apart.
    guard
      inflateInit2_(
        &state, MAX_WBITS + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&state) }
    state.next_in = UnsafeMutablePointer(
      mutating: base.assumingMemoryBound(to: UInt8.self))
    state.avail_in = UInt32(clamping: stream.count)
    var bytes: [UInt8] = []
    var room = min(max(4 * stream.count, 1024), limit)
    while true {
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: room - start))
      let status = bytes.withUnsafeMutableBufferPointer { buffer in
        state.next_out = buffer.baseAddress.map { $0 + start }
        state.avail_out = UInt32(clamping: room - start)
        return CZlib.inflate(&state, Z_NO_FLUSH)
      }
      bytes.removeLast(Int(state.avail_out))
      if status == Z_STREAM_END { return bytes }
      // Nothing was written although there was room: the stream is cut off.
      guard status == Z_OK, state.avail_out == 0, room < limit else { return nil }
      room = min(room * 4, limit)
    }
  }
}

/// The compression of pages as zlib streams.
enum Deflater {
  static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    let stream = [UInt8](unsafeUninitializedCapacity: Int(count)) { room, written in
      let status = compress(room.baseAddress, &count, bytes, UInt(bytes.count))
      written = status == Z_OK ? Int(count) : 0
    }
    return stream
  }
}
