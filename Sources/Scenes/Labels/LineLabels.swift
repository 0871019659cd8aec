import Platform
import Raster
import Styling
import Tiling

/// A writer of one layer's labels along lines, over the whole world of one zoom.
///
/// Anchors are measured from the start of the whole line, never from a tile's edge.
struct LineLabels {
  /// A label and the position of its middle.
  struct Label {
    let place: WorldPlace
    let look: TextLook
  }

  private let layer: LookResolver
  private let shaper: TextShaper

  /// The side of the world, in style px.
  private let worldSide: Double

  private let spacing: Double
  private let maxAngle: Double
  private var repeats: RepeatedLabels

  /// The maximum length of a label, in style px; longer labels are not written, since a mask ends
  /// 2,048 device px from its anchor.
  private static let maxLength = 1000.0

  init(layer: LookResolver, grid: PixelGrid, shaper: TextShaper) {
    self.layer = layer
    self.shaper = shaper
    worldSide = Double(grid.worldPixels / grid.scale)
    spacing = max(1, layer.values.constant(.symbolSpacing, 250))
    maxAngle = layer.values.constant(.textMaxAngle, 45)
    repeats = RepeatedLabels(distance: spacing / 2)
  }

  /// Returns the labels of a feature on one of its lines.
  ///
  /// - Parameter look: the feature's label, lying flat.
  /// - Complexity: O(vertices + labels · glyphs · log vertices).
  mutating func labels(_ look: TextLook, on places: [WorldPlace]) throws -> [Label] {
    guard places.count > 1 else { return [] }
    let line = LabelLine(places, worldSide: worldSide)
    var flat = look
    // The offset moves the glyphs along and across the line, not the text's boxes.
    if layer.followsLine {
      flat.style.offsetX = 0
      flat.style.offsetY = 0
      flat.style.justify = .center
    }
    let layout = try shaper.layout(flat.sections, style: flat.style)
    guard layout.width <= Self.maxLength, layout.width <= line.length else { return [] }
    let size = min(look.style.size, TextStyle.maxSize)
    var downward = flat
    downward.style.writingMode = .vertical
    let column =
      layer.mayRunDownward(flat.sections)
      ? try shaper.layout(downward.sections, style: downward.style) : nil
    var labels: [Label] = []
    for distance in anchors(on: line, labelLength: layout.width, size: size) {
      guard let middle = line.place(at: distance) else { continue }
      var placed = flat
      if layer.followsLine {
        let isSteep = column.map { line.isSteep(around: distance, length: $0.width) } ?? false
        placed = isSteep ? downward : flat
        guard
          let poses = poses(
            of: isSteep ? column ?? layout : layout, at: distance, on: line, look: look,
            size: size, isDownward: isSteep)
        else { continue }
        placed.poses = poses
      }
      if layer.placement == .line, !repeats.insert(look.text, x: middle.x, y: middle.y) {
        continue
      }
      labels.append(
        Label(place: WorldPlace(x: middle.x / worldSide, y: middle.y / worldSide), look: placed))
    }
    return labels
  }

  private func anchors(on line: LabelLine, labelLength: Double, size: Double) -> [Double] {
    guard layer.placement == .line else {
      let middle = line.length / 2
      let fits = line.bears(labelLength, at: middle, size: size, maxAngle: maxAngle)
      return fits ? [middle] : []
    }
    return line.anchors(
      labelLength: labelLength, spacing: spacing, size: size, maxAngle: maxAngle)
  }

  /// Returns the poses of the glyphs; `nil` if one would lie beyond the line's end.
  private func poses(
    of layout: TextLayout, at distance: Double, on line: LabelLine, look: TextLook, size: Double,
    isDownward: Bool
  ) -> [GlyphPose]? {
    let middles = layout.middles
    let along = look.style.offsetX * size
    let across = look.style.offsetY * size
    guard let center = line.place(at: distance), let first = middles.min(),
      let last = middles.max()
    else { return nil }
    let isFlipped: Bool
    if let start = line.place(at: distance + along + first),
      let end = line.place(at: distance + along + last), first < last
    {
      isFlipped = keepsUpright && (isDownward ? start.y > end.y : start.x > end.x)
    } else {
      isFlipped = keepsUpright && (isDownward ? center.directionY : center.directionX) < 0
    }
    // A flipped label runs from the line's end to its start; its offset does not.
    let way: Double = isFlipped ? -1 : 1
    let ends = [distance + along + way * first, distance + along + way * last]
    guard ends.allSatisfy({ (0...line.length).contains($0) }) else { return nil }
    let angle = look.style.rotate * .pi / 180
    let (cosine, sine) = (cos(angle), sin(angle))
    return middles.compactMap { middle in
      guard let place = line.place(at: distance + along + way * middle) else { return nil }
      let x = layer.keepsGlyphsUpright ? 1 : way * place.directionX
      let y = layer.keepsGlyphsUpright ? 0 : way * place.directionY
      return GlyphPose(
        x: Float(place.x - place.directionY * across - center.x),
        y: Float(place.y + place.directionX * across - center.y),
        cosine: Float(x * cosine - y * sine), sine: Float(y * cosine + x * sine))
    }
  }

  private var keepsUpright: Bool { layer.values.constantFlag(.textKeepUpright, true) }
}

/// The places of each text of a layer, so that a text does not repeat itself on lines close by.
private struct RepeatedLabels {
  private struct Cell: Hashable {
    let text: String
    let column: Int
    let row: Int
  }

  /// The distance, in pixels, within which a text is not repeated: half of the spacing.
  private let distance: Double
  private var places: [Cell: [(x: Double, y: Double)]] = [:]

  init(distance: Double) {
    self.distance = distance
  }

  /// Records a place for a text; returns `false` if the same text stands too close.
  mutating func insert(_ text: String, x: Double, y: Double) -> Bool {
    let column = Int((x / distance).rounded(.down))
    let row = Int((y / distance).rounded(.down))
    for nearColumn in (column - 1)...(column + 1) {
      for nearRow in (row - 1)...(row + 1) {
        let near = places[Cell(text: text, column: nearColumn, row: nearRow)] ?? []
        let isTooClose = near.contains { other in
          let (dx, dy) = (other.x - x, other.y - y)
          return dx * dx + dy * dy < distance * distance
        }
        if isTooClose { return false }
      }
    }
    places[Cell(text: text, column: column, row: row), default: []].append((x, y))
    return true
  }
}
