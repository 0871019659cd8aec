import PNG
import TestSupport
import Testing
import TileCodecs

@Suite("The sparse encoder of WebP", .enabled(if: WebPLibrary.version != nil))
struct SparseWebPTests {
  @Test(
    "sparse WebP shows one sprite anywhere in the tile, with the bytes of a canvas",
    arguments: [(256, 256, 64), (40, 30, 5), (3, 3, 2), (512, 20, 256), (600, 40, 17)])
  func single(width: Int, height: Int, colors: Int) throws {
    var random = SplitMix64(seed: UInt64(width + colors))
    let sizes = 1...min(width, height, 30)
    let trained = (0..<4).map { _ in
      randomSprite(&random, width: sizes, height: sizes, colors: colors)
    }
    let shop = SparseWorkshop(
      width: width, height: height, colors: colors, training: trained.map { ($0, 10) },
      format: .webP)
    for round in 0..<20 {
      let sprite = randomSprite(&random, width: sizes, height: sizes, colors: colors)
      let prepared = shop.encoder.prepared(sprite)
      let x = Int.random(in: 0...(width - sprite.width), using: &random)
      let y = Int.random(in: 0...(height - sprite.height), using: &random)
      shop.canvas.clear()
      shop.canvas.draw(sprite, x: x, y: y)
      let file = shop.encoded(prepared, x: x, y: y)
      #expect(file == shop.encodedCanvas())
      try shop.expectCanvas(file, "round \(round)")
    }
  }

  @Test(
    "sparse WebP shows any canvas, sprites over sprites and over every edge",
    arguments: [
      (1, 1, 2), (1, 50, 3), (2, 9, 16), (33, 17, 4), (64, 64, 64), (256, 8, 256), (257, 5, 2),
      (512, 6, 17), (1024, 4, 31),
    ])
  func canvases(width: Int, height: Int, colors: Int) throws {
    var random = SplitMix64(seed: UInt64(width * 7 + height))
    let shop = SparseWorkshop(width: width, height: height, colors: colors, format: .webP)
    for round in 0..<60 {
      shop.canvas.clear()
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let sprite = randomSprite(&random, width: 1...40, height: 1...20, colors: colors)
        shop.canvas.draw(
          sprite, x: Int.random(in: -40...width, using: &random),
          y: Int.random(in: -20...height, using: &random))
      }
      try shop.expectCanvas(shop.encodedCanvas(), "round \(round)")
    }
  }

  @Test("sparse WebP has colours of a tile's own behind the palette", arguments: [2, 9, 24, 130])
  func extras(colors: Int) throws {
    var random = SplitMix64(seed: UInt64(colors))
    let shop = SparseWorkshop(width: 64, height: 64, colors: colors, format: .webP)
    for count in [1, 7, 256 - colors] {
      let extras = (0..<count).map { _ in UInt32(truncatingIfNeeded: random.next()) | 0x0100_0000 }
      for y in 0..<64 {
        let row = (0..<64).map { _ in
          UInt8(Int.random(in: 0..<(colors + count), using: &random))
        }
        row.withUnsafeBufferPointer { shop.canvas.setRow(y: y, start: 0, indices: $0) }
      }
      try shop.expectCanvas(shop.encodedCanvas(extras: extras), extras: extras, "\(count) extras")
    }
  }

  @Test("sparse WebP shows sprites side by side as a canvas does")
  func placements() throws {
    var random = SplitMix64(seed: 5)
    let shop = SparseWorkshop(width: 256, height: 128, colors: 40, format: .webP)
    var apart = 0
    for round in 0..<60 {
      shop.canvas.clear()
      let placements = (0..<Int.random(in: 2...5, using: &random)).map { _ in
        let sprite = randomSprite(&random, width: 1...30, height: 1...30, colors: 40)
        let place = (
          Int.random(in: -20...250, using: &random), Int.random(in: -20...120, using: &random)
        )
        shop.canvas.draw(sprite, x: place.0, y: place.1)
        return SpritePlacement(shop.encoder.prepared(sprite), x: place.0, y: place.1)
      }
      guard let file = shop.encoded(placements) else { continue }
      apart += 1
      try shop.expectCanvas(file, "round \(round)")
    }
    #expect(apart > 20)
  }

  @Test("sparse WebP takes fewer bytes than PNG with the same training")
  func size() {
    var random = SplitMix64(seed: 11)
    let sprites = (0..<12).map { _ in
      randomSprite(&random, width: 10...40, height: 10...40, colors: 60)
    }
    let (png, webP) = (SparseIndexedEncoder.Format.png, SparseIndexedEncoder.Format.webP)
    let sizes = [png, webP].map { format in
      let shop = SparseWorkshop(
        width: 256, height: 256, colors: 60, training: sprites.map { ($0, 5) }, format: format)
      return sprites.reduce(0) { sum, sprite in
        sum + shop.encoded(shop.encoder.prepared(sprite), x: 60, y: 70).count
      }
    }
    #expect(sizes[1] < sizes[0])
  }
}
