import Platform

/// The interpolation between one stop and the next.
package enum Easing: Hashable, Sendable {
  case linear
  /// An exponential curve through both stops; base 1 is linear, above 1 it rises late.
  case exponential(base: Double)
  /// A cubic Bézier curve from (0, 0) to (1, 1) with two control points, as in CSS.
  case cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double)

  /// Returns the weight of the upper stop's output at an input, 0 at `lower` and 1 at `upper`.
  package func fraction(_ input: Double, from lower: Double, to upper: Double) -> Double {
    let difference = upper - lower
    guard difference != 0 else { return 0 }
    let progress = input - lower
    switch self {
    case .linear, .exponential(base: 1): return progress / difference
    // (b^x − b^x₀) / (b^x₁ − b^x₀), divided by b^x₀.
    case .exponential(let base): return (pow(base, progress) - 1) / (pow(base, difference) - 1)
    case .cubicBezier(let x1, let y1, let x2, let y2):
      return CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2).solve(progress / difference)
    }
  }
}

/// A Bézier curve from (0, 0) to (1, 1) in polynomial form.
private struct CubicBezier {
  private var x: (a: Double, b: Double, c: Double)
  private var y: (a: Double, b: Double, c: Double)

  init(x1: Double, y1: Double, x2: Double, y2: Double) {
    func coefficients(_ first: Double, _ second: Double) -> (a: Double, b: Double, c: Double) {
      let c = 3 * first
      let b = 3 * (second - first) - c
      return (1 - c - b, b, c)
    }
    x = coefficients(x1, x2)
    y = coefficients(y1, y2)
  }

  /// Returns the height of the curve above `position` 0 … 1.
  ///
  /// x increases with the parameter since the control points lie within 0 … 1, so bisection finds
  /// it: 60 halvings leave less than one unit in the last place.
  func solve(_ position: Double) -> Double {
    var low = 0.0
    var high = 1.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if ((x.a * middle + x.b) * middle + x.c) * middle < position {
        low = middle
      } else {
        high = middle
      }
    }
    let t = (low + high) / 2
    return ((y.a * t + y.b) * t + y.c) * t
  }
}
