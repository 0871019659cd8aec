/// The layout in which the encoder stores the pixels of one picture.
struct PNGLayout: Hashable {
  var colorType: PNGInfo.ColorType

  /// The number of bits per sample, or per palette index.
  var bitDepth: Int

  static let rgb = PNGLayout(colorType: .rgb, bitDepth: 8)
  static let rgba = PNGLayout(colorType: .rgba, bitDepth: 8)

  /// The number of bits of one pixel.
  var bitsPerPixel: Int { bitDepth * colorType.samplesPerPixel }

  /// The number of bytes from a sample to the same sample of the pixel to its left, at least 1.
  var filterDistance: Int { max(bitsPerPixel / 8, 1) }

  /// Returns the number of bytes of a row of `width` pixels without its filter byte.
  func rowBytes(width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }

  /// Creates the smallest lossless layout for these straight colours, at most 256.
  ///
  /// Gray saves the palette chunk if the grays fit a scale with no more bits than indices.
  init(colors: UnsafeBufferPointer<UInt32>) {
    let indexBits = colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8
    self.init(colorType: .palette, bitDepth: indexBits)
    let isGray = colors.allSatisfy { color in
      color >> 24 == 255 && color & 0xFF == color >> 8 & 0xFF && color & 0xFF == color >> 16 & 0xFF
    }
    guard isGray else { return }
    for depth in [1, 2, 4, 8] where depth <= indexBits {
      let step = UInt32(255 / ((1 << depth) - 1))
      if colors.allSatisfy({ ($0 & 0xFF) % step == 0 }) {
        self.init(colorType: .gray, bitDepth: depth)
        return
      }
    }
  }

  init(colorType: PNGInfo.ColorType, bitDepth: Int) {
    self.colorType = colorType
    self.bitDepth = bitDepth
  }
}
