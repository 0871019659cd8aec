import PNG
import TestSupport
import Testing

@Suite("The sparse encoder")
struct SparseIndexedEncoderTests {
  @Test(
    "the sparse encoder draws one sprite anywhere in the tile, with the bytes of a canvas",
    arguments: [(256, 256, 64), (40, 30, 5), (3, 3, 2), (512, 20, 256), (600, 40, 17)])
  func single(width: Int, height: Int, colors: Int) throws {
    var random = SplitMix64(seed: UInt64(width + colors))
    let sizes = 1...min(width, height, 30)
    let trained = (0..<4).map { _ in
      randomSprite(&random, width: sizes, height: sizes, colors: colors)
    }
    let shop = SparseWorkshop(
      width: width, height: height, colors: colors, training: trained.map { ($0, 10) })
    for round in 0..<40 {
      let sprite = randomSprite(&random, width: sizes, height: sizes, colors: colors)
      let prepared = shop.encoder.prepared(sprite)
      let (right, bottom) = (width - sprite.width, height - sprite.height)
      let x =
        round % 4 == 0 ? 0 : round % 4 == 1 ? right : Int.random(in: 0...right, using: &random)
      let y =
        round % 3 == 0 ? 0 : round % 3 == 1 ? bottom : Int.random(in: 0...bottom, using: &random)
      #expect(shop.encoder.contains(prepared, x: x, y: y))
      shop.canvas.clear()
      shop.canvas.draw(sprite, x: x, y: y)
      let file = shop.encoded(prepared, x: x, y: y)
      #expect(file == shop.encodedCanvas())
      try shop.expectCanvas(file, "round \(round)")
    }
  }

  @Test("the sparse encoder draws a pixel anywhere in a small tile, after gaps of every length")
  func everyPlace() throws {
    let shop = SparseWorkshop(width: 20, height: 30, colors: 3)
    let prepared = shop.encoder.prepared(IndexedSprite(width: 1, height: 1, indices: [2]))
    for y in 0..<30 {
      for x in 0..<20 {
        shop.canvas.clear()
        shop.canvas.draw(prepared.sprite, x: x, y: y)
        let file = shop.encoded(prepared, x: x, y: y)
        #expect(file == shop.encodedCanvas())
        try shop.expectCanvas(file)
      }
    }
  }

