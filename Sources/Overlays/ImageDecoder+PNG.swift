import PNG

extension ImageDecoder {
  func decodePNG(_ bytes: UnsafeRawBufferPointer) throws -> OverlayImage {
    do {
      let info = try PNGInfo(bytes.assumingMemoryBound(to: UInt8.self).span)
      switch (info.colorType, info.bitDepth) {
      case (.palette, _): return try decodePalette(bytes, info)
      case (.gray, 16): return try decodeDeepGray(bytes, info)
      case (.gray, _): return try decodeGray(bytes, info)
      default: return try decodeColors(bytes, info)
      }
    } catch let error as PNGError {
      throw OverlayError(error)
    }
  }

  /// Returns limits for the PNG reader that are no stricter than ours, which are checked first.
  private func check(_ info: PNGInfo, bytesPerPixel: Int) throws -> PNGLimits {
    try limits.check(
      format: "PNG", width: info.width, height: info.height,
      bytesPerPixel: info.isInterlaced ? bytesPerPixel * 2 : bytesPerPixel)
    var png = PNGLimits()
    png.maxWidth = limits.maxSide
    png.maxHeight = limits.maxSide
    png.maxPixels = limits.maxPixels
    return png
  }

  private func decodePalette(
    _ bytes: UnsafeRawBufferPointer, _ info: PNGInfo
  ) throws -> OverlayImage {
    let limits = try check(info, bytesPerPixel: 1)
    var reader = try PNGRowReader(bytes, limits: limits, format: .samples)
    guard let colors = reader.palette else {
      throw PNGError(.corrupt, "the PNG has indexes but no palette; export it again.")
    }
    try refuseNoData(
      above: max(reader.paletteCount, 1) - 1, orElse: 255, "indexes of this PNG's palette")
    let indexes = try rows(of: UInt8.self, count: info.width, rows: info.height) {
      try reader.readSamples(into: $0)
    }
    let blank = nodataValues(transparent: nil)
    if let colorRamp {
      let meaning = OverlayImage.ValueMeaning(ramp: colorRamp, nodata: blank)
      return OverlayImage(
        width: info.width, height: info.height, texels: .values8(indexes, meaning))
    }
    let palette = colors.enumerated().map { index, color in
      blank.contains(index) ? 0 : premultiplied(color)
    }
    return OverlayImage(
      width: info.width, height: info.height, texels: .indexed(indexes, palette: palette))
  }

  private func decodeGray(_ bytes: UnsafeRawBufferPointer, _ info: PNGInfo) throws -> OverlayImage {
    let limits = try check(info, bytesPerPixel: 1)
    // If a sample has more bits than the picture, the lowest ones count (PNG, 11.3.2.1).
    let mask = (1 << info.bitDepth) - 1
    try refuseNoData(above: mask, orElse: 65535, "samples of this \(info.bitDepth)-bit gray PNG")
    var reader = try PNGRowReader(bytes, limits: limits, format: .samples)
    let samples = try rows(of: UInt8.self, count: info.width, rows: info.height) {
      try reader.readSamples(into: $0)
    }
    return oneBand(
      samples, width: info.width, height: info.height, depth: info.bitDepth,
      transparent: reader.transparentSample.map { $0 & mask })
  }

  /// Decodes 16-bit gray as values for a ramp. Without a ramp it becomes 8 bits of gray, or
  /// colours if a 16-bit gray is transparent.
  private func decodeDeepGray(
    _ bytes: UnsafeRawBufferPointer, _ info: PNGInfo
  ) throws -> OverlayImage {
    let limits = try check(info, bytesPerPixel: 2)
    try refuseNoData(above: 65535, orElse: 65535, "samples of this 16-bit gray PNG")
    var reader = try PNGRowReader(bytes, limits: limits, format: .samples)
    let blank = nodataValues(transparent: reader.transparentSample)
    let (width, height) = (info.width, info.height)
    if let colorRamp {
      let values = try rows(of: UInt16.self, count: width, rows: height) {
        try reader.readSamples(into: $0)
      }
      let meaning = OverlayImage.ValueMeaning(ramp: colorRamp, nodata: blank)
      return OverlayImage(width: width, height: height, texels: .values16(values, meaning))
    }
    var line = [UInt16](repeating: 0, count: width)
    if blank.isEmpty {
      let samples = try rows(of: UInt8.self, count: width, rows: height) { row in
        try line.withUnsafeMutableBytes { try reader.readSamples(into: $0) }
        for x in 0..<width { row[x] = UInt8(truncatingIfNeeded: Self.eightBits(line[x])) }
      }
      return oneBand(samples, width: width, height: height, depth: 8, transparent: nil)
    }
    _ = try check(info, bytesPerPixel: 4)
    let pixels = try colors(width: width, height: height) { row in
      try line.withUnsafeMutableBytes { try reader.readSamples(into: $0) }
      for x in 0..<width {
        let gray = Self.eightBits(line[x])
        row[x] =
          blank.contains(Int(line[x]))
          ? 0 : premultiplied(gray | gray << 8 | gray << 16 | 0xFF00_0000)
      }
    }
    return OverlayImage(width: width, height: height, texels: .rgba(pixels))
  }

  /// Returns a 16-bit sample as 8 bits, rounded to nearest; ties do not occur since 257 is odd.
  private static func eightBits(_ sample: UInt16) -> UInt32 { (UInt32(sample) + 128) / 257 }

  private func decodeColors(
    _ bytes: UnsafeRawBufferPointer, _ info: PNGInfo
  ) throws -> OverlayImage {
    let kind = info.colorType == .grayAlpha ? "a gray PNG with alpha" : "a colour PNG"
    try refuseRamp(kind)
    try refuseSamples(kind)
    // Without an alpha channel the rows may still become 3 bytes per pixel.
    let hasChannel = info.colorType == .rgba || info.colorType == .grayAlpha
    let limits = try check(info, bytesPerPixel: hasChannel || info.isInterlaced ? 4 : 3)
    var reader = try PNGRowReader(bytes, limits: limits)
    let (width, height) = (info.width, info.height)
    let colorKeys = nodata.contains { if case .color = $0 { true } else { false } }
    guard !reader.hasAlpha, !colorKeys else {
      _ = try check(info, bytesPerPixel: 4)
      let pixels = try colors(width: width, height: height) { row in
        try reader.readRow(into: row)
        for x in 0..<width { row[x] = premultiplied(row[x]) }
      }
      return OverlayImage(width: width, height: height, texels: .rgba(pixels))
    }
    let line = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: width)
    line.initialize(repeating: 0)
    defer { line.deallocate() }
    let packed = try rows(of: UInt8.self, count: width * 3, rows: height, spare: 1) { row in
      try reader.readRow(into: line)
      for x in 0..<width {
        row[3 &* x] = UInt8(truncatingIfNeeded: line[x])
        row[3 &* x &+ 1] = UInt8(truncatingIfNeeded: line[x] >> 8)
        row[3 &* x &+ 2] = UInt8(truncatingIfNeeded: line[x] >> 16)
      }
    }
    return OverlayImage(width: width, height: height, texels: .rgb(packed))
  }
}

extension OverlayError {
  /// Creates the error for one of the PNG reader, with the codes of this module.
  init(_ error: PNGError) {
    let code: Code =
      switch error.code {
      case .notPNG: .unknownFormat
      case .badHeader, .corrupt: .corrupt
      case .tooLarge: .tooLarge
      case .truncated: .truncated
      case .noMemory: .noMemory
      }
    self.init(code, error.message)
  }
}
