import Columns
import Raster
import Styling
import Tiling

// What always shows takes its room before all labels: circles that are obstacles, and what lies over a
// view of the map.
extension LabelPlacement {
  /// Takes the room of a layer's circles.
  mutating func takeCircles(of layer: LookResolver, in group: SymbolGroup, _ looks: LookTable) {
    for row in 0..<group.symbols.count {
      guard let circle = circle(of: layer, in: looks.stacks[Int(group.symbols.stacks[row])])
      else { continue }
      take(circle, at: Place(x: group.symbols.xs[row], y: group.symbols.ys[row], isExact: true))
    }
  }

  /// Returns the room of a layer's circle around the anchor of its symbol, in 1/16 device px; `nil`
  /// without one.
  func circle(of layer: LookResolver, in stack: LookStack) -> LabelObstacle? {
    for entry in stack where entry.layer == layer.index {
      guard case .circle(let circle) = entry.look else { continue }
      let scale = Double(grid.scale)
      let unit = Double(PixelGrid.phases)
      let radius = circle.shape(scale: scale).drawnOuterRadius * unit
      func start(_ offset: Double) -> Int {
        Int((min(max(offset * scale, -8192), 8192) * unit - radius).rounded(.down))
      }
      let (left, top) = (start(circle.translateX), start(circle.translateY))
      let side = Int((2 * radius).rounded(.up))
      return LabelObstacle(
        left: left, top: top, right: left + side, bottom: top + side, isCircle: true)
    }
    return nil
  }

  /// Takes the room of a box of the world, in device pixels.
  mutating func take(_ box: PixelBox) {
    let unit = PixelGrid.phases
    index.take(
      LabelObstacle(
        left: box.left * unit, top: box.top * unit, right: box.right * unit,
        bottom: box.bottom * unit), with: .never, isBare: true)
  }

  /// Takes the room of a circle, over which only labels that may cover everything show.
  mutating func take(_ circle: LabelObstacle, at place: Place) {
    index.take(place.room(circle), with: .never, isBare: true)
  }
}
