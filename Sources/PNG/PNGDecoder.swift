package import Raster

/// A decoder of PNG files of every colour type, depth and interlace through libpng, within limits.
///
/// 16-bit samples are correctly rounded to 8 bits; colour profiles and gamma are not applied, as in
/// browsers and map clients for tiles. Damaged and truncated files are refused, never guessed.
package struct PNGDecoder: Sendable {
  package var limits: PNGLimits

  package init(limits: PNGLimits = PNGLimits()) {
    self.limits = limits
  }

  /// Calls `body` with each row, from the top, as straight RGBA with red in the lowest byte.
  ///
  /// The row's memory is reused for the next one. An interlaced picture is decoded as a whole
  /// first.
  ///
  /// - Throws: ``PNGError``, or the error of `body`. Rows before a fault have already been passed
  ///   on.
  /// - Complexity: O(pixels); memory for one row.
  package func forEachRow(
    of bytes: UnsafeRawBufferPointer,
    _ body: (_ y: Int, _ row: UnsafeBufferPointer<UInt32>) throws -> Void
  ) throws {
    var reader = try PNGRowReader(bytes, limits: limits)
    let row = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: reader.info.width)
    row.initialize(repeating: 0)
    defer { row.deallocate() }
    for y in 0..<reader.info.height {
      try reader.readRow(into: row)
      try body(y, UnsafeBufferPointer(row))
    }
  }

  /// Decodes a whole picture to premultiplied pixels.
  package func decode(_ bytes: UnsafeRawBufferPointer) throws -> Pixmap {
    var reader = try PNGRowReader(bytes, limits: limits)
    let (width, height) = (reader.info.width, reader.info.height)
    let pixmap = Pixmap(width: width, height: height)
    for y in 0..<height {
      let row = UnsafeMutableBufferPointer(rebasing: pixmap.pixels[y * width..<(y + 1) * width])
      try reader.readRow(into: row)
      for x in 0..<width { row[x] = PremultipliedColor(straightBits: row[x]).bits }
    }
    return pixmap
  }

  /// Decodes a whole picture to premultiplied pixels.
  package func decode(_ bytes: [UInt8]) throws -> Pixmap {
    try bytes.withUnsafeBytes { try decode($0) }
  }

  /// Decodes a whole picture to straight RGBA, red in the lowest byte, top row first.
  package func decodeStraight(_ bytes: [UInt8]) throws -> ContiguousArray<UInt32> {
    try bytes.withUnsafeBytes { bytes in
      var pixels = ContiguousArray<UInt32>()
      try forEachRow(of: bytes) { _, row in pixels.append(contentsOf: row) }
      return pixels
    }
  }
}
