import TestSupport
import Testing

@testable import Painting
@testable import Scenes

@Suite("A symbol sprite")
struct SymbolSpriteTests {
  /// A picture of text art: `#` is opaque, everything else transparent.
  private func sprite(_ rows: [String], originX: Int = 0, originY: Int = 0) -> SymbolSprite {
    let width = rows.map(\.count).max() ?? 0
    var pixels = ContiguousArray<UInt32>()
    for row in rows {
      let bits = row.map { $0 == "#" ? UInt32(0xFF00_00FF) : 0 }
      pixels.append(contentsOf: bits + Array(repeating: 0, count: width - bits.count))
    }
    return SymbolSprite(
      originX: originX, originY: originY, width: width, height: rows.count, pixels: pixels,
      edges: ContiguousArray(repeating: 0, count: pixels.count))
  }

  @Test("a symbol sprite is trimmed to what is visible, without moving")
  func trims() {
    let sprite = sprite(
      [
        "......",
        "...#..",
        "......",
        "..##..",
        "......",
      ], originX: -3, originY: -2)
    #expect(sprite.originX == -1 && sprite.originY == -1)
    #expect(sprite.width == 2 && sprite.height == 3)
    #expect(sprite.pixels.map { $0 >> 24 } == [0, 255, 0, 0, 255, 255])
    #expect(zip(sprite.rowStarts, sprite.rowEnds).map { $0 == $1 } == [false, true, false])
    #expect(sprite.rowStarts[0] == 1 && sprite.rowEnds[0] == 2)
    #expect(sprite.rowStarts[2] == 0 && sprite.rowEnds[2] == 2)
  }

  @Test("a symbol sprite without a visible pixel is empty", arguments: [[], ["..", ".."]])
  func empty(rows: [String]) {
    let sprite = sprite(rows)
    #expect(sprite.isEmpty && sprite.width == 0 && sprite.pixels.isEmpty)
    #expect(!sprite.extent.isVisible(left: -9, top: -9, right: 9, bottom: 9))
  }

  /// Pictures with holes and gaps, where the run of a row says too much.
  static let pictures: [[String]] = [
    ["#"], ["#.#"], ["#", ".", "#"], ["###", "#.#", "###"], ["#...#", ".....", "..#..", "#...#"],
    [".#.", "#.#", ".#."], ["#....", ".....", "....#"],
  ]

  @Test(
    "a symbol sprite is visible in a box exactly where one of its pixels lies", arguments: pictures)
  func visibility(rows: [String]) {
    let sprite = sprite(rows, originX: -1, originY: 2)
    let extent = sprite.extent
    for left in -3...6 {
      for right in left...7 {
        for top in 0...7 {
          for bottom in top...8 {
            let expected = isVisible(sprite, left, top, right, bottom)
            #expect(
              extent.isVisible(left: left, top: top, right: right, bottom: bottom) == expected,
              "\(left) \(top) \(right) \(bottom)")
          }
        }
      }
    }
  }

  @Test("a sprite of random pixels is visible exactly where one of them lies")
  func randomVisibility() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<400 {
      let rows = (0..<(1 + random.below(9))).map { _ in
        String((0..<9).map { _ in random.below(5) == 0 ? "#" : "." })
      }
      let sprite = sprite(rows, originX: random.below(9) - 4, originY: random.below(9) - 4)
      for _ in 0..<30 {
        let (left, top) = (random.below(16) - 8, random.below(16) - 8)
        let (right, bottom) = (left + random.below(9), top + random.below(9))
        #expect(
          sprite.extent.isVisible(left: left, top: top, right: right, bottom: bottom)
            == isVisible(sprite, left, top, right, bottom))
      }
    }
  }

  private func isVisible(
    _ sprite: SymbolSprite, _ left: Int, _ top: Int, _ right: Int, _ bottom: Int
  ) -> Bool {
    for y in 0..<sprite.height {
      for x in 0..<sprite.width where sprite.pixels[y * sprite.width + x] >> 24 != 0 {
        let (column, row) = (sprite.originX + x, sprite.originY + y)
        if column >= left, column < right, row >= top, row < bottom { return true }
      }
    }
    return false
  }
}
