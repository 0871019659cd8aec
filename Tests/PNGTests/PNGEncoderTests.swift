import PNG
import Raster
import TestSupport
import Testing

@Suite("The PNG encoder")
struct PNGEncoderTests {
  static let sizes = [
    (1, 1), (2, 1), (1, 9), (3, 3), (7, 5), (8, 8), (9, 4), (17, 40), (31, 33), (64, 64), (600, 3),
  ]

  /// Encodes, checks the kind of file, and compares with what libpng reads.
  private func roundTrip(
    _ pixmap: Pixmap, _ encoder: PNGEncoder, _ type: PNGInfo.ColorType, _ depth: Int
  ) throws {
    let bytes = encoder.encode(pixmap)
    let info = try PNGInfo(bytes)
    #expect(info.colorType == type && info.bitDepth == depth)
    #expect(info.width == pixmap.width && info.height == pixmap.height)
    #expect(try PNGDecoder().decodeStraight(bytes) == straightPixels(pixmap))
    #expect(samePixels(try PNGDecoder().decode(bytes), pixmap))
  }

  @Test(
    "the PNG encoder stores up to 256 colours as the narrowest palette, lossless", arguments: sizes)
  func palettes(width: Int, height: Int) throws {
    var random = SplitMix64(seed: UInt64(width * 1000 + height))
    let encoder = PNGEncoder()
    for count in [1, 2, 3, 4, 5, 15, 16, 17, 100, 255, 256] where count <= width * height {
      var colors = Set<PremultipliedColor>()
      while colors.count < count { colors.insert(randomColor(&random, alpha: 1...254)) }
      let listed = colors.sorted { $0.bits < $1.bits }
      let longest = max(1, width * height / count)
      let pixmap = picture(
        width: width, height: height, of: listed, longestRun: longest, &random)
      let used = Set(pixmap.pixels).count
      let depth = used <= 2 ? 1 : used <= 4 ? 2 : used <= 16 ? 4 : 8
      try roundTrip(pixmap, encoder, .palette, depth)
    }
  }

  @Test(
    "the PNG encoder stores more colours as RGBA, or as RGB if all are opaque",
    arguments: [1, 5, 40])
  func colors(longestRun: Int) throws {
    var random = SplitMix64(seed: UInt64(longestRun))
    let encoder = PNGEncoder()
    for (width, height) in [(257, 80), (600, 40), (3, 6000)] {
      for alpha: ClosedRange<UInt32> in [0...255, 255...255, 254...255] {
        let colors = (0..<5000).map { _ in randomColor(&random, alpha: alpha) }
        let pixmap = picture(
          width: width, height: height, of: colors, longestRun: longestRun, &random)
        try #require(Set(pixmap.pixels).count > 256)
        try roundTrip(pixmap, encoder, alpha.lowerBound == 255 ? .rgb : .rgba, 8)
      }
    }
  }

  @Test("the PNG encoder filters a smooth picture, which is smaller than unfiltered")
  func smooth() throws {
    let pixmap = Pixmap(width: 200, height: 100)
    for y in 0..<100 {
      for x in 0..<200 {
        pixmap[x, y] = PremultipliedColor(
          bits: UInt32(x) | UInt32(y * 2) << 8 | UInt32(x / 2 + y) << 16 | 255 << 24)
      }
    }
    let bytes = PNGEncoder().encode(pixmap)
    #expect(bytes.count < 3000)
    try roundTrip(pixmap, PNGEncoder(), .rgb, 8)
  }

  @Test("the PNG encoder filters a smooth gray scale as well")
  func smoothGray() throws {
    let pixmap = Pixmap(width: 200, height: 100)
    for y in 0..<100 {
      for x in 0..<200 {
        let gray = UInt32((x * x + 3 * x * y + y * y * y / 20) / 400 & 255)
        pixmap[x, y] = PremultipliedColor(bits: gray * 0x01_0101 | 255 << 24)
      }
    }
    #expect(PNGEncoder().encode(pixmap).count < 3000)
    try roundTrip(pixmap, PNGEncoder(), .gray, 8)
  }

