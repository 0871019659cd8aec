/// The limits beyond which an image is refused; a small file can describe gigabytes.
package struct ImageLimits: Hashable, Sendable {
  /// Maximum width and height in pixels.
  package var maxSide = 65536

  /// Maximum number of pixels; 21,600 × 10,800 are 233 million.
  package var maxPixels = 400_000_000

  /// Maximum size of the file in bytes.
  package var maxFileBytes = 1 << 30

  /// Maximum bytes of the decoded pixels, including the second copy that an interlaced PNG needs.
  package var maxDecodedBytes = 1 << 30

  /// Maximum bytes of the coefficients that a progressive JPEG holds while it is read.
  package var maxScratchBytes = 512 << 20

  /// Maximum number of scans of a progressive JPEG; each costs a pass over the picture.
  package var maxScans = 500

  package init() {}

  /// - Throws: ``OverlayError`` if a picture of this size exceeds a limit.
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
