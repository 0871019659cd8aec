package import Columns
package import Features
import Styling
import Tiling

/// The hashes of a zoom's symbols by square blocks of tiles: what the tiles of a block show follows
/// from the block's hash, the fonts and the program.
///
/// A run that knows the hashes of the last run makes only the scenes of blocks that changed.
package struct SymbolBlocks: Sendable {
  /// The maximum number of blocks along a side of the world, as a power of two: a dense table of
  /// blocks takes 1 MB.
  private static let gridBits = 8

  /// The minimum number of tiles along a side of a block, as a power of two: labels reach some
  /// hundred px per character.
  private static let leastBlockBits = 2

  /// The mean number of blocks per symbol up to which hashing pays; with more, hashing costs more
  /// than the scenes.
  private static let meanReach = 8

  package let zoom: Int

  /// The number `row << bits | column` of each block that a symbol may reach, ascending.
  package let blocks: Column<UInt32>

  /// The hash of each of these blocks: of the symbols that may reach it, in drawing order.
  package let hashes: Column<StableHash>

  /// Creates the blocks of an earlier run; `nil` unless there is one hash for each block.
  package init?(zoom: Int, blocks: Column<UInt32>, hashes: Column<StableHash>) {
    let side = 1 << Self.bits(zoom)
    guard blocks.count == hashes.count, blocks.last.map({ Int($0) < side * side }) ?? true,
      zip(blocks, blocks.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.zoom = zoom
    self.blocks = blocks
    self.hashes = hashes
  }

  /// Hashes the symbols of a zoom.
  ///
  /// - Parameters:
  ///   - seed: a hash of everything else that determines the tiles of the zoom.
  ///   - homes: receives for each symbol the block that it reaches, or `UInt32.max` for several.
  /// - Returns: `nil` where symbols reach too many blocks.
  /// - Complexity: O(symbols + blocks).
  init?(
    of symbols: ZoomSymbols, _ looks: LookTable, grid: PixelGrid, seed: StableHash,
    homes: inout Column<UInt32>
  ) {
    zoom = grid.zoom
    let raster = BlockRaster(grid, bits: Self.bits(zoom))
    var reach = SymbolReach(looks, grid: grid)
    var table = ContiguousArray(repeating: seed, count: raster.side * raster.side)
    var rest = symbols.count * Self.meanReach + table.count
    homes = Column(in: symbols.scratch)
    homes.reserveCapacity(symbols.count)
    let (stacks, xs, ys) = (symbols.stacks, symbols.xs, symbols.ys)
    for row in 0..<symbols.count {
      let (stack, x, y) = (stacks[row], xs[row], ys[row])
      let look = looks.hashes[Int(stack)]
      // Distinct positions give distinct words for one look.
      let east = UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15 ^ look.high
      let south = UInt64(bitPattern: Int64(y)) &* 0xC2B2_AE3D_27D4_EB4F ^ look.low
      let area = raster.area(x: x, y: y, reach: reach.reach(of: stack))
      if let block = area.single {
        table[block].combine(east)
        table[block].combine(south)
        homes.append(UInt32(truncatingIfNeeded: block))
        continue
      }
      homes.append(.max)
      rest -= area.count
      guard rest > 0 else { return nil }
      raster.forEachBlock(of: area) { block in
        table[block].combine(east)
        table[block].combine(south)
      }
    }
    var (blocks, hashes) = (
      Column<UInt32>(in: symbols.scratch), Column<StableHash>(in: symbols.scratch)
    )
    for (block, hash) in table.enumerated() where hash != seed {
      blocks.append(UInt32(truncatingIfNeeded: block))
      hashes.append(hash)
    }
    self.blocks = blocks
    self.hashes = hashes
  }

  /// The blocks along a side of the world, as a power of two.
  static func bits(_ zoom: Int) -> Int { min(max(zoom - leastBlockBits, 0), gridBits) }

  /// Returns the blocks that differ from those of an earlier run; `nil` if more than a quarter
  /// differ, so that making a part of the scenes would not pay.
  ///
  /// - Complexity: O(blocks).
  func changes(since earlier: SymbolBlocks) -> ChangedBlocks? {
    var changed: [Int] = []
    let limit = max(blocks.count, earlier.blocks.count) / 4
    var (own, other) = (0, 0)
    while own < blocks.count || other < earlier.blocks.count {
      let next = own < blocks.count ? blocks[own] : .max
      let last = other < earlier.blocks.count ? earlier.blocks[other] : .max
      if next == last, hashes[own] == earlier.hashes[other] {
        (own, other) = (own + 1, other + 1)
        continue
      }
      changed.append(Int(min(next, last)))
      if changed.count > limit { return nil }
      if next <= last { own += 1 }
      if last <= next { other += 1 }
    }
    return ChangedBlocks(changed, zoom: zoom)
  }
}

/// The blocks of a zoom's symbols that an edit changed.
struct ChangedBlocks: Sendable {
  /// Whether each block changed.
  private let isChanged: [Bool]

  /// The keys (`TileKey`) of the tiles of each changed block, ascending.
  let tileKeys: [Range<UInt64>]

  private let bits: Int

  init(_ blocks: [Int], zoom: Int) {
    bits = SymbolBlocks.bits(zoom)
    let side = 1 << bits
    var isChanged = [Bool](repeating: false, count: side * side)
    for block in blocks { isChanged[block] = true }
    self.isChanged = isChanged
    let shift = UInt64(2 * (zoom - bits))
    tileKeys = blocks.map { [bits] block in
      TileKey(TileCoord(z: bits, x: block & (side - 1), y: block >> bits)).rawValue
    }.sorted().map { $0 << shift..<($0 + 1) << shift }
  }

  /// Returns the symbols that may reach a changed block, in their order.
  ///
  /// - Parameter homes: see ``SymbolBlocks/init(of:_:grid:seed:homes:)``.
  /// - Complexity: O(symbols).
  func symbols(
    of all: ZoomSymbols, _ looks: LookTable, grid: PixelGrid, homes: Column<UInt32>
  ) -> ZoomSymbols {
    let raster = BlockRaster(grid, bits: bits)
    var reach = SymbolReach(looks, grid: grid)
    var kept = ZoomSymbols(in: all.scratch)
    for (row, home) in homes.enumerated() {
      if home != .max {
        guard isChanged[Int(home)] else { continue }
      } else {
        var isReached = false
        let area = raster.area(
          x: all.xs[row], y: all.ys[row], reach: reach.reach(of: all.stacks[row]))
        raster.forEachBlock(of: area) { if isChanged[$0] { isReached = true } }
        guard isReached else { continue }
      }
      kept.append(stack: all.stacks[row], x: all.xs[row], y: all.ys[row])
      if !all.features.isEmpty { kept.features.append(all.features[row]) }
    }
    return kept
  }
}

/// The division of a zoom's world into blocks.
private struct BlockRaster {
  /// The number of blocks along a side of the world.
  let side: Int

  private let bits: Int
  private let division: TileDivision

  init(_ grid: PixelGrid, bits: Int) {
    self.bits = bits
    side = 1 << bits
    division = TileDivision(side: grid.tilePixels * PixelGrid.phases << (grid.zoom - bits))
  }

  /// The columns and rows of blocks around a position; columns beyond the world's edges wrap
  /// around.
  struct Area {
    let columns: ClosedRange<Int>
    let rows: ClosedRange<Int>

    /// The block, if there is only one; otherwise `nil`.
    let single: Int?

    var count: Int { columns.count * rows.count }
  }

  /// Returns the blocks that lie within a distance of a place.
  @inline(__always)
  func area(x: Int, y: Int, reach: Int) -> Area {
    let (west, east) = (division.tile(x - reach), division.tile(x + reach))
    let (north, south) = (division.tile(y - reach), division.tile(y + reach))
    if west == east, north == south, west >= 0, west < side, north >= 0, north < side {
      return Area(columns: west...west, rows: north...north, single: north << bits | west)
    }
    let first = min(max(north, 0), side - 1)
    return Area(
      columns: west...min(east, west + side - 1),
      rows: first...max(first, min(south, side - 1)), single: nil)
  }

  @inline(__always)
  func forEachBlock(of area: Area, _ body: (Int) -> Void) {
    for row in area.rows {
      for column in area.columns { body(row << bits | column & (side - 1)) }
    }
  }
}
