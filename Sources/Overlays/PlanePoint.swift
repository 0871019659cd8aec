/// A point of a plane in `Double`: of the world (1 = its width, x east from 180° W and not wrapped,
/// y south from 85.0511° N), of an image's own plane, or of an image (fractions of its sides).
package struct PlanePoint: BitwiseCopyable, Hashable, Sendable {
  package var x: Double
  package var y: Double

  @inlinable
  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
