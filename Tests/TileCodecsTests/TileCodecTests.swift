import MBTiles
import Pictures
import PNG
import Raster
import TestSupport
import Testing
import TileCodecs

@Suite("The formats of tiles")
struct TileCodecTests {
  private static let background = PremultipliedColor(bits: 0xFF20_90F0)

  /// Smooth colours with transparent and half-transparent parts.
  private func picture(_ side: Int, seed: UInt64, isOpaque: Bool = false) -> Pixmap {
    var random = SplitMix64(seed: seed)
    let picture = Pixmap(width: side, height: side)
    let phase = random.below(100)
    for y in 0..<side {
      for x in 0..<side {
        let alpha = isOpaque || x > side / 2 ? 255 : y > side / 2 ? 0 : x % 256
        let straight =
          UInt32((x + phase) / 3 & 255) | UInt32(y / 2 & 255) << 8 | UInt32((x + y) / 5 & 255) << 16
        picture[x, y] = PremultipliedColor(
          straightBits: alpha == 0 ? 0 : straight | UInt32(alpha) << 24)
      }
    }
    return picture
  }

  private func structure(_ bytes: [UInt8]) throws -> PictureStructure {
    try bytes.withUnsafeBytes { try PictureStructure($0) }
  }

  @Test(
    "lossless WebP has the pixels of the PNG", .enabled(if: WebPLibrary.version != nil),
    arguments: [TileEncoder.Content.symbols, .drawing, .image])
  func lossless(content: TileEncoder.Content) throws {
    for seed in UInt64(0)..<4 {
      let picture = self.picture(256, seed: seed, isOpaque: seed == 3)
      let bytes = try TileEncoder(.webP(quality: nil)).encode(picture, showing: content)
      let straight = try bytes.withUnsafeBytes { try WebPDecoder().decodeStraight($0) }
      var rows: [UInt32] = []
      let png = PNGEncoder().encode(picture)
      try png.withUnsafeBytes { bytes in
        try PNGDecoder().forEachRow(of: bytes) { _, row in rows += row }
      }
      #expect(withExtendedLifetime(straight) { Array(straight.pixels) } == rows)
      let found = try structure(bytes)
      #expect(found.format == .webp && found.width == 256 && found.height == 256)
      #expect(!found.isBlank)
    }
  }

  @Test(
    "lossy tiles are near the pixels, nearer and larger with more quality",
    .enabled(if: WebPLibrary.version != nil))
  func lossy() throws {
    let picture = self.picture(256, seed: 1, isOpaque: true)
    let codecs: [(Int) -> TileCodec] = [
      { .webP(quality: $0) }, { .jpeg(quality: $0, background: Self.background) },
    ]
    for codec in codecs {
      var last: (size: Int, error: Int)?
      for quality in [20, 60, 95] {
        let bytes = try TileEncoder(codec(quality)).encode(picture, showing: .image)
        let decoded = try TileDecoder().decode(bytes)
        let error = withExtendedLifetime((picture, decoded)) {
          zip(picture.pixels, decoded.pixels).reduce(0) { sum, pair in
            sum + abs(Int(pair.0 & 255) - Int(pair.1 & 255))
          }
        }
        #expect(error < 256 * 256 * 12)
        if let last { #expect(bytes.count > last.size && error < last.error) }
        last = (bytes.count, error)
        #expect(try structure(bytes).width == 256)
      }
    }
  }

  @Test("JPEG shows its background where a tile is transparent")
  func background() throws {
    let codec = TileCodec.jpeg(quality: 90, background: Self.background)
    let tile = try TileDecoder().decode(try codec.blank(side: 256))
    for pixel in withExtendedLifetime(tile, { Array(tile.pixels) }) {
      for shift in [0, 8, 16] as [UInt32] {
        let wanted = Int(Self.background.bits >> shift & 255)
        #expect(abs(Int(pixel >> shift & 255) - wanted) <= 3)
      }
    }
    let half = Pixmap(width: 256, height: 256)
    half.clear(to: PremultipliedColor(straightBits: 0x8000_0000))
    let bytes = try TileEncoder(codec).encode(half, showing: .drawing)
    let pixel = try TileDecoder().decode(bytes)[100, 100].bits
    #expect(abs(Int(pixel & 255) - 0xF0 / 2) <= 4)
  }

  @Test("the blank tile of a lossless format is known as blank", arguments: [256, 512, 1024])
  func blank(side: Int) throws {
    for codec in [TileCodec.png, .webP(quality: nil), .webP(quality: 40)] {
      let bytes = try codec.blank(side: side)
      #expect(bytes.count < 400)
      let found = try structure(bytes)
      #expect(found.isBlank && found.width == side && found.height == side)
      if WebPLibrary.version != nil {
        let tile = try TileDecoder().decode(bytes)
        #expect(withExtendedLifetime(tile) { tile.pixels.allSatisfy { $0 == 0 } })
      }
    }
    let jpeg = TileCodec.jpeg(quality: 50, background: Self.background)
    #expect(try !structure(try jpeg.blank(side: side)).isBlank)
  }

  @Test(
    "a tile that is cut or damaged is refused, never a crash",
    .enabled(if: WebPLibrary.version != nil))
  func damage() throws {
    var random = SplitMix64(seed: 9)
    let codecs: [TileCodec] = [
      .webP(quality: nil), .webP(quality: 50), .jpeg(quality: 50, background: Self.background),
    ]
    for codec in codecs {
      let whole = try TileEncoder(codec).encode(picture(64, seed: 2), showing: .image)
      for count in 0..<whole.count {
        #expect(throws: PictureFault.self) { try structure(Array(whole[..<count])) }
      }
      #expect(throws: PictureFault.self) { try structure(whole + [0]) }
      for _ in 0..<300 {
        var damaged = whole
        damaged[random.below(damaged.count)] ^= UInt8(1 + random.below(255))
        _ = try? structure(damaged)
        _ = try? TileDecoder().decode(damaged)
      }
    }
  }

  @Test("a picture beyond the limit is refused before it is decoded")
  func limit() {
    let huge = BlankWebP.bytes(width: 16384, height: 16384)
    #expect(throws: TileCodecError.self) { try WebPDecoder(maxPixels: 1 << 20).decode(huge) }
  }
}
