import Features
import Raster
import Styling

/// The numbers of a build's sprites, and the measure of each.
///
/// The table is filled zoom by zoom while scenes are made. Numbers follow the order of first use;
/// no output depends on them.
struct SpriteTable: Sendable {
  private var numbers: [SpriteKey: UInt32] = [:]

  /// The measures by number; a copy is a snapshot for one zoom's scenes.
  private(set) var sprites: [SpriteMeasure] = []

  /// Returns the number of each symbol's sprite, in the order of the symbols; new sprites are
  /// measured.
  ///
  /// - Parameter isRecurring: whether later symbols may show the same sprite as a symbol of this
  ///   zoom.
  /// - Complexity: O(symbols), and the drawing of the new sprites.
  mutating func numbers(
    of symbols: ZoomSymbols, looks: LookTable, isRecurring: Bool, vast: VastSymbols,
    meter: any SpriteMeter
  ) throws -> Column<UInt32> {
    let known = sprites.count
    var fresh: [SpriteKey] = []
    var uses: [Int] = []
    var result = Column<UInt32>(in: symbols.scratch)
    result.reserveCapacity(symbols.count)
    for row in 0..<symbols.count {
      let key = symbols.key(row)
      let number: UInt32
      if let first = numbers[key] {
        number = first
      } else {
        number = UInt32(known + fresh.count)
        numbers[key] = number
        fresh.append(key)
        uses.append(0)
      }
      if number >= known { uses[Int(number) - known] += 1 }
      result.append(number)
    }
    var unmeasured: [UnmeasuredSprite] = []
    for (key, uses) in zip(fresh, uses) {
      let box = try vast.box(
        of: looks.stacks[Int(key.stack)], phaseX: Int(key.phaseX), phaseY: Int(key.phaseY))
      if box == nil {
        unmeasured.append(
          UnmeasuredSprite(number: sprites.count, key: key, isRecurring: uses > 1 || isRecurring))
      }
      sprites.append(
        SpriteMeasure(
          key: key, extent: SpriteExtent(box ?? .empty), isVast: box != nil,
          hash: looks.hashes[Int(key.stack)].phased(Int(key.phaseX), Int(key.phaseY))))
    }
    for (sprite, extent) in zip(unmeasured, try meter.extents(of: unmeasured, looks: looks)) {
      sprites[sprite.number].extent = extent
    }
    return result
  }
}

extension StableHash {
  /// Returns the hash of a stack at a phase, from the hash of the stack.
  fileprivate func phased(_ phaseX: Int, _ phaseY: Int) -> StableHash {
    var hash = self
    hash.combine(phaseX << 8 | phaseY)
    return hash
  }
}
