import CDeflate

/// A compressor of blocks or pages as zlib streams (RFC 1950). One per worker.
package final class TapDeflater {
  private let compressor: OpaquePointer?

  /// A compressor that stores bytes as they are.
  private let storer: OpaquePointer?

  /// The most bytes that are stored as they are: most blocks have some dozen bytes, which no level makes
  /// smaller, while each call prepares tables of 128 KiB (87,000 hotels, z0–16: of 42,000 blocks 40,000
  /// are below 256 bytes, 2.1 MB, and take 2.4 MB when compressed).
  private static let storedLimit = 512

  package init() {
    // Pages have some thousand bytes: 23.5 MB of the same hotels become 5.8 MB in 0.12 s at level 1, and
    // 5.5 MB in 0.23 s at level 6.
    compressor = libdeflate_alloc_compressor(1)
    storer = libdeflate_alloc_compressor(0)
  }

  deinit {
    for one in [compressor, storer].compactMap(\.self) { libdeflate_free_compressor(one) }
  }

  package func compress(_ bytes: [UInt8]) -> [UInt8] {
    let compressor = bytes.count <= Self.storedLimit ? storer : compressor
    let bound = libdeflate_zlib_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
      count = bytes.withUnsafeBytes { bytes in
        libdeflate_zlib_compress(
          compressor, bytes.baseAddress, bytes.count, room.baseAddress, bound)
      }
    }
  }
}

/// A decompressor of blocks, pages and the grids of any archive, which are not trusted.
package final class TapInflater {
  private let decompressor: OpaquePointer?
  private var room: [UInt8]
  private let limit: Int
  private let takesGzip: Bool

  /// Maximum bytes of a block or page.
  package static let byteLimit = TapEntryPage.inflatedLimit

  /// Creates a decompressor for UTFGrids: the limit is four times the size that we write, and other
  /// programs may write gzip streams.
  package static var forGrids: TapInflater { TapInflater(limit: 256 << 10, takesGzip: true) }

  /// - Parameters:
  ///   - limit: the maximum number of decompressed bytes.
  ///   - takesGzip: whether gzip streams are accepted in addition to zlib's.
  package init(limit: Int = byteLimit, takesGzip: Bool = false) {
    decompressor = libdeflate_alloc_decompressor()
    self.limit = limit
    self.takesGzip = takesGzip
    room = Array(repeating: 0, count: min(limit, 256 << 10))
  }

  deinit {
    if let decompressor { libdeflate_free_decompressor(decompressor) }
  }

  /// Returns the decompressed bytes of a stream.
  ///
  /// - Throws: if the stream is invalid, damaged or longer than the limit.
  package func inflate(_ stream: UnsafeRawBufferPointer) throws(TapFault) -> [UInt8] {
    guard let decompressor, let base = stream.baseAddress else { throw TapFault("is empty") }
    let isGzip = takesGzip && stream.count > 2 && stream[0] == 0x1F && stream[1] == 0x8B
    let decompress = isGzip ? libdeflate_gzip_decompress : libdeflate_zlib_decompress
    while true {
      var count = 0
      let result = room.withUnsafeMutableBytes { room in
        decompress(decompressor, base, stream.count, room.baseAddress, room.count, &count)
      }
      switch result {
      case LIBDEFLATE_SUCCESS: return Array(room[..<count])
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        guard room.count < limit else { throw TapFault("is too long when inflated") }
        room = Array(repeating: 0, count: min(room.count * 4, limit))
      default: throw TapFault("cannot be inflated")
      }
    }
  }
}
