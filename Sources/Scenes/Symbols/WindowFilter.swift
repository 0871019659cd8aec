import Columns
import Raster
import Styling
import Tiling

/// A filter for the symbols that may show in a part of the world. All labels of the world are
/// placed, but drawing a label to measure it takes longer than placing it, so only these are
/// measured.
struct WindowFilter {
  /// The west edge of the window, in steps of a position; the others follow, then the world's
  /// width.
  private let west: Int
  private let east: Int
  private let north: Int
  private let south: Int
  private let world: Int

  private var reaches: SymbolReach

  /// - Returns: `nil` if the range holds all tiles of its zoom.
  init?(_ range: TileRange, grid: PixelGrid, looks: LookTable) {
    let across = grid.tilesAcross
    guard range.count < across * across else { return nil }
    let side = grid.tilePixels * PixelGrid.phases
    reaches = SymbolReach(looks, grid: grid)
    world = across * side
    west = range.firstColumn * side
    let columns = range.count / max(range.lastRow - range.firstRow + 1, 1)
    east = west + columns * side
    north = range.firstRow * side
    south = (range.lastRow + 1) * side
  }

  /// Returns the symbols that may show a pixel in the window, in their order.
  mutating func symbols(_ all: ZoomSymbols) -> ZoomSymbols {
    var kept = ZoomSymbols(in: all.scratch)
    for row in 0..<all.count where mayShow(all.stacks[row], x: all.xs[row], y: all.ys[row]) {
      kept.append(stack: all.stacks[row], x: all.xs[row], y: all.ys[row])
      if !all.features.isEmpty { kept.features.append(all.features[row]) }
    }
    return kept
  }

  private mutating func mayShow(_ stack: UInt32, x: Int, y: Int) -> Bool {
    // The copies of the world on both sides, which continue across its edge.
    let across = min(
      Self.distance(x, west, east), Self.distance(x - world, west, east),
      Self.distance(x + world, west, east))
    let distance = max(across, Self.distance(y, north, south))
    return distance <= 0 || distance <= reaches.reach(of: stack)
  }

  private static func distance(_ place: Int, _ first: Int, _ last: Int) -> Int {
    max(first - place, place - last, 0)
  }
}
