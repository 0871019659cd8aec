/// A projective map of a quadrilateral onto the unit square; affine for a parallelogram.
///
/// Formula: Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3, the
/// map of MapLibre's image sources. Stored relative to the first corner, so that no precision is
/// lost far from the origin.
struct Homography: Hashable, Sendable {
  /// The corner that maps to (0, 0).
  private let origin: PlanePoint

  /// The rows of the matrix from the square to the quadrilateral, relative to the origin.
  private let toX: SIMD3<Double>
  private let toY: SIMD3<Double>
  private let toW: SIMD3<Double>

  /// The rows of the inverse, scaled so that its last number is positive inside the quadrilateral.
  private let fromX: SIMD3<Double>
  private let fromY: SIMD3<Double>
  private let fromW: SIMD3<Double>

  /// Creates the map of the corners to (0, 0), (1, 0), (1, 1), (0, 1); `nil` unless they form a
  /// convex quadrilateral with a positive area, in either direction.
  init?(
    _ topLeft: PlanePoint, _ topRight: PlanePoint, _ bottomRight: PlanePoint,
    _ bottomLeft: PlanePoint
  ) {
    let corners = [topLeft, topRight, bottomRight, bottomLeft]
    let turns = (0..<4).map { index in
      Self.cross(corners[index], corners[(index + 1) & 3], corners[(index + 2) & 3])
    }
    // 10⁻²² of the world are (0.4 mm)²; a smaller image is a mistake.
    guard turns.allSatisfy({ $0 > 1e-22 }) || turns.allSatisfy({ $0 < -1e-22 }) else { return nil }
    origin = topLeft
    let right = SIMD2(topRight.x - topLeft.x, topRight.y - topLeft.y)
    let down = SIMD2(bottomLeft.x - topLeft.x, bottomLeft.y - topLeft.y)
    let across = SIMD2(bottomRight.x - topLeft.x, bottomRight.y - topLeft.y)
    let excess = across - right - down
    var (g, h) = (0.0, 0.0)
    // For a parallelogram the excess is only rounding error.
    let size = max(abs(right.x) + abs(right.y), abs(down.x) + abs(down.y))
    if max(abs(excess.x), abs(excess.y)) > size * 1e-13 {
      let first = right - across
      let second = down - across
      let determinant = first.x * second.y - second.x * first.y
      g = (excess.x * second.y - second.x * excess.y) / determinant
      h = (first.x * excess.y - excess.x * first.y) / determinant
    }
    toX = SIMD3(right.x + g * right.x, down.x + h * down.x, 0)
    toY = SIMD3(right.y + g * right.y, down.y + h * down.y, 0)
    toW = SIMD3(g, h, 1)
    // The adjugate of the matrix, divided by its upper 2 × 2 determinant, which equals the
    // determinant of the whole matrix.
    let determinant = toX.x * toY.y - toX.y * toY.x
    guard determinant.isFinite, determinant != 0 else { return nil }
    fromX = SIMD3(toY.y, -toX.y, 0) / determinant
    fromY = SIMD3(-toY.x, toX.x, 0) / determinant
    fromW = SIMD3(
      (toY.x * h - toY.y * g) / determinant, (toX.y * g - toX.x * h) / determinant, 1)
  }

  /// The numbers that define the map.
  var numbers: [Double] {
    [origin.x, origin.y] + [toX, toY, toW, fromX, fromY, fromW].flatMap { [$0.x, $0.y, $0.z] }
  }

  /// Whether x of the square depends on x of the plane alone, and y on y.
  var isSeparable: Bool {
    fromX.y == 0 && fromY.x == 0 && fromW.x == 0 && fromW.y == 0
  }

  /// Returns the point in the square of a point of the plane; `nil` on and beyond the vanishing
  /// line.
  @inline(__always)
  func unitPoint(_ point: PlanePoint) -> PlanePoint? {
    let (x, y) = (point.x - origin.x, point.y - origin.y)
    let w = fromW.x * x + fromW.y * y + 1
    guard w > 1e-9 else { return nil }
    return PlanePoint(
      x: (fromX.x * x + fromX.y * y) / w, y: (fromY.x * x + fromY.y * y) / w)
  }

  /// Returns the square's x of a plane x, whatever the y; only correct if ``isSeparable``.
  @inline(__always)
  func unitX(_ x: Double) -> Double { fromX.x * (x - origin.x) }
  @inline(__always)
  func unitY(_ y: Double) -> Double { fromY.y * (y - origin.y) }

  /// Returns the point in the plane of a point of the square.
  func planePoint(_ unit: PlanePoint) -> PlanePoint {
    let w = toW.x * unit.x + toW.y * unit.y + 1
    return PlanePoint(
      x: origin.x + (toX.x * unit.x + toX.y * unit.y) / w,
      y: origin.y + (toY.x * unit.x + toY.y * unit.y) / w)
  }

  /// Returns twice the signed area of a triangle.
  private static func cross(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }
}
