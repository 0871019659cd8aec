import CDeflate

/// Owner of one libdeflate compressor, whose tables are made once and used for every picture.
struct ZlibCompressor: ~Copyable {
  private let compressor: OpaquePointer

  /// - Parameter level: 1 (fastest) … 12 (smallest); other numbers are clamped.
  init(level: Int) {
    guard let made = libdeflate_alloc_compressor(Int32(min(max(level, 1), 12))) else {
      preconditionFailure("no memory for a compressor")
    }
    compressor = made
  }

  deinit {
    libdeflate_free_compressor(compressor)
  }

  /// Bytes that `count` bytes never exceed when compressed, whatever the level.
  static func bound(_ count: Int) -> Int {
    libdeflate_zlib_compress_bound(nil, count)
  }

  /// Writes a zlib stream and returns its length; `output` holds at least `bound(input.count)`.
  func compress(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int
  {
    let count = libdeflate_zlib_compress(
      compressor, input.baseAddress, input.count, output.baseAddress, output.count)
    precondition(count > 0, "the output is shorter than the bound")
    return count
  }
}
