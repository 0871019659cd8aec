import Columns
import Raster
import Styling
import Tiling

/// A filter for the symbols that may show in a part of the world, so that the others need not be
/// measured: labels are placed among all of the world's, but drawing one to measure it takes longer
/// than placing it.
struct WindowFilter {
  private let looks: LookTable
  private let scale: Double

  /// The window in steps of a position, its west edge first; the world's width in them.
  private let west: Int
  private let east: Int
  private let north: Int
  private let south: Int
  private let world: Int

  /// The reach of each stack that was asked for, in steps.
  private var reaches: [UInt32: Int] = [:]

  /// The most ems that a glyph may extend beyond its place for one scalar: the widest ligatures of
  /// common fonts have about ten.
  private static let emsPerScalar = 12.0

  /// - Returns: `nil` if the range holds all tiles of its zoom.
  init?(_ range: TileRange, grid: PixelGrid, looks: LookTable) {
    let across = grid.tilesAcross
    guard range.count < across * across else { return nil }
    let side = grid.tilePixels * PixelGrid.phases
    self.looks = looks
    scale = Double(grid.scale)
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
    // The copies of the world to both sides come round its edge.
    let across = min(
      Self.distance(x, west, east), Self.distance(x - world, west, east),
      Self.distance(x + world, west, east))
    let distance = max(across, Self.distance(y, north, south))
    return distance <= 0 || distance <= reach(of: stack)
  }

  private static func distance(_ place: Int, _ first: Int, _ last: Int) -> Int {
    max(first - place, place - last, 0)
  }

  private mutating func reach(of stack: UInt32) -> Int {
    if let known = reaches[stack] { return known }
    let reach = looks.stacks[Int(stack)].reduce(0.0) { max($0, self.reach(of: $1.look)) }
    let steps = reach * scale * Double(PixelGrid.phases)
    let bounded = steps.isFinite && steps < 1e15 ? Int(steps) : world
    reaches[stack] = bounded
    return bounded
  }

  /// Returns a distance from the anchor, in style px, beyond which a look shows nothing.
  private func reach(of look: Look) -> Double {
    // Antialiased edges and rounded positions.
    let edge = 4.0
    let translation = max(abs(look.translateX), abs(look.translateY))
    switch look {
    case .circle(let circle):
      return translation + circle.shape(scale: scale).drawnOuterRadius / scale + edge
    case .icon(let icon):
      let box = icon.drawnBounds
      return translation
        + [box.minX, box.minY, box.maxX, box.maxY].reduce(edge) { max($0, abs($1)) }
    case .text(let text):
      guard text.images.isEmpty else { return .infinity }
      let style = text.style
      let largest = text.sections.reduce(1) { max($0, $1.scale) }
      let em = style.size * largest
      let step = Self.emsPerScalar + abs(style.letterSpacing) + abs(style.lineHeight)
      let place = text.poses.reduce(0.0) { max($0, abs(Double($1.x)), abs(Double($1.y))) }
      let offset = (abs(style.offsetX) + abs(style.offsetY)) * style.size
      return translation + place + offset + max(text.haloWidth, 0) + 2 * max(text.haloBlur, 0)
        + Double(text.text.unicodeScalars.count + 1) * em * step + edge
    }
  }
}
