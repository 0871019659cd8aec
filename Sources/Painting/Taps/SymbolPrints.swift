import Raster
import Scenes
import Styling
import Tiling

/// The area that a look of a stack covers around the anchor, in device pixels: a disc or a box.
struct SymbolPrint: BitwiseCopyable {
  /// The index of the layer in the style.
  let layer: Int32

  /// Whether only the disc within the box counts.
  let isDisc: Bool

  /// Whether the position is the pixel of the anchor, as for labels, or the exact anchor.
  let isOnPixel: Bool
  let left: Double
  let top: Double
  let right: Double
  let bottom: Double
}

/// The prints of look stacks by number, measured once each; one per worker.
///
/// They are stored in columns without an object per stack: a tile looks up each of its symbols.
struct SymbolPrints {
  private let scale: Int
  private let footprint: LabelFootprint
  private let layers: Set<Int>
  private var prints = ContiguousArray<SymbolPrint>()

  /// The range of each stack's prints in ``prints``; the lower bound is −1 if it is not known.
  private var ranges = ContiguousArray<Stretch>()

  private struct Stretch: BitwiseCopyable {
    var start: Int32 = -1
    var end: Int32 = -1
  }

  /// - Parameter layers: indexes of the layers that count.
  init(scale: Int, footprint: LabelFootprint, layers: Set<Int>) {
    self.scale = scale
    self.footprint = footprint
    self.layers = layers
  }

  init(scale: Int, fonts: FontLibrary, layers: Set<Int>) {
    self.init(
      scale: scale, footprint: LabelFootprint(scale: scale, shaper: TextShaper(fonts: fonts)),
      layers: layers)
  }

  /// Returns the prints of a stack, back to front, as indexes for the subscript.
  mutating func range(of stack: UInt32, in looks: LookTable) throws -> Range<Int> {
    let index = Int(stack)
    if index >= ranges.count {
      ranges.append(contentsOf: repeatElement(Stretch(), count: index + 1 - ranges.count))
    }
    if ranges[index].start < 0 {
      let start = Int32(truncatingIfNeeded: prints.count)
      for entry in looks.stacks[index] where layers.contains(entry.layer) {
        try append(entry.look, layer: Int32(truncatingIfNeeded: entry.layer))
      }
      ranges[index] = Stretch(start: start, end: Int32(truncatingIfNeeded: prints.count))
    }
    return Int(ranges[index].start)..<Int(ranges[index].end)
  }

  subscript(index: Int) -> SymbolPrint { prints[index] }

  private mutating func append(_ look: Look, layer: Int32) throws {
    switch look {
    case .circle(let circle):
      let radius = circle.shape(scale: Double(scale)).drawnOuterRadius
      append(look, layer, reach: (radius, radius), isDisc: true)
    case .chart(let chart):
      append(look, layer, reach: chart.shape(scale: Double(scale)).reach, isDisc: chart.isRound)
    case .leg: break
    case .icon(let icon):
      let box = footprint.box(of: icon)
      prints.append(
        SymbolPrint(
          layer: layer, isDisc: false, isOnPixel: true, left: Double(box.left),
          top: Double(box.top), right: Double(box.right), bottom: Double(box.bottom)))
    case .text(let text):
      for box in try footprint.obstacles(of: text) {
        prints.append(
          SymbolPrint(
            layer: layer, isDisc: box.isCircle, isOnPixel: true, left: Double(box.left),
            top: Double(box.top), right: Double(box.right), bottom: Double(box.bottom)))
      }
    }
  }

  /// Appends the print of a look around its exact anchor.
  private mutating func append(
    _ look: Look, _ layer: Int32, reach: (x: Double, y: Double), isDisc: Bool
  ) {
    // Offset like sprites, in whole steps.
    let steps = Double(PixelGrid.phases)
    let x = (look.translateX * Double(scale) * steps).rounded() / steps
    let y = (look.translateY * Double(scale) * steps).rounded() / steps
    prints.append(
      SymbolPrint(
        layer: layer, isDisc: isDisc, isOnPixel: false, left: x - reach.x, top: y - reach.y,
        right: x + reach.x, bottom: y + reach.y))
  }
}
