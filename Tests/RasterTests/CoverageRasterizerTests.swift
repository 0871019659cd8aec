import TestSupport
import Testing

@testable import Raster

@Suite("CoverageRasterizer")
struct CoverageRasterizerTests {
  let white = PremultipliedColor(.white)

  @Test("a rectangle covers a pixel by its area")
  func rectangleArea() {
    let rasterizer = CoverageRasterizer()
    let third = rasterizer.mask(
      of: .rectangle(x: 300, y: 256, width: 85, height: 256), rule: .nonZero)
    #expect(third.coverage == [85])
    #expect(third.originX == 1 && third.originY == 1)
    let sliver = rasterizer.mask(
      of: .rectangle(x: -100, y: -32, width: 64, height: 64), rule: .nonZero)
    #expect(sliver.coverage == [8, 8])
    #expect(sliver.originX == -1 && sliver.originY == -1 && sliver.height == 2)
    let whole = rasterizer.mask(
      of: .rectangle(x: 0, y: 0, width: 512, height: 256), rule: .evenOdd)
    #expect(whole.coverage == [255, 255] && whole.rowSpans == [0..<2])
  }

  @Test("four tiles of random shapes together are the one large picture", arguments: 0..<24)
  func tilesEqualPicture(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let path = random.path(in: -30_000...160_000, edges: 12)
    let rule: FillRule = seed % 2 == 0 ? .nonZero : .evenOdd
    let rasterizer = CoverageRasterizer()
    let whole = Pixmap(width: 512, height: 512)
    rasterizer.fill(path, rule: rule, color: white, into: whole, offsetX: 0, offsetY: 0)
    var differing = 0
    let tile = Pixmap(width: 256, height: 256)
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      tile.clear()
      rasterizer.fill(
        path, rule: rule, color: white, into: tile, offsetX: -256 * x, offsetY: -256 * y)
      for row in 0..<256 {
        for column in 0..<256
        where tile[column, row] != whole[x * 256 + column, y * 256 + row] { differing += 1 }
      }
    }
    #expect(differing == 0)
    #expect(whole.bits.contains { $0 != 0 })
  }

  @Test("a shape moved by whole pixels has the same mask moved", arguments: 0..<40)
  func wholePixelShifts(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 1000)
    let path = random.path(in: -5000...5000, edges: 6)
    let rasterizer = CoverageRasterizer()
    let mask = rasterizer.mask(of: path, rule: .nonZero)
    let moved = rasterizer.mask(of: path.translated(dx: -256 * 113, dy: 256 * 77), rule: .nonZero)
    #expect(moved.coverage == mask.coverage && moved.rowSpans == mask.rowSpans)
    #expect(moved.originX == mask.originX - 113 && moved.originY == mask.originY + 77)
  }

  @Test("triangles agree with counting 64 × 64 samples in each pixel", arguments: 0..<12)
  func bruteForce(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 2000)
    var corners: [(x: Int, y: Int)] = []
    for _ in 0..<3 {
      corners.append(
        (.random(in: 0..<6 * 256, using: &random), .random(in: 0..<1536, using: &random)))
    }
    var path = Path()
    for (x, y) in corners {
      path.isEmpty
        ? path.move(toX: Int32(x), y: Int32(y)) : path.addLine(toX: Int32(x), y: Int32(y))
    }
    let mask = CoverageRasterizer().mask(of: path, rule: .nonZero)
    var worst = 0.0
    for row in 0..<6 {
      for column in 0..<6 {
        var hits = 0
        for sample in 0..<4096 {
          // Centres of a 64 × 64 grid, in 1/512 px to stay whole numbers.
          let x = column * 512 + (sample % 64) * 8 + 4
          let y = row * 512 + (sample / 64) * 8 + 4
          if contains(corners, x: x, y: y) { hits += 1 }
        }
        worst = max(worst, abs(Double(hits) / 4096 * 255 - Double(mask[column, row])))
      }
    }
    // A sample grid misses by up to half a column of samples along each edge.
    #expect(worst <= 3.5)
  }

  @Test("polygons that share an edge leave no seam and no overlap", arguments: 0..<30)
  func sharedEdges(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 3000)
    let x0 = Int32.random(in: 0...8192, using: &random)
    let x1 = Int32.random(in: 0...8192, using: &random)
    var left = Path()
    left.move(toX: 0, y: 0)
    left.addLine(toX: x0, y: 0)
    left.addLine(toX: x1, y: 4096)
    left.addLine(toX: 0, y: 4096)
    var both = left
    both.move(toX: 8192, y: 4096)
    both.addLine(toX: x1, y: 4096)
    both.addLine(toX: x0, y: 0)
    both.addLine(toX: 8192, y: 0)
    let mask = CoverageRasterizer().mask(of: both, rule: .nonZero)
    #expect(mask.width == 32 && mask.height == 16)
    #expect(mask.coverage.allSatisfy { $0 == 255 })
  }

  @Test("the two fill rules differ where an outline winds twice")
  func rules() {
    var path = Path.rectangle(x: 0, y: 0, width: 768, height: 768)
    path.append(.rectangle(x: 256, y: 256, width: 256, height: 256))
    let rasterizer = CoverageRasterizer()
    #expect(rasterizer.mask(of: path, rule: .nonZero)[1, 1] == 255)
    #expect(rasterizer.mask(of: path, rule: .evenOdd)[1, 1] == 0)
    #expect(rasterizer.mask(of: path, rule: .evenOdd)[2, 1] == 255)
  }

  @Test("coordinates millions of pixels away neither overflow nor change the inside")
  func farAway() {
    let far = Path.limit
    var path = Path()
    path.move(toX: -far, y: -far)
    path.addLine(toX: far, y: -far + 12_345)
    path.addLine(toX: far - 777, y: far)
    path.addLine(toX: -far, y: far - 99)
    let rasterizer = CoverageRasterizer()
    let tile = Pixmap(width: 64, height: 64)
    rasterizer.fill(path, rule: .nonZero, color: white, into: tile, offsetX: 0, offsetY: 0)
    #expect(tile.bits.allSatisfy { $0 == .max })
    tile.clear()
    // A diagonal through the middle of the tile, from corner to corner of the world.
    var half = Path()
    half.move(toX: -far, y: -far)
    half.addLine(toX: far, y: far)
    half.addLine(toX: -far, y: far)
    rasterizer.fill(half, rule: .nonZero, color: white, into: tile, offsetX: 0, offsetY: 0)
    for index in 0..<64 {
      #expect(tile[index, index].alpha == 128)
      #expect(tile[63, index].alpha == (index == 63 ? 128 : 0))
    }
    let band = Path.rectangle(x: -far, y: 0, width: .max, height: 256)
    #expect(rasterizer.mask(of: band, rule: .nonZero).width == 2 * CoverageRasterizer.maskReach)
    tile.clear()
    rasterizer.fill(half, rule: .nonZero, color: white, into: tile, offsetX: .min, offsetY: .max)
    #expect(tile.bits.allSatisfy { $0 == 0 || $0 == .max })
  }

  @Test("filling a path gives the pixels of blending its mask", arguments: 0..<20)
  func fillEqualsMask(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 4000)
    let path = random.path(in: -3000...9000, edges: 5)
    let color = PremultipliedColor(
      Color(red: 1, green: 0.4, blue: 0.1, alpha: seed % 2 == 0 ? 1 : 0.6))
    let rasterizer = CoverageRasterizer()
    let filled = Pixmap(width: 32, height: 28)
    let blended = Pixmap(width: 32, height: 28)
    filled.clear(to: PremultipliedColor(bits: 0x8012_3456))
    blended.clear(to: PremultipliedColor(bits: 0x8012_3456))
    rasterizer.fill(path, rule: .nonZero, color: color, into: filled, offsetX: 3, offsetY: -2)
    blended.blend(rasterizer.mask(of: path, rule: .nonZero), color: color, x: 3, y: -2)
    #expect(filled.bits == blended.bits)
  }

  @Test("paths without area leave nothing, and the rasterizer clean")
  func degenerate() {
    let rasterizer = CoverageRasterizer()
    #expect(rasterizer.mask(of: Path(), rule: .nonZero).isEmpty)
    var line = Path()
    line.move(toX: 0, y: 0)
    line.addLine(toX: 5000, y: 3000)
    #expect(rasterizer.mask(of: line, rule: .nonZero).isEmpty)
    line.move(toX: 9, y: 9)
    #expect(rasterizer.mask(of: line, rule: .evenOdd) == .empty)
    #expect(
      rasterizer.mask(of: .rectangle(x: 0, y: 0, width: 256, height: 256), rule: .nonZero)
        .coverage == [255])
  }

  /// Whether a triangle in 1/256 px contains a point in 1/512 px.
  private func contains(_ corners: [(x: Int, y: Int)], x: Int, y: Int) -> Bool {
    var positive = 0
    for index in 0..<3 {
      let a = corners[index]
      let b = corners[(index + 1) % 3]
      let cross = (2 * b.x - 2 * a.x) * (y - 2 * a.y) - (2 * b.y - 2 * a.y) * (x - 2 * a.x)
      if cross > 0 { positive += 1 }
    }
    return positive == 0 || positive == 3
  }
}
