/// How much an image may ask for before it is refused; a small file can describe gigabytes.
package struct ImageLimits: Hashable, Sendable {
  /// Pixels from left to right, and from top to bottom.
  package var maxSide = 65536

  /// Pixels in all; 21,600 × 10,800 are 233 million.
  package var maxPixels = 400_000_000

  /// Bytes of the file.
  package var maxFileBytes = 1 << 30

  /// Bytes of the decoded pixels, and of the second copy that an interlaced PNG needs.
  package var maxDecodedBytes = 1 << 30

  /// Bytes of the coefficients that a progressive JPEG holds while it is read.
  package var maxScratchBytes = 512 << 20

  /// Scans of a progressive JPEG; each costs a pass over the picture.
  package var maxScans = 500

  package init() {}

  /// - Throws: ``OverlayError`` where a picture of this size goes beyond a limit.
  func check(format: String, width: Int, height: Int, bytesPerPixel: Int) throws {
    guard width <= maxSide, height <= maxSide else {
      throw OverlayError(
        .tooLarge,
        """
        the \(format) is \(width) × \(height) pixels, more than the limit of \(maxSide) a side; \
        cut or shrink it.
        """)
    }
    // Both sides are below 2^31 and bytesPerPixel is at most 8, so no product overflows.
    guard width * height <= maxPixels else {
      throw OverlayError(
        .tooLarge,
        """
        the \(format) has \(width * height) pixels, more than the limit of \(maxPixels); cut or \
        shrink it.
        """)
    }
    guard width * height <= maxDecodedBytes / bytesPerPixel else {
      throw OverlayError(
        .tooLarge,
        """
        the \(format) of \(width) × \(height) pixels needs \(bytesPerPixel) bytes a pixel, more \
        than the limit of \(maxDecodedBytes) bytes; cut or shrink it.
        """)
    }
  }
}
