import Features
package import Raster

/// The line from a spread point to the middle of its stack, with all values resolved: the look of one
/// feature in one `leg` layer.
///
/// Lengths are style pixels; the colour includes its opacity.
package struct LegLook: Hashable, Sendable {
  /// The end of the line, from the point eastward and southward.
  package var end: SIMD2<Double>
  package var width: Double
  package var color: Color

  /// Returns the line as an outline around the point at (0, 0).
  ///
  /// - Parameter scale: device pixels per style pixel.
  package func path(scale: Double) -> Path {
    let length = (end * end).sum().squareRoot()
    var path = Path()
    guard length > 0 else { return path }
    let unit = scale * Double(Path.unitsPerPixel)
    let side = SIMD2(-end.y, end.x) / length * width / 2
    let corners = [side, end + side, end - side, -side].map { corner in
      let place = corner * unit
      return (Int32(clamping: Int(place.x.rounded())), Int32(clamping: Int(place.y.rounded())))
    }
    path.move(toX: corners[0].0, y: corners[0].1)
    for corner in corners.dropFirst() { path.addLine(toX: corner.0, y: corner.1) }
    path.close()
    return path
  }

  /// The box of the line, in style pixels around the point.
  package var bounds: ShapedText.Box {
    let side = width / 2
    return ShapedText.Box(
      minX: min(end.x, 0) - side, minY: min(end.y, 0) - side, maxX: max(end.x, 0) + side,
      maxY: max(end.y, 0) + side)
  }

  var isInvisible: Bool { width <= 0 || color.alpha <= 0 || end == .zero }
}

extension StableHash {
  mutating func combine(_ look: LegLook) {
    combine(6)
    for value in [look.end.x, look.end.y, look.width] { combine(value) }
    combine(look.color)
  }
}

extension LookResolver {
  /// Returns the leg of a spread point; `nil` for other features.
  func leg(_ feature: any LookFeature) -> LegLook? {
    feature.leg.map { end in
      LegLook(
        end: end, width: radius(values.number(.legWidth, 1, feature)),
        color: values.color(.legColor, .black, feature).faded(
          values.number(.legOpacity, 1, feature)))
    }
  }
}
