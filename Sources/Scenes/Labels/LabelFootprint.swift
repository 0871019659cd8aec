package import Raster
package import Styling

/// The room that a label takes up around its anchor, in device px, for collisions and for taps.
package struct LabelFootprint {
  /// The number of device pixels per style pixel.
  private let scale: Double
  private let shaper: TextShaper

  /// The distance from the anchor, in device px, within which a label takes up room; it bounds the
  /// number of squares for one label.
  private static let reach = 8192.0

  package init(scale: Int, shaper: TextShaper) {
    self.scale = Double(scale)
    self.shaper = shaper
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
    return LabelObstacle(
      left: Self.pixel((lines.minX + x).rounded(.down)),
      top: Self.pixel((lines.minY + y).rounded(.down)),
      right: Self.pixel((lines.maxX + x).rounded(.up)),
      bottom: Self.pixel((lines.maxY + y).rounded(.up)))
  }

  /// Returns the box around an icon and the space that it keeps free, turned as the icon is.
  package func box(of icon: IconLook, padding: BoxSides = BoxSides()) -> LabelObstacle {
    let box = icon.bounds(padding: padding)
    let x = icon.translateX
    let y = icon.translateY
    return LabelObstacle(
      left: Self.pixel(((box.minX + x) * scale).rounded(.down)),
      top: Self.pixel(((box.minY + y) * scale).rounded(.down)),
      right: Self.pixel(((box.maxX + x) * scale).rounded(.up)),
      bottom: Self.pixel(((box.maxY + y) * scale).rounded(.up)))
  }

  /// Returns a row of circles along the glyphs, as high as the text.
  ///
  /// As in MapLibre, a circle is at least ten 24ths of an em wide, and its neighbour stands up to
  /// two and a half radii away.
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
        left: Self.pixel((x - radius).rounded()), top: Self.pixel((y - radius).rounded()),
        right: Self.pixel((x + radius).rounded()), bottom: Self.pixel((y + radius).rounded()),
        isCircle: true)
    }
  }

  /// Returns a coordinate of a box, limited to the reach of a label.
  private static func pixel(_ value: Double) -> Int {
    guard value > -Self.reach else { return Int(-Self.reach) }
    return Int(min(value, Self.reach))
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
