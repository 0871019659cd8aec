import CDeflate

/// Inflates grids of any archive; nothing that is read is trusted.
package final class GridInflater {
  private let decompressor: OpaquePointer?
  private var room: [UInt8]

  /// Bytes that a grid may have: four times what we write, for those of other programs.
  package static let byteLimit = 256 << 10

  package init() {
    decompressor = libdeflate_alloc_decompressor()
    room = Array(repeating: 0, count: Self.byteLimit)
  }

  deinit {
    if let decompressor { libdeflate_free_decompressor(decompressor) }
  }

  /// The text of a grid, a zlib or gzip stream; `nil` where it is neither, damaged or too long.
  package func text(of bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let decompressor, let base = bytes.baseAddress else { return nil }
    let isGzip = bytes.count > 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
    var count = 0
    let result = room.withUnsafeMutableBytes { room in
      isGzip
        ? libdeflate_gzip_decompress(
          decompressor, base, bytes.count, room.baseAddress, room.count, &count)
        : libdeflate_zlib_decompress(
          decompressor, base, bytes.count, room.baseAddress, room.count, &count)
    }
    return result == LIBDEFLATE_SUCCESS ? Array(room[..<count]) : nil
  }
}