  @Test(
    "the sparse encoder draws any canvas, sprites over sprites and over every edge",
    arguments: [
      (1, 1, 2), (1, 50, 3), (2, 9, 16), (33, 17, 4), (64, 64, 64), (256, 8, 256), (257, 5, 2),
      (512, 6, 17), (1024, 4, 31),
    ])
  func canvases(width: Int, height: Int, colors: Int) throws {
    var random = SplitMix64(seed: UInt64(width * 7 + height))
    let shop = SparseWorkshop(width: width, height: height, colors: colors)
    for round in 0..<120 {
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

  @Test(
    "the sparse encoder draws full canvases of one index, of stripes and of noise",
    arguments: [2, 3, 16, 64, 256])
  func full(colors: Int) throws {
    var random = SplitMix64(seed: UInt64(colors))
    for (width, height) in [(256, 40), (512, 10), (300, 3)] {
      let shop = SparseWorkshop(width: width, height: height, colors: colors)
      for kind in 0..<4 {
        for y in 0..<height {
          let row = (0..<width).map { x in
            switch kind {
            case 0: UInt8(colors - 1)
            case 1: UInt8(y % colors)
            case 2: UInt8(x % colors)
            default: UInt8(Int.random(in: 0..<colors, using: &random))
            }
          }
          row.withUnsafeBufferPointer { shop.canvas.setRow(y: y, start: 0, indices: $0) }
        }
        try shop.expectCanvas(shop.encodedCanvas(), "kind \(kind)")
      }
    }
  }

  @Test("the sparse encoder writes the same blank tile in every way")
  func blank() throws {
    let shop = SparseWorkshop(width: 256, height: 256, colors: 9)
    let file = shop.encodedCanvas()
    #expect(file.count < 300)
    try shop.expectCanvas(file)
    for (width, height) in [(0, 0), (0, 3), (4, 0), (5, 5)] {
      let sprite = IndexedSprite(
        width: width, height: height, indices: [UInt8](repeating: 0, count: width * height))
      #expect(shop.encoded(shop.encoder.prepared(sprite), x: 3, y: 4) == file)
      shop.canvas.draw(sprite, x: 3, y: 4)
      #expect(shop.encodedCanvas() == file)
    }
    // A row touched and left as background is as blank as one never touched.
    [UInt8](repeating: 0, count: 9).withUnsafeBufferPointer {
      shop.canvas.setRow(y: 7, start: 3, indices: $0)
    }
    #expect(shop.encodedCanvas() == file)
  }

  @Test("the sparse encoder ends with the Adler-32 of the rows, which libpng does not check")
  func adler() throws {
    var random = SplitMix64(seed: 21)
    let shop = SparseWorkshop(width: 90, height: 70, colors: 256)
    for _ in 0..<30 {
      shop.canvas.clear()
      let sprite = randomSprite(&random, width: 1...90, height: 1...70, colors: 256)
      shop.canvas.draw(sprite, x: 5, y: -3)
      var rows: [UInt8] = []
      for y in 0..<70 { rows += [0] + (0..<90).map { shop.canvas[$0, y] } }
      let file = shop.encodedCanvas()
      // The stream ends before the checksum of its chunk and the 12 bytes of IEND.
      let end = file.count - 16
      #expect(file[end - 4..<end].elementsEqual(HandmadePNG.bigEndian(HandmadePNG.adler32(rows))))
    }
  }

  @Test("the sparse encoder knows which sprites are inside the tile, however far away they are")
  func inside() {
    let shop = SparseWorkshop(width: 10, height: 8, colors: 2)
    // One index at column 1 and row 2 of a sprite of 4 × 5: the blank margin may lie outside.
    var indices = [UInt8](repeating: 0, count: 20)
    indices[2 * 4 + 1] = 1
    let prepared = shop.encoder.prepared(IndexedSprite(width: 4, height: 5, indices: indices))
    for x in -6...14 {
      for y in -6...14 {
        let isInside = (0..<10).contains(x + 1) && (0..<8).contains(y + 2)
        #expect(shop.encoder.contains(prepared, x: x, y: y) == isInside)
        if !isInside { continue }
        shop.canvas.clear()
        shop.canvas.draw(prepared.sprite, x: x, y: y)
        #expect(shop.encoded(prepared, x: x, y: y) == shop.encodedCanvas())
      }
    }
    for far in [Int.min, Int.max] {
      #expect(!shop.encoder.contains(prepared, x: far, y: 0))
      #expect(!shop.encoder.contains(prepared, x: 0, y: far))
      shop.canvas.clear()
      shop.canvas.draw(prepared.sprite, x: far, y: far)
      #expect(shop.canvas[9, 7] == 0)
    }
  }

  @Test("the sparse encoder prepares a sprite wider than the tile, which is never inside")
  func tooWide() throws {
    let shop = SparseWorkshop(width: 10, height: 10, colors: 4)
    var indices = [UInt8](repeating: 0, count: 60)
    (indices[29], indices[30]) = (3, 2)
    let sprite = IndexedSprite(width: 30, height: 2, indices: indices)
    let prepared = shop.encoder.prepared(sprite)
    for x in -30...10 { #expect(!shop.encoder.contains(prepared, x: x, y: 0)) }
    shop.canvas.draw(sprite, x: -25, y: 0)
    #expect(shop.canvas[4, 0] == 3)
    try shop.expectCanvas(shop.encodedCanvas())
  }

  @Test("the sparse encoder makes tiles like its training smaller, and is deterministic")
  func training() {
    var random = SplitMix64(seed: 4)
    let sprite = randomSprite(&random, width: 25...25, height: 25...25, colors: 60)
    func size(_ training: [(sprite: IndexedSprite, weight: Int)]) -> [UInt8] {
      let shop = SparseWorkshop(width: 256, height: 256, colors: 64, training: training)
      return shop.encoded(shop.encoder.prepared(sprite), x: 100, y: 100)
    }
    #expect(size([(sprite, 100)]).count < size([]).count)
    #expect(size([(sprite, 100)]) == size([(sprite, 100)]))
    // Weights that make no sense are clamped, not trapped on.
    #expect(size([(sprite, -5)]) == size([]))
    #expect(size([(sprite, .max)]).count < size([]).count)
  }

  /// The file of a 4 × 4 canvas whose first row begins with some indices.
  private func file(_ indices: [UInt8], extras: [UInt32] = []) -> [UInt8] {
    let encoder = SparseIndexedEncoder(
      width: 4, height: 4, palette: [0, 0x8000_00FF, 0xFF00_FF00, 0xFFFF_0000], training: [])
    let canvas = IndexedCanvas(width: 4, height: 4)
    indices.withUnsafeBufferPointer { canvas.setRow(y: 0, start: 0, indices: $0) }
    var memory = [UInt8](repeating: 0, count: encoder.maximumEncodedSize)
    let count = memory.withUnsafeMutableBytes {
      encoder.encode(canvas, extras: extras, into: $0)
    }
    return Array(memory[0..<count])
  }

  @Test("the sparse encoder stores colours up to the largest index, and alphas only if not opaque")
  func shortPalette() {
    #expect(file([]).contains(HandmadePNG.chunk("PLTE", [0, 0, 0])))
    #expect(file([1]).contains(HandmadePNG.chunk("PLTE", [0, 0, 0, 255, 0, 0])))
    #expect(file([3]).contains(HandmadePNG.chunk("tRNS", [0, 128])))
    #expect(file([]).contains(HandmadePNG.chunk("tRNS", [0])))
  }

  @Test("the sparse encoder adds colours of one tile behind the palette")
  func extras() throws {
    let bytes = file([2, 4, 5, 1], extras: [0xFF11_2233, 0x4000_00FF])
    let pixels = try PNGDecoder().decodeStraight(bytes)
    #expect(Array(pixels[0..<4]) == [0xFF00_FF00, 0xFF11_2233, 0x4000_00FF, 0x8000_00FF])
    #expect(pixels[4...].allSatisfy { $0 == 0 })
    #expect(!file([2, 3, 1]).contains([0x33, 0x22, 0x11]))
  }
}

@Suite("A canvas of indices")
struct IndexedCanvasTests {
  @Test("an indexed canvas equals a plain array through any drawing, row and clearing")
  func model() {
    var random = SplitMix64(seed: 17)
    for (width, height) in [(1, 1), (9, 7), (40, 25)] {
      let canvas = IndexedCanvas(width: width, height: height)
      var model = [UInt8](repeating: 0, count: width * height)
      for _ in 0..<400 {
        let x = Int.random(in: -20...width + 2, using: &random)
        let y = Int.random(in: -20...height + 2, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          canvas.clear()
          model = [UInt8](repeating: 0, count: width * height)
        case 1...3:
          let row = (0..<Int.random(in: 0...30, using: &random)).map { _ in
            UInt8.random(in: 0...3, using: &random)
          }
          row.withUnsafeBufferPointer { canvas.setRow(y: y, start: x, indices: $0) }
          for (column, index) in row.enumerated()
          where (0..<width).contains(x + column) && (0..<height).contains(y) {
            model[y * width + x + column] = index
          }
        default:
          let sprite = randomSprite(&random, width: 1...20, height: 1...20, colors: 5)
          canvas.draw(sprite, x: x, y: y)
          for row in 0..<sprite.height {
            for column in 0..<sprite.width
            where (0..<width).contains(x + column) && (0..<height).contains(y + row) {
              let index = sprite[column, row]
              if index != 0 { model[(y + row) * width + x + column] = index }
            }
          }
        }
        for row in 0..<height {
          for column in 0..<width where canvas[column, row] != model[row * width + column] {
            Issue.record("(\(column), \(row)) differs")
          }
        }
      }
    }
  }

  @Test("an indexed canvas takes a sprite's spans from its outermost indices")
  func spans() {
    let sprite = IndexedSprite(
      width: 4, height: 3, indices: [0, 5, 0, 6, 0, 0, 0, 0, 7, 0, 0, 0])
    #expect(sprite.shownColumns == 0..<4)
    #expect(sprite.shownRows == 0..<3)
    #expect(sprite.largestIndex == 7)
  }
}
