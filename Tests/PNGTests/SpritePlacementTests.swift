import PNG
import TestSupport
import Testing

@Suite("Placed sprites")
struct SpritePlacementTests {
  /// The box of a tile's pixels in which a sprite shows.
  private func box(_ placement: SpritePlacement, _ width: Int, _ height: Int) -> Set<Int> {
    var pixels = Set<Int>()
    for row in placement.sprite.sprite.shownRows {
      for column in placement.sprite.sprite.shownColumns {
        let (x, y) = (placement.x + column, placement.y + row)
        if (0..<width).contains(x), (0..<height).contains(y) { pixels.insert(y * width + x) }
      }
    }
    return pixels
  }

  private func encoded(_ placements: [SpritePlacement], _ shop: SparseWorkshop) -> [UInt8]? {
    var memory = [UInt8](repeating: 0, count: shop.encoder.maximumEncodedSize)
    return memory.withUnsafeMutableBytes { shop.encoder.encode(placements, into: $0) }.map {
      Array(memory[0..<$0])
    }
  }

  @Test(
    "placed sprites show what a canvas shows if their boxes are disjoint, or else require one",
    arguments: [(64, 48, 9), (256, 40, 64), (512, 20, 256), (10, 10, 2), (1, 40, 3)])
  func random(width: Int, height: Int, colors: Int) throws {
    var random = SplitMix64(seed: UInt64(width * 3 + colors))
    let shop = SparseWorkshop(width: width, height: height, colors: colors)
    let sprites = (0..<12).map { _ in
      shop.encoder.prepared(
        randomSprite(&random, width: 1...max(2, width / 4), height: 1...16, colors: colors))
    }
    var (apart, together) = (0, 0)
    for round in 0..<150 {
      var placements: [SpritePlacement] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        placements.append(
          SpritePlacement(
            sprites[Int.random(in: 0..<sprites.count, using: &random)],
            x: Int.random(in: -width / 4...width, using: &random),
            y: Int.random(in: -16...height, using: &random)))
      }
      let boxes = placements.map { box($0, width, height) }
      let areApart = Set(boxes.joined()).count == boxes.reduce(0) { $0 + $1.count }
      let file = encoded(placements, shop)
      #expect((file != nil) == areApart)
      guard let file else {
        together += 1
        continue
      }
      apart += 1
      shop.canvas.clear()
      for placement in placements {
        shop.canvas.draw(placement.sprite.sprite, x: placement.x, y: placement.y)
      }
      try shop.expectCanvas(file, "round \(round)")
      #expect(encoded(placements.reversed(), shop) == file)
    }
    // Both answers were asked for; on the narrow and the wide tiles one is rare.
    #expect(apart > 20 && (together > 5 || width != 64))
  }

  @Test("placed sprites have the bytes of a lone sprite and of a canvas with one, clipped or whole")
  func lone() throws {
    var random = SplitMix64(seed: 2)
    let shop = SparseWorkshop(width: 40, height: 30, colors: 20)
    let sprite = randomSprite(&random, width: 9...9, height: 11...11, colors: 20)
    let prepared = shop.encoder.prepared(sprite)
    for y in -12...31 {
      for x in [-10, -9, -8, -1, 0, 5, 31, 32, 39, 40] {
        let file = encoded([SpritePlacement(prepared, x: x, y: y)], shop)
        shop.canvas.clear()
        shop.canvas.draw(sprite, x: x, y: y)
        #expect(file == shop.encodedCanvas())
        if shop.encoder.contains(prepared, x: x, y: y) {
          #expect(file == shop.encoded(prepared, x: x, y: y))
        }
      }
    }
  }

  @Test(
    "a sprite may have colours beside the palette, alone and among sprites without any",
    arguments: [SparseIndexedEncoder.Format.png, .webP])
  func extras(format: SparseIndexedEncoder.Format) throws {
    var random = SplitMix64(seed: 8)
    let shop = SparseWorkshop(width: 60, height: 40, colors: 20, format: format)
    let extras: [UInt32] = [0xFF10_20F0, 0x8001_0203]
    func sprite(colors: Int) -> IndexedSprite {
      randomSprite(&random, width: 9...9, height: 11...11, colors: colors)
    }
    let own = shop.encoder.prepared(sprite(colors: 22), extras: extras)
    let plain = shop.encoder.prepared(sprite(colors: 20))
    for x in [-4, 0, 20, 50, 55] {
      let places = [(own, x, 5), (plain, x + 12, 8), (own, x, 20)]
      let all = places.map { SpritePlacement($0.0, x: $0.1, y: $0.2) }
      for placements in [Array(all.prefix(1)), Array(all.prefix(2)), all] {
        shop.canvas.clear()
        for placement in placements {
          shop.canvas.draw(placement.sprite.sprite, x: placement.x, y: placement.y)
        }
        let file = try #require(shop.encoded(placements))
        try shop.expectCanvas(file, extras: extras)
      }
    }
    let other = shop.encoder.prepared(sprite(colors: 21), extras: [0xFF00_00FF])
    let both = [SpritePlacement(own, x: 1, y: 1), SpritePlacement(other, x: 30, y: 1)]
    #expect(shop.encoded(both) == nil)
  }

  @Test("a canvas draws a sprite with its indices replaced, and background left out")
  func replaced() {
    var random = SplitMix64(seed: 9)
    let canvas = IndexedCanvas(width: 20, height: 20)
    let sprite = randomSprite(&random, width: 12...12, height: 12...12, colors: 6)
    let table: [UInt8] = [0, 5, 4, 30, 200, 1]
    table.withUnsafeBufferPointer { canvas.draw(sprite, x: -3, y: 11, replacing: $0) }
    for y in 0..<20 {
      for x in 0..<20 {
        let isInside = x + 3 < 12 && y >= 11
        #expect(canvas[x, y] == (isInside ? table[Int(sprite[x + 3, y - 11])] : 0))
      }
    }
  }

  @Test("placed sprites may be absent, blank or arbitrarily far away")
  func absent() {
    let shop = SparseWorkshop(width: 40, height: 30, colors: 20)
    let blank = shop.encoder.prepared(
      IndexedSprite(width: 2, height: 2, indices: [0, 0, 0, 0]))
    let dot = shop.encoder.prepared(IndexedSprite(width: 1, height: 1, indices: [1]))
    let file = shop.encodedCanvas()
    #expect(encoded([], shop) == file)
    #expect(encoded([SpritePlacement(blank, x: 3, y: 3)], shop) == file)
    for far in [Int.min, Int.max] {
      let placements = [SpritePlacement(dot, x: far, y: far), SpritePlacement(dot, x: 3, y: far)]
      #expect(encoded(placements, shop) == file)
    }
  }
}
