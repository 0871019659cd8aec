import CDeflate
import Raster
import TestSupport
import Testing

@testable import PNG

@Suite("The PNG encoder of images")
struct ImageEncodingTests {
  /// Sums of waves and grain: what photographs and interpolated images are like.
  private func photograph(
    _ width: Int, _ height: Int, alpha: ClosedRange<UInt8>, grain: UInt64, seed: UInt64
  ) -> Pixmap {
    var random = SplitMix64(seed: seed)
    let picture = Pixmap(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        func channel(_ phase: Int) -> UInt32 {
          let wave = (x * (phase + 2) + y * y / (phase + 5)) % 400
          let noise = grain > 0 ? Int(random.next() % grain) : 0
          return UInt32(min(abs(wave - 200) + noise, 255))
        }
        let opacity = UInt32(alpha.lowerBound) + channel(7) * UInt32(alpha.count - 1) / 255
        let straight = channel(0) | channel(1) << 8 | channel(2) << 16 | opacity << 24
        picture[x, y] = PremultipliedColor(straightBits: straight)
      }
    }
    return picture
  }

  @Test(
    "the image encoder keeps every pixel of smooth, grainy and noisy pictures",
    arguments: [0, 9, 256], [UInt8(0)...255, 255...255, 3...3])
  func exact(grain: UInt64, alpha: ClosedRange<UInt8>) throws {
    let encoder = PNGEncoder()
    for (width, height) in [(256, 256), (1, 700), (700, 1), (3, 300), (257, 13)] {
      let picture = photograph(width, height, alpha: alpha, grain: grain, seed: grain)
      let bytes = encoder.encodeImage(picture)
      #expect(samePixels(try PNGDecoder().decode(bytes), picture))
      #expect(bytes == PNGEncoder().encodeImage(picture))
    }
  }

  @Test(
    "the image encoder makes a photograph about as small as the encoder that tries alternatives")
  func small() {
    let picture = photograph(256, 256, alpha: 255...255, grain: 9, seed: 4)
    let count = PNGEncoder().encodeImage(picture).count
    #expect(count < PNGEncoder().encode(picture).count * 21 / 20)
    #expect(count < 256 * 256 * 3 * 6 / 10)
  }

  @Test("the image encoder keeps the palette of a picture with few colours")
  func palette() {
    var random = SplitMix64(seed: 5)
    let colors = (0..<200).map { _ in randomColor(&random, alpha: 0...255) }
    let drawn = picture(width: 64, height: 64, of: colors, longestRun: 9, &random)
    #expect(PNGEncoder().encodeImage(drawn) == PNGEncoder().encode(drawn))
  }

  @Test("the image encoder divides by alpha exactly, for every channel and alpha")
  func straight() {
    var premultiplied: [UInt32] = []
    for alpha in UInt32(0)...255 {
      for channel in 0...alpha {
        premultiplied.append(channel | channel << 8 | channel << 16 | alpha << 24)
      }
    }
    var bytes = [UInt8](repeating: 0, count: premultiplied.count * 4)
    bytes.withUnsafeMutableBufferPointer { bytes in
      if let start = bytes.baseAddress {
        RowPacker.packRGBA(premultiplied, count: premultiplied.count, into: start)
      }
    }
    let expected = premultiplied.map { PremultipliedColor(bits: $0).straightBits }
    let packed = expected.indices.map { index in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[4 * index + $1]) << UInt32(8 * $1) }
    }
    #expect(packed == expected)
  }

  @Test(
    "the run compressor writes runs of every length, alone and after others", arguments: [0, 1, 7])
  func runs(literals: Int) throws {
    let compressor = RunCompressor()
    for length in [0, 1, 2, 3, 4, 5, 257, 258, 259, 260, 261, 262, 263, 516, 517, 520, 1000] {
      var bytes = (0..<literals).map { UInt8($0 + 1) }
      bytes += [UInt8](repeating: 9, count: length) + [4, 4, 4, 4, 4]
      var output = [UInt8](repeating: 0, count: 2000)
      let count = try #require(
        bytes.withUnsafeBytes { input in
          output.withUnsafeMutableBytes { compressor.compress(input, into: $0) }
        })
      #expect(inflated(output, count: count, to: bytes.count) == bytes)
    }
  }

  /// What libdeflate reads from the first bytes of a zlib stream; `nil` where it is damaged.
  private func inflated(_ stream: [UInt8], count: Int, to size: Int) -> [UInt8]? {
    guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(decompressor) }
    var bytes = [UInt8](repeating: 0, count: size)
    let result = libdeflate_zlib_decompress(decompressor, stream, count, &bytes, size, nil)
    return result == LIBDEFLATE_SUCCESS ? bytes : nil
  }

  @Test("the run compressor gives up where its output might not fit")
  func full() {
    var random = SplitMix64(seed: 6)
    let noise = (0..<4000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    var output = [UInt8](repeating: 0, count: 4000)
    let count = noise.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { RunCompressor().compress(input, into: $0) }
    }
    #expect(count == nil)
  }
}
