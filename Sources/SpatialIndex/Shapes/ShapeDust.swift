/// Sub-pixel polygons: their box is smaller than a quarter of a device pixel, so they have no form,
/// only an area that covers a part of one pixel. Columns in the order of the shapes.
package struct ShapeDust: Sendable {
  /// The index of each polygon's shape.
  package private(set) var shapes = ContiguousArray<UInt32>()

  /// The pixel of each polygon's centre, eastward from the world's west edge, not wrapped.
  package private(set) var xs = ContiguousArray<Int>()

  /// The pixel of each polygon's centre, southward from the world's north edge.
  package private(set) var ys = ContiguousArray<Int>()

  /// The area of each polygon without its holes, in 2⁻³² square pixels; below 2²⁸.
  package private(set) var areas = ContiguousArray<UInt32>()

  init() {}

  package var count: Int { shapes.count }

  mutating func append(shape: Int, x: Int, y: Int, area: UInt32) {
    guard area > 0 else { return }
    shapes.append(UInt32(truncatingIfNeeded: shape))
    xs.append(x)
    ys.append(y)
    areas.append(area)
  }

  /// Returns an area as a fraction of a pixel, in 2⁻³² square pixels, rounded to the nearest.
  ///
  /// - Parameters:
  ///   - worldArea: the area in square world units.
  ///   - pixelBits: the base-2 logarithm of a pixel's side in world units.
  static func area(_ worldArea: Double, pixelBits: Int) -> UInt32 {
    let scale = Double(sign: .plus, exponent: 32 - 2 * pixelBits, significand: 1)
    return UInt32(min((worldArea * scale).rounded(), 268_435_456))
  }
}
