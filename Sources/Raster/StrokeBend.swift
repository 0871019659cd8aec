/// A bend of a line, with the way of filling its outer side, by the rules of MapLibre's line
/// bucket.
struct StrokeBend {
  enum Kind {
    /// Both sides meet in their corners.
    case miter

    /// The outer corner is cut off; a sharp one by exchanging the sides.
    case bevel, flipped

    /// A round side of triangles, or where the bend is sharp the caps of both edges.
    case fan, round
  }

  let kind: Kind

  /// The vector to the right corner of a miter, or to the first one of a flipped bevel.
  private(set) var tip: SIMD2<Double>

  /// The normals of both edges.
  let before: SIMD2<Double>
  let after: SIMD2<Double>

  /// Whether the outer corner is the left one of the pair.
  let turnsLeft: Bool

  /// Whether the bend is so sharp, more than 75°, that slanted dashes would be noticeable.
  let isSharp: Bool

  private let miterLength: Double
  private let cosHalf: Double

  /// The cosine of half of 75°, the angle from which bends are sharp.
  private static let sharpCosine = 0.793_353_340_291_235

  init(_ edge: StrokeEdge, _ next: StrokeEdge, _ style: StrokeStyle) {
    before = edge.normal
    after = next.normal
    let sum = before + after
    let size = (sum * sum).sum().squareRoot()
    let normal = size > 0 ? sum / size : .zero
    cosHalf = (normal * after).sum()
    miterLength = cosHalf != 0 ? 1 / cosHalf : .infinity
    turnsLeft = before.x * after.y - before.y * after.x > 0
    isSharp = cosHalf < Self.sharpCosine
    kind = Self.kind(miterLength, style)
    tip = .zero
    if kind == .miter {
      tip = normal * miterLength
    } else if kind == .flipped {
      let difference = before - after
      let length = miterLength * size / (difference * difference).sum().squareRoot()
      tip =
        miterLength > 100
        ? -after : SIMD2(-normal.y, normal.x) * (turnsLeft ? -length : length)
    }
  }

  private static func kind(_ miterLength: Double, _ style: StrokeStyle) -> Kind {
    var join = style.join
    if join == .round {
      if miterLength >= style.roundLimit { return miterLength <= 2 ? .fan : .round }
      join = .miter
    }
    if miterLength < style.miterLimit || (join == .miter && miterLength <= style.miterLimit) {
      return .miter
    }
    return miterLength > 2 ? .flipped : .bevel
  }

  /// The distances by which the right and the left corner lie ahead at the end of the first edge,
  /// and back at the start of the second: both edges share their inner corner.
  var insets: (Double, Double) {
    let inset = -max(miterLength * miterLength - 1, 0).squareRoot()
    return turnsLeft ? (inset, 0) : (0, inset)
  }

  /// Calls `body` with the vectors to the corners of a round side between both edges' own.
  func forEachSpoke(_ body: (SIMD2<Double>) -> Void) {
    let angle = 2 * max(2 - 2 * cosHalf, 0).squareRoot()
    let count = Int((angle * 180 / .pi / 20).rounded())
    guard count > 1 else { return }
    let cosine = (before * after).sum()
    // MapLibre's approximation of even angles.
    let a = 1.0904 + cosine * (-3.2452 + cosine * (3.55645 - cosine * 1.43519))
    let b = 0.848013 + cosine * (-1.06021 + cosine * 0.215638)
    for step in 1..<count {
      var t = Double(step) / Double(count)
      if t != 0.5 {
        let middle = t - 0.5
        t += t * middle * (t - 1) * (a * middle * middle + b)
      }
      let spoke = before + (after - before) * t
      let size = (spoke * spoke).sum().squareRoot()
      body(spoke / (turnsLeft ? -size : size))
    }
  }
}
