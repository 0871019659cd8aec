import TapBlocks
import TestSupport

extension TapBlock {
  /// Symbols, lines and areas anywhere in and around some tiles of 64 px.
  static func random(_ random: inout SplitMix64) -> TapBlock {
    var block = TapBlock(tileSide: 64)
    block.tiles = random.next() | 1
    let reach = 64 * 8 * steps
    func place(_ random: inout SplitMix64) -> Int32 { Int32(random.below(reach + 2000) - 1000) }
    block.stacks = (0..<3).map { _ in
      (0..<random.below(3) + 1).map { _ in
        let (x, y) = (Int32(random.below(2000)) - 1000, Int32(random.below(2000)) - 1000)
        let (width, height) = (Int32(random.below(9000)), Int32(random.below(6000)))
        let isDisc = random.below(2) == 0
        return TapPrint(
          layer: Int32(random.below(3)), isDisc: isDisc, isOnPixel: random.below(2) == 0,
          left: x - width, top: y - (isDisc ? width : height), right: x + width,
          bottom: y + (isDisc ? width : height))
      }
    }
    for _ in 0..<random.below(80) {
      block.symbols.append(
        stack: UInt32(random.below(3)), x: place(&random), y: place(&random),
        feature: random.next() >> 15)
    }
    for tile in 0..<64 where random.below(3) > 0 {
      for _ in 0..<random.below(5) {
        let kind = TapShape.Kind.allCases[random.below(TapShape.Kind.allCases.count)]
        var shape = TapShape(
          tile: UInt8(tile), kind: kind, layer: Int32(3 + random.below(2)),
          feature: random.next() >> 15)
        if kind.isStroke {
          (shape.half, shape.gap) = (Int32(random.below(2000)), Int32(random.below(2) * 300))
        }
        shape.runs = kind == .wholeTile ? 0 : kind == .speck ? 1 : UInt32(1 + random.below(2))
        for _ in 0..<shape.runs {
          let (x, y) = (Int32(tile & 7) * 1024, Int32(tile >> 3) * 1024)
          for _ in 0..<(kind == .speck ? 1 : 1 + random.below(9)) {
            block.vertices.append(
              TapVertex(
                x: x + Int32(random.below(1100)) - 40, y: y + Int32(random.below(1100)) - 40))
          }
          block.runEnds.append(UInt32(block.vertices.count))
        }
        block.shapes.append(shape)
      }
    }
    return block
  }
}
