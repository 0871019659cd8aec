/// A decoder of PNG, JPEG and WebP, recognized by their first bytes, into an ``OverlayImage``, row by row
/// and within limits that are checked before anything large is allocated.
package struct ImageDecoder: Sendable {
  package var limits = ImageLimits()

  /// The colours or values that become transparent.
  package var nodata: [NoData] = []

  package var noDataCheck = NoDataCheck.exact

  /// The orientation in which the stored rows are shown.
  package var orientation = ImageOrientation.upright

  /// The colours of a one-band image; `nil` keeps gray as gray and a palette as it is.
  package var colorRamp: ColorRamp?

  package init(
    limits: ImageLimits = ImageLimits(), nodata: [NoData] = [], colorRamp: ColorRamp? = nil
  ) {
    self.limits = limits
    self.nodata = nodata
    self.colorRamp = colorRamp
  }

  /// Decodes a whole file.
  ///
  /// - Throws: ``OverlayError`` with one sentence; never returns a partial picture.
  /// - Complexity: O(pixels); memory for the result, and a second copy of an interlaced PNG.
  package func decode(_ bytes: UnsafeRawBufferPointer) throws -> OverlayImage {
    guard bytes.count <= limits.maxFileBytes else {
      throw OverlayError(
        .tooLarge,
        """
        the image file has \(bytes.count) bytes, more than the limit of \(limits.maxFileBytes); \
        cut or shrink it.
        """)
    }
    guard orientation != .upright else { return try stored(bytes) }
    var decoder = self
    // Turning the picture needs a second copy of it.
    decoder.limits.maxDecodedBytes /= 2
    return try decoder.stored(bytes).shown(orientation)
  }

  /// Decodes the rows as they are stored.
  private func stored(_ bytes: UnsafeRawBufferPointer) throws -> OverlayImage {
    switch ImageFormat(bytes) {
    case .png: return try decodePNG(bytes)
    case .jpeg: return try decodeJPEG(bytes)
    case .webp: return try decodeWebP(bytes)
    case nil:
      throw OverlayError(
        .unknownFormat, "\(ImageFormat.guess(bytes)); images must be PNG, JPEG or WebP.")
    }
  }

  /// Decodes a whole file; see ``decode(_:)-(UnsafeRawBufferPointer)``.
  package func decode(_ bytes: [UInt8]) throws -> OverlayImage {
    try bytes.withUnsafeBytes { try decode($0) }
  }

  private func decodeJPEG(_ bytes: UnsafeRawBufferPointer) throws -> OverlayImage {
    var reader = try JPEGRowReader(bytes, limits: limits)
    let (width, height) = (reader.width, reader.height)
    if reader.channels == 1 {
      try limits.check(format: "JPEG", width: width, height: height, bytesPerPixel: 1)
      try refuseNoData(above: 255, orElse: 65535, "samples of this gray JPEG")
      let samples = try rows(of: UInt8.self, count: width, rows: height) {
        try reader.readRow(into: $0)
      }
      return oneBand(samples, width: width, height: height, depth: 8, transparent: nil)
    }
    try refuseRamp("a colour JPEG")
    try refuseSamples("a colour JPEG")
    let keepsAlpha = nodata.contains { if case .color = $0 { true } else { false } }
    try limits.check(
      format: "JPEG", width: width, height: height, bytesPerPixel: keepsAlpha ? 4 : 3)
    guard keepsAlpha else {
      let colors = try rows(of: UInt8.self, count: width * 3, rows: height, spare: 1) {
        try reader.readRow(into: $0)
      }
      return OverlayImage(width: width, height: height, texels: .rgb(colors))
    }
    var line = [UInt8](repeating: 0, count: width * 3)
    let pixels = try colors(width: width, height: height) { row in
      try line.withUnsafeMutableBytes { try reader.readRow(into: $0) }
      for x in 0..<width {
        let bits =
          UInt32(line[3 * x]) | UInt32(line[3 * x + 1]) << 8 | UInt32(line[3 * x + 2]) << 16
        row[x] = premultiplied(bits | 0xFF00_0000)
      }
    }
    return OverlayImage(width: width, height: height, texels: .rgba(pixels))
  }
}
