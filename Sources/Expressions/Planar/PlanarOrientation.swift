/// The side of a line on which a position lies, computed exactly.
///
/// Source: J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates, Discrete & Computational Geometry 18 (1997). Exact for degrees; only products beyond
/// the range of Double (coordinates beyond 1e150) are not.
enum PlanarOrientation {
  /// Returns 1 where `c` is left of the line from `a` to `b`, −1 right of it, 0 on it.
  static func sign(_ a: PlanarPoint, _ b: PlanarPoint, _ c: PlanarPoint) -> Int {
    let left = (a.x - c.x) * (b.y - c.y)
    let right = (a.y - c.y) * (b.x - c.x)
    let difference = left - right
    if (left > 0 && right <= 0) || (left < 0 && right >= 0) || left == 0 {
      return sign(difference)
    }
    let bound = filterBound * (left + right).magnitude
    if difference.magnitude >= bound, difference != 0 { return sign(difference) }
    return exactSign(of: products(a, b, c))
  }

  /// Returns the same for the middle between `c` and `d`: the determinant is linear in its third
  /// position.
  static func signOfMiddle(
    _ a: PlanarPoint, _ b: PlanarPoint, _ c: PlanarPoint, _ d: PlanarPoint
  ) -> Int {
    let first = sign(a, b, c)
    let second = sign(a, b, d)
    if first == 0 || first == second { return second }
    if second == 0 { return first }
    return exactSign(of: products(a, b, c) + products(a, b, d))
  }

  /// Whether the middle between two latitudes is below a third, exactly.
  static func isMiddle(of first: Double, _ second: Double, below third: Double) -> Bool {
    let (sum, error) = twoSum(first, second)
    return 2 * third == sum ? error < 0 : sum < 2 * third
  }

  /// Shewchuk's ccwerrboundA: (3 + 16 ε) ε with ε = 2⁻⁵³.
  private static let filterBound = 3.330_669_073_875_471_6e-16

  private static func sign(_ value: Double) -> Int { value > 0 ? 1 : value < 0 ? -1 : 0 }

  /// Returns the determinant expanded into products, so that no difference is rounded.
  private static func products(
    _ a: PlanarPoint, _ b: PlanarPoint, _ c: PlanarPoint
  ) -> [(Double, Double)] {
    [(a.x, b.y), (-a.y, b.x), (b.x, c.y), (-b.y, c.x), (c.x, a.y), (-c.y, a.x)]
  }

  /// Returns the sign of a sum of products, computed without rounding.
  private static func exactSign(of products: [(Double, Double)]) -> Int {
    var expansion: [Double] = []
    for (left, right) in products {
      let product = left * right
      grow(&expansion, by: (-product).addingProduct(left, right))
      grow(&expansion, by: product)
    }
    return sign(expansion.last ?? 0)
  }

  /// Adds a number to a sum of non-overlapping parts in the order of their magnitude.
  private static func grow(_ expansion: inout [Double], by term: Double) {
    var grown: [Double] = []
    grown.reserveCapacity(expansion.count + 1)
    var carry = term
    for part in expansion {
      let (sum, error) = twoSum(carry, part)
      if error != 0 { grown.append(error) }
      carry = sum
    }
    if carry != 0 { grown.append(carry) }
    expansion = grown
  }

  /// Returns a sum and its rounding error (Knuth).
  private static func twoSum(_ a: Double, _ b: Double) -> (sum: Double, error: Double) {
    let sum = a + b
    let other = sum - a
    return (sum, (a - (sum - other)) + (b - other))
  }
}
