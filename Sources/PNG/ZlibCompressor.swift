import CDeflate

/// The owner of one libdeflate compressor, whose tables are created once and used for every
/// picture.
struct ZlibCompressor: ~Copyable {
  private let compressor: OpaquePointer

  /// - Parameter level: the compression level, 1 (fastest) … 12 (smallest); other numbers are
  ///   clamped.
  init(level: Int) {
    guard let made = libdeflate_alloc_compressor(Int32(min(max(level, 1), 12))) else {
      preconditionFailure("no memory for a compressor")
    }
    compressor = made
  }

  deinit {
    libdeflate_free_compressor(compressor)
  }

  /// Returns the maximum compressed size of `count` bytes, whatever the level.
  static func bound(_ count: Int) -> Int {
    libdeflate_zlib_compress_bound(nil, count)
  }

  /// Writes a zlib stream and returns its length; `output` must hold at least `bound(input.count)`
  /// bytes.
  func compress(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int
  {
    let count = libdeflate_zlib_compress(
      compressor, input.baseAddress, input.count, output.baseAddress, output.count)
    precondition(count > 0, "the output is shorter than the bound")
    return count
  }
}