  @Test(
    "the PNG encoder stores grays as a gray scale of the bits they need",
    arguments: [
      ([0, 255], PNGInfo.ColorType.gray, 1), ([255], .gray, 1), ([0, 85, 170], .gray, 2),
      ([0, 17, 34, 255, 238], .gray, 4), ([0, 1], .palette, 1), ([9, 99, 200, 255], .palette, 2),
      (Array(0...16), .gray, 8), (Array(0...255), .gray, 8),
    ])
  func grays(values: [Int], type: PNGInfo.ColorType, depth: Int) throws {
    var random = SplitMix64(seed: 7)
    let colors = values.map { PremultipliedColor(bits: UInt32($0) * 0x01_0101 | 0xFF00_0000) }
    let pixmap = picture(width: 50, height: 50, of: colors, longestRun: 3, &random)
    try roundTrip(pixmap, PNGEncoder(), type, depth)
  }

  @Test("the PNG encoder orders palettes by alpha and ends tRNS with the last colour not opaque")
  func transparency() throws {
    let pixmap = Pixmap(width: 4, height: 1)
    let colors: [UInt32] = [0xFF00_00FF, 0x8000_0000, 0xFF00_FF00, 0]
    for (x, color) in colors.enumerated() { pixmap[x, 0] = PremultipliedColor(bits: color) }
    let bytes = PNGEncoder().encode(pixmap)
    // Signature, IHDR, then PLTE with its type at 37 and data at 41, then tRNS.
    #expect(bytes[41..<53] == [0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 255, 0])
    #expect(bytes[57..<67] == [0, 0, 0, 2, 116, 82, 78, 83, 0, 128])
    #expect(bytes[67..<71] == HandmadePNG.crc32([116, 82, 78, 83, 0, 128]).bytes[...])
  }

  @Test("the PNG encoder writes no tRNS chunk for an opaque palette")
  func opaque() {
    let pixmap = Pixmap(width: 4, height: 4)
    pixmap.clear(to: PremultipliedColor(bits: 0xFF12_3456))
    #expect(!PNGEncoder().encode(pixmap).contains([116, 82, 78, 83]))
  }

  @Test("the shared transparent tile has 116 bytes and equals an encoded blank picture")
  func transparentTile() throws {
    let tile = PNGEncoder.transparent(width: 256, height: 256)
    #expect(tile.count == 116)
    #expect(try PNGInfo(tile).bitDepth == 1)
    #expect(try PNGDecoder().decodeStraight(tile).allSatisfy { $0 == 0 })
    #expect(PNGEncoder().encode(Pixmap(width: 256, height: 256)) == tile)
  }

  @Test(
    "the PNG encoder gives the same bytes whatever it encoded before, and into a caller's buffer")
  func independence() {
    var random = SplitMix64(seed: 3)
    let encoder = PNGEncoder()
    for (width, height) in [(300, 30), (5, 5), (40, 40), (300, 30), (1, 1)] {
      let colors = (0..<400).map { _ in randomColor(&random) }
      let pixmap = picture(width: width, height: height, of: colors, longestRun: 2, &random)
      let bytes = encoder.encode(pixmap)
      #expect(bytes == PNGEncoder().encode(pixmap))
      let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: PNGEncoder.maximumEncodedSize(width: width, height: height), alignment: 1)
      defer { buffer.deallocate() }
      buffer.initializeMemory(as: UInt8.self, repeating: 0xAA)
      let count = encoder.encode(pixmap, into: buffer)
      #expect(bytes.elementsEqual(buffer[0..<count]))
    }
  }

  @Test(
    "the PNG encoder never exceeds its bound, even for noise at every level", arguments: [1, 6, 12])
  func bound(level: Int) {
    var random = SplitMix64(seed: 11)
    var options = PNGEncoder.Options()
    (options.paletteLevel, options.colorLevel) = (level, level)
    let pixmap = Pixmap(width: 40, height: 30)
    for index in 0..<1200 { pixmap.pixels[index] = randomColor(&random).bits }
    let bytes = PNGEncoder(options: options).encode(pixmap)
    #expect(bytes.count <= PNGEncoder.maximumEncodedSize(width: 40, height: 30))
  }
}

extension UInt32 {
  fileprivate var bytes: [UInt8] { HandmadePNG.bigEndian(self) }
}
