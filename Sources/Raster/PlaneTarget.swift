/// Write access to a plane's memory; the plane must outlive it.
struct PlaneTarget {
  private let sums: UnsafeMutablePointer<UInt16>
  private let logarithms: UnsafePointer<UInt16>
  private let bounds: UnsafeMutablePointer<(lower: Int32, upper: Int32)>
  private let width: Int

  /// The opacity of what is drawn, 0 … 255.
  private let whole: Double

  /// Whether overlapping shapes keep the greatest coverage of a pixel instead of adding up.
  private let takesGreatest: Bool

  init?(_ plane: borrowing CoveragePlane, opacity: Double, takesGreatest: Bool) {
    self.takesGreatest = takesGreatest
    guard let sums = plane.sums.baseAddress, let bounds = plane.touched.bounds.baseAddress
    else { return nil }
    self.sums = sums
    logarithms = UnsafePointer(plane.logarithms.values)
    self.bounds = bounds
    width = plane.width
    whole = opacity * 255
  }

  /// Touches a span, and returns the address of its row.
  @inline(__always)
  func row(of span: StrokeSpan) -> UnsafeMutablePointer<UInt16> {
    let old = bounds[span.row]
    bounds[span.row] = (
      min(old.lower, Int32(truncatingIfNeeded: span.columns.lowerBound)),
      max(old.upper, Int32(truncatingIfNeeded: span.columns.upperBound))
    )
    return sums + span.row &* width
  }

  /// Draws over a pixel with a coverage of 0 … 1.
  @inline(__always)
  func add(_ coverage: Double, at pixel: UnsafeMutablePointer<UInt16>) {
    let above = nearestInt(coverage * whole)
    pixel.pointee =
      takesGreatest
      ? max(pixel.pointee, logarithms[above])
      : CoverageLogarithms.sum(pixel.pointee, above, logarithms)
  }
}

/// Returns the whole number nearest to a value between ±2³¹. Adding 1.5 · 2⁵² leaves no bits for
/// the fraction, which avoids the checks and the library call of rounding and converting.
@inline(__always)
func nearestInt(_ value: Double) -> Int {
  Int(Int32(truncatingIfNeeded: (value + 0x1.8p52).bitPattern))
}
