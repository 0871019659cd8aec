/// A world drawn smaller around the middle of a view, so that the tiles of a whole zoom show it at
/// a fractional zoom.
///
/// The middle of the view becomes the middle of the square. The square shows the world once, or as
/// often as the view does; the world does not continue across the edges of the square.
package struct WorldScaling: Hashable, Sendable {
  /// The width of the world as a fraction of its width at the zoom of the tiles, above 0 and at most 1.
  package let factor: Double

  /// The middle of the view.
  package let center: WorldPoint

  /// The distance from the middle of the view, in worlds, up to which the world is drawn: half a world,
  /// or more where the view is wider than the world; never beyond the square.
  package let reach: Double

  package init(factor: Double, center: WorldPoint, reach: Double = 0.5) {
    precondition(factor > 0 && factor <= 1, "the world does not grow")
    self.factor = factor
    self.center = center
    self.reach = min(max(reach, 0.5), 0.5 / factor)
  }

  /// Returns where a position is drawn; a position beyond the north or south edge of the square is
  /// drawn on the edge.
  package func scaled(_ point: WorldPoint) -> WorldPoint {
    let east = Double(Int32(bitPattern: point.x &- center.x)) * factor
    return WorldPoint(
      x: UInt32(0x1p31 + east.rounded(.down)),
      y: WorldPoint.fixed(scaled(y: Double(point.y) / 0x1p32)))
  }

  /// Returns the place of an `x` in worlds eastward from 180° W, not wrapped.
  package func scaled(x: Double) -> Double { 0.5 + (x - centerX) * factor }

  /// Returns the place of a `y` in worlds southward from 85.0511° N.
  package func scaled(y: Double) -> Double { 0.5 + (y - Double(center.y) / 0x1p32) * factor }

  /// Returns the numbers of turns eastward for which an item from `west` to `east` lies within
  /// ``reach`` at least in part: mostly one.
  package func turns(west: Double, east: Double) -> ClosedRange<Int> {
    let first = Int((centerX - reach - east).rounded(.up))
    let last = Int((centerX + reach - west).rounded(.down))
    return first...max(first, last)
  }

  private var centerX: Double { Double(center.x) / 0x1p32 }
}
