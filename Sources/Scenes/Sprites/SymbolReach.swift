import Columns
import Raster
import Styling
import Tiling

/// The distances from their anchors beyond which look stacks show no pixel, in 1/16 device px.
///
/// They follow from the looks alone: nothing is drawn to find them.
struct SymbolReach {
  private let looks: LookTable
  private let scale: Double

  /// The width of the world, in 1/16 device px: the reach of looks without a bound.
  let world: Int

  /// The reach of each stack, by number; negative where it is not known yet.
  private var reaches: [Int]

  /// The most ems that a glyph may extend beyond its place for one scalar: the widest ligatures of
  /// common fonts have about ten.
  private static let emsPerScalar = 12.0

  /// - Complexity: O(stacks).
  init(_ looks: LookTable, grid: PixelGrid) {
    self.looks = looks
    scale = Double(grid.scale)
    world = grid.worldPixels * PixelGrid.phases
    reaches = [Int](repeating: -1, count: looks.stacks.count)
  }

  /// Returns the reach of a stack.
  @inline(__always)
  mutating func reach(of stack: UInt32) -> Int {
    let known = reaches[Int(stack)]
    return known >= 0 ? known : found(stack)
  }

  private mutating func found(_ stack: UInt32) -> Int {
    let reach = looks.stacks[Int(stack)].reduce(0.0) { max($0, self.reach(of: $1.look)) }
    let steps = reach * scale * Double(PixelGrid.phases)
    let bounded = steps.isFinite && steps < 1e15 ? Int(steps) : world
    reaches[Int(stack)] = bounded
    return bounded
  }

  /// Returns a distance from the anchor, in style px, beyond which a look shows nothing.
  private func reach(of look: Look) -> Double {
    // The room for antialiased edges and rounded positions, in pixels.
    let edge = 4.0
    let translation = max(abs(look.translateX), abs(look.translateY))
    switch look {
    case .circle(let circle):
      return translation + circle.shape(scale: scale).drawnOuterRadius / scale + edge
    case .chart(let chart):
      let reach = chart.shape(scale: scale).reach
      return translation + max(reach.x, reach.y) / scale + edge
    case .leg(let leg):
      let box = leg.bounds
      return [box.minX, box.minY, box.maxX, box.maxY].reduce(edge) { max($0, abs($1)) } + edge
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
