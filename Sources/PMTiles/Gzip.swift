import CDeflate

/// Gzip through libdeflate: without time and name in the header, so that equal input gives equal
/// output.
package enum Gzip {
  /// Compresses bytes.
  ///
  /// - Returns: `nil` only if memory runs out.
  package static func compress(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let compressor = libdeflate_alloc_compressor(9) else { return nil }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_gzip_compress_bound(compressor, bytes.count)
    let result = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      count = libdeflate_gzip_compress(
        compressor, bytes.baseAddress, bytes.count, buffer.baseAddress, buffer.count)
    }
    return result.isEmpty ? nil : result
  }

  /// The frame around deflated bytes.
  package enum Wrapper {
    case gzip
    /// RFC 1950, with the window of 32 KiB that is in general use.
    case zlib

    /// Recognizes the frame by its first bytes; `nil` for other bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count > 2 else { return nil }
      switch (bytes[0], bytes[1]) {
      case (0x1F, 0x8B): self = .gzip
      case (0x78, let flags) where (0x7800 | Int(flags)) % 31 == 0: self = .zlib
      default: return nil
      }
    }
  }

  /// Decompresses a single gzip member, or a zlib stream, that must make up all of the bytes.
  ///
  /// - Parameter limit: the maximum number of decompressed bytes.
  /// - Returns: `nil` if the bytes are damaged, continue after the member, or exceed the limit.
  package static func decompress(
    _ bytes: UnsafeRawBufferPointer, _ wrapper: Wrapper = .gzip, limit: Int
  ) -> [UInt8]? {
    guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(decompressor) }
    var capacity = min(max(bytes.count * 4, 1 << 12), limit)
    while true {
      var status = LIBDEFLATE_BAD_DATA
      var used = 0
      let result = [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { buffer, count in
        let decompress =
          wrapper == .gzip ? libdeflate_gzip_decompress_ex : libdeflate_zlib_decompress_ex
        status = decompress(
          decompressor, bytes.baseAddress, bytes.count, buffer.baseAddress, capacity, &used, &count)
        if status != LIBDEFLATE_SUCCESS { count = 0 }
      }
      if status == LIBDEFLATE_SUCCESS { return used == bytes.count ? result : nil }
      guard status == LIBDEFLATE_INSUFFICIENT_SPACE, capacity < limit else { return nil }
      capacity = min(capacity * 4, limit)
    }
  }
}
