package import Raster
package import Styling

/// The room that a label takes up around its anchor, in device px, for collisions and for taps.
package struct LabelFootprint {
  /// The number of device pixels per style pixel.
  private let scale: Double
  private let shaper: TextShaper

  /// The number of steps per device pixel in which room is measured. With one step, boxes are
  /// rounded outward to hold the whole label; with more, they are rounded to the nearest step.
  private let steps: Int

  /// The distance from the anchor, in device px, within which a label takes up room; it bounds the
  /// number of squares for one label.
  private static let reach = 8192.0

  package init(scale: Int, shaper: TextShaper, steps: Int = 1) {
    self.scale = Double(scale)
    self.shaper = shaper
    self.steps = steps
  }

  /// The size of a flat label's lines, in device px.
  struct Size {
    let width: Double
    let height: Double
  }

  /// Returns the size of a flat label.
  func size(of look: TextLook) throws -> Size {
    let layout = try layout(of: look)
    return Size(width: layout.width, height: layout.height)
  }

  private func layout(of look: TextLook) throws -> TextLayout {
    var style = look.style
    style.size *= scale
    return try shaper.layout(look.sections, style: style)
  }

  /// Returns the box of a flat label, or the circles of a label along a line.
  package func obstacles(of look: TextLook) throws -> [LabelObstacle] {
    look.poses.isEmpty ? [box(of: look, try size(of: look))] : try circles(along: look)
  }

  /// Returns the box around the lines of a flat label, turned as the label is.
  func box(of look: TextLook, _ size: Size) -> LabelObstacle {
    let lines = look.style.box(width: size.width, height: size.height, scale: scale)
    let x = look.translateX * scale
    let y = look.translateY * scale
    return obstacle(
      (left: lines.minX + x, top: lines.minY + y), (right: lines.maxX + x, bottom: lines.maxY + y))
  }

  /// Returns the box around an icon and the space that it keeps free, turned as the icon is.
  package func box(of icon: IconLook, padding: BoxSides = BoxSides()) -> LabelObstacle {
    let box = icon.bounds(padding: padding)
    let x = icon.translateX
    let y = icon.translateY
    return obstacle(
      (left: (box.minX + x) * scale, top: (box.minY + y) * scale),
      (right: (box.maxX + x) * scale, bottom: (box.maxY + y) * scale))
  }

  /// Returns a row of circles along the glyphs, as high as the text.
  ///
  /// As in MapLibre, a circle is at least 10/24 em wide, and the next one is up to two and a half
  /// radii away.
  func circles(along look: TextLook) throws -> [LabelObstacle] {
    let size = min(look.style.size * scale, TextStyle.maxSize)
    let radius = max(try layout(of: look).height, size * 10 / 24) / 2
    guard (0.01..<Self.reach).contains(radius) else { return [] }
    let path = LabelPath(look.poses, scale: scale)
    let margin = min(radius / 4, path.length / 2)
    let count =
      path.length <= radius / 2
      ? 1 : Int(min(((path.length - 2 * margin) / (2.5 * radius)).rounded(.up), 1024)) + 1
    return (0..<count).map { number in
      let share = count == 1 ? 0.5 : Double(number) / Double(count - 1)
      let middle = path.place(at: margin + share * (path.length - 2 * margin))
      let x = middle.x + look.translateX * scale
      let y = middle.y + look.translateY * scale
      return LabelObstacle(
        left: step(x - radius, .toNearestOrAwayFromZero),
        top: step(y - radius, .toNearestOrAwayFromZero),
        right: step(x + radius, .toNearestOrAwayFromZero),
        bottom: step(y + radius, .toNearestOrAwayFromZero), isCircle: true)
    }
  }

  /// Returns a box of device pixels in steps.
  private func obstacle(
    _ corner: (left: Double, top: Double), _ opposite: (right: Double, bottom: Double)
  ) -> LabelObstacle {
    let isWhole = steps == 1
    return LabelObstacle(
      left: step(corner.left, isWhole ? .down : .toNearestOrAwayFromZero),
      top: step(corner.top, isWhole ? .down : .toNearestOrAwayFromZero),
      right: step(opposite.right, isWhole ? .up : .toNearestOrAwayFromZero),
      bottom: step(opposite.bottom, isWhole ? .up : .toNearestOrAwayFromZero))
  }

  /// Returns a coordinate of a box in steps, limited to the reach of a label.
  private func step(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int {
    guard value > -Self.reach else { return -Int(Self.reach) * steps }
    return Int((min(value, Self.reach) * Double(steps)).rounded(rule))
  }
}

/// The path of a label's glyphs, in device px around its anchor.
private struct LabelPath {
  private var places: [(x: Double, y: Double, distance: Double)] = []

  init(_ poses: [GlyphPose], scale: Double) {
    for pose in poses {
      let (x, y) = (Double(pose.x) * scale, Double(pose.y) * scale)
      let way = places.last.map { last in
        let (dx, dy) = (x - last.x, y - last.y)
        return last.distance + (dx * dx + dy * dy).squareRoot()
      }
      places.append((x, y, way ?? 0))
    }
  }

  var length: Double { places.last?.distance ?? 0 }

  func place(at distance: Double) -> (x: Double, y: Double) {
    guard let next = places.firstIndex(where: { $0.distance >= distance }) else {
      return places.last.map { ($0.x, $0.y) } ?? (0, 0)
    }
    let end = places[next]
    guard next > 0, end.distance > places[next - 1].distance else { return (end.x, end.y) }
    let start = places[next - 1]
    let share = (distance - start.distance) / (end.distance - start.distance)
    return (start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
  }
}
