/// The limits beyond which a PNG is refused: a file of a few kilobytes can describe gigabytes.
package struct PNGLimits: Hashable, Sendable {
  /// Maximum width in pixels.
  package var maxWidth = 16384

  /// Maximum height in pixels.
  package var maxHeight = 16384

  /// Maximum number of pixels; each becomes 4 bytes.
  package var maxPixels = 128 << 20

  /// Maximum bytes of memory for any one chunk other than image data.
  package var maxChunkBytes = 8 << 20

  /// Maximum number of ancillary chunks, such as text.
  package var maxChunks = 1000

  package init() {}

  /// - Throws: ``PNGError`` if the header exceeds a limit, or promises more pixels than `fileSize`
  ///   bytes can hold.
  func check(_ info: PNGInfo, fileSize: Int) throws {
    let (width, height) = (info.width, info.height)
    guard width <= maxWidth, height <= maxHeight else {
      throw PNGError(
        .tooLarge,
        """
        the PNG is \(width) × \(height) pixels, more than the limit of \(maxWidth) × \(maxHeight); \
        cut or shrink it.
        """)
    }
    // Both sides are below 2^31, so the product cannot overflow.
    guard width * height <= maxPixels else {
      throw PNGError(
        .tooLarge,
        """
        the PNG has \(width * height) pixels, more than the limit of \(maxPixels); cut or shrink it.
        """)
    }
    // A deflate token of 2 bits yields at most 258 bytes, so a stream expands at most 1032 times.
    let most = fileSize.multipliedReportingOverflow(by: 1032)
    guard let needed = info.rawByteCount, most.overflow || needed <= most.partialValue else {
      throw PNGError(
        .truncated,
        "\(fileSize) bytes cannot hold a PNG of \(width) × \(height) pixels; copy the file again.")
    }
  }
}
