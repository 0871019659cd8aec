/// The opacity of a line across its width, by MapLibre's line shader: a ramp at each side, as wide
/// as one pixel plus the blur.
struct StrokeRamp {
  /// The distance from the middle at which the line ends, in px: half a pixel beyond its side.
  let outset: Double

  /// The distance from the middle at which the line begins beside its gap, in px; −∞ without a
  /// gap.
  private let inset: Double
  private let inverseWidth: Double

  /// - Parameter style: bounded.
  init(_ style: StrokeStyle) {
    let gap = style.gapWidth / 2
    let width = style.blur + 1
    let side = style.gapWidth > 0 ? gap + style.width : style.width / 2
    outset = side + 0.5
    inset = style.gapWidth > 0 ? gap + 0.5 - width : -.infinity
    inverseWidth = 1 / width
  }

  /// Returns the opacity, 0 … 1, at a distance from the middle.
  @inline(__always)
  func opacity(at distance: Double) -> Double {
    min(max(min(distance - inset, outset - distance) * inverseWidth, 0), 1)
  }
}
