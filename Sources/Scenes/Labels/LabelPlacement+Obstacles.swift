import Columns
import Raster
import Styling
import Tiling

// What always shows takes its room before all labels: circles and charts that are obstacles, and what lies
// over a view of the map.
extension LabelPlacement {
  /// Takes the room of a layer's circles or charts.
  mutating func takeObstacles(of layer: LookResolver, in group: SymbolGroup, _ looks: LookTable) {
    for row in 0..<group.symbols.count {
      guard let room = obstacle(of: layer, in: looks.stacks[Int(group.symbols.stacks[row])])
      else { continue }
      take(room, at: Place(x: group.symbols.xs[row], y: group.symbols.ys[row], isExact: true))
    }
  }

  /// Returns the room of a layer's circle or chart around the anchor of its symbol, in 1/16 device px;
  /// `nil` without one.
  func obstacle(of layer: LookResolver, in stack: LookStack) -> LabelObstacle? {
    let scale = Double(grid.scale)
    for entry in stack where entry.layer == layer.index {
      let (reach, isCircle): ((x: Double, y: Double), Bool)
      switch entry.look {
      case .circle(let circle):
        let radius = circle.shape(scale: scale).drawnOuterRadius
        (reach, isCircle) = ((radius, radius), true)
      case .chart(let chart): (reach, isCircle) = (chart.shape(scale: scale).reach, chart.isRound)
      case .leg, .text, .icon: continue
      }
      let unit = Double(PixelGrid.phases)
      func start(_ offset: Double, _ reach: Double) -> Int {
        Int((min(max(offset * scale, -8192), 8192) * unit - reach * unit).rounded(.down))
      }
      let (left, top) = (
        start(entry.look.translateX, reach.x), start(entry.look.translateY, reach.y)
      )
      return LabelObstacle(
        left: left, top: top, right: left + Int((2 * reach.x * unit).rounded(.up)),
        bottom: top + Int((2 * reach.y * unit).rounded(.up)), isCircle: isCircle)
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

  /// Takes the room of a circle or chart, over which only labels that may cover everything show.
  mutating func take(_ obstacle: LabelObstacle, at place: Place) {
    index.take(place.room(obstacle), with: .never, isBare: true)
  }
}
