import PNG
import Raster

/// Construction of images from rows, whatever the format of the file.
extension ImageDecoder {
  /// Returns an array filled row by row; there is no second buffer of its size.
  func rows<Element: FixedWidthInteger>(
    of type: Element.Type, count: Int, rows: Int, spare: Int = 0,
    _ read: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> [Element] {
    try [Element](unsafeUninitializedCapacity: count * rows + spare) { buffer, filled in
      for row in 0..<rows {
        let part = UnsafeMutableBufferPointer(rebasing: buffer[row * count..<(row + 1) * count])
        try read(UnsafeMutableRawBufferPointer(part))
      }
      for index in 0..<spare { buffer[rows * count + index] = 0 }
      filled = count * rows + spare
    }
  }

  /// Returns colours filled row by row.
  func colors(
    width: Int, height: Int, _ read: (UnsafeMutableBufferPointer<UInt32>) throws -> Void
  ) throws -> ContiguousArray<UInt32> {
    try ContiguousArray(unsafeUninitializedCapacity: width * height) { buffer, filled in
      for row in 0..<height {
        try read(UnsafeMutableBufferPointer(rebasing: buffer[row * width..<(row + 1) * width]))
      }
      filled = width * height
    }
  }

  /// Returns the premultiplied colour of a straight one; transparent if it is a `nodata` value.
  func premultiplied(_ bits: UInt32) -> UInt32 {
    for meaning in nodata where meaning.means(straightBits: bits) { return 0 }
    return PremultipliedColor(straightBits: bits).bits
  }

  /// Returns the samples that are `nodata` values.
  func nodataValues(transparent: Int?) -> [Int] {
    var values = nodata.compactMap { if case .value(let value) = $0 { value } else { nil } }
    if let transparent { values.append(transparent) }
    return values
  }

  /// Returns an image of gray samples of 1 … 8 bits: coloured by the ramp, otherwise by a palette
  /// of grays.
  func oneBand(
    _ samples: [UInt8], width: Int, height: Int, depth: Int, transparent: Int?
  ) -> OverlayImage {
    let blank = nodataValues(transparent: transparent)
    if let colorRamp {
      let meaning = OverlayImage.ValueMeaning(ramp: colorRamp, nodata: blank)
      return OverlayImage(width: width, height: height, texels: .values8(samples, meaning))
    }
    let top = UInt32(1) << UInt32(depth) - 1
    let palette = (0..<256).map { (index: UInt32) -> UInt32 in
      if blank.contains(Int(index)) { return 0 }
      let gray = min(index, top) * 255 / top
      return premultiplied(gray | gray << 8 | gray << 16 | 0xFF00_0000)
    }
    return OverlayImage(
      width: width, height: height, texels: .indexed(samples, palette: palette))
  }
}
