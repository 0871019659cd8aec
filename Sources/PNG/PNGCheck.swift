import CDeflate

/// A check that images can be decoded, which `verify` applies to every tile.
///
/// Palette images without interlace, the format of sparse tiles, take a fast path: inflate once and
/// check every index. Others are decoded through libpng. One per thread.
package final class PNGCheck {
  private let decompressor: OpaquePointer?
  private let decoder = PNGDecoder()
  private var compressed: [UInt8] = []
  private var rows: [UInt8] = []

  package init() {
    decompressor = libdeflate_alloc_decompressor()
  }

  deinit {
    libdeflate_free_decompressor(decompressor)
  }

  /// Returns the fault of an image, as the end of a sentence, or `nil`.
  ///
  /// - Complexity: O(pixels).
  package func fault(in bytes: UnsafeRawBufferPointer) -> String? {
    do {
      let span = bytes.assumingMemoryBound(to: UInt8.self).span
      let info = try PNGInfo(span)
      if info.colorType == .palette, info.bitDepth == 8, !info.isInterlaced,
        info.width <= 4096, info.height <= 4096
      {
        return try paletteFault(in: span, width: info.width, height: info.height)
      }
      try decoder.forEachRow(of: bytes) { _, _ in }
      return nil
    } catch {
      return "cannot be decoded: \(error)"
    }
  }

  private func paletteFault(in bytes: Span<UInt8>, width: Int, height: Int) throws -> String? {
    var colors = 0
    compressed.removeAll(keepingCapacity: true)
    var offset = 8
    while offset + 12 <= bytes.count {
      let length = Int(bytes.bigEndianWord(at: offset))
      guard length <= bytes.count - offset - 12 else { return "ends inside a chunk" }
      let type = bytes.bigEndianWord(at: offset + 4)
      let body = bytes.extracting((offset + 4)..<(offset + 8 + length))
      let checksum = body.withUnsafeBytes {
        UInt32(truncatingIfNeeded: libdeflate_crc32(0, $0.baseAddress, $0.count))
      }
      guard checksum == bytes.bigEndianWord(at: offset + 8 + length) else {
        return "has a chunk whose checksum is wrong"
      }
      if type == 0x504C_5445 { colors = length / 3 }
      if type == 0x4944_4154 {
        body.withUnsafeBytes { compressed.append(contentsOf: $0.dropFirst(4)) }
      }
      offset += 12 + length
    }
    let size = (width + 1) * height
    if rows.count < size { rows = [UInt8](repeating: 0, count: size) }
    var written = 0
    let result = compressed.withUnsafeBytes { source in
      rows.withUnsafeMutableBytes { target in
        libdeflate_zlib_decompress(
          decompressor, source.baseAddress, source.count, target.baseAddress, size, &written)
      }
    }
    guard result == LIBDEFLATE_SUCCESS, written == size else {
      return "has pixel data that cannot be decompressed to \(width) × \(height)"
    }
    return rows.withUnsafeBufferPointer {
      Self.rowFault($0.span, width: width, height: height, colors: colors)
    }
  }

  /// Returns the fault of rows; unfiltered ones are checked as they are, for others libpng undoes
  /// the filters.
  private static func rowFault(
    _ rows: Span<UInt8>, width: Int, height: Int, colors: Int
  ) -> String? {
    for y in 0..<height {
      let row = y * (width + 1)
      guard rows[row] <= 4 else { return "has the filter \(rows[row]), which does not exist" }
      guard rows[row] == 0 else { continue }
      var largest: UInt8 = 0
      for x in 1...width { largest = max(largest, rows[row + x]) }
      guard Int(largest) < colors else {
        return "names the colour \(largest) of a palette of \(colors)"
      }
    }
    return nil
  }
}
