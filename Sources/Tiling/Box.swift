/// A box in a plane, edges included, in the units of its positions.
///
/// Boxes on the globe are ``GeoBounds`` and ``WorldBox``, which may cross the antimeridian.
@usableFromInline
package struct Box<Scalar>: BitwiseCopyable, Hashable, Sendable
where Scalar: BitwiseCopyable & Comparable & Hashable & Sendable {
  @usableFromInline package var minX: Scalar
  @usableFromInline package var minY: Scalar
  @usableFromInline package var maxX: Scalar
  @usableFromInline package var maxY: Scalar

  @inlinable
  package init(minX: Scalar, minY: Scalar, maxX: Scalar, maxY: Scalar) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  @inlinable
  package var isEmpty: Bool { minX > maxX }

  /// Extends the box to include a position; NaN changes nothing.
  @inlinable @inline(__always)
  package mutating func include(x: Scalar, y: Scalar) {
    minX = min(minX, x)
    minY = min(minY, y)
    maxX = max(maxX, x)
    maxY = max(maxY, y)
  }

  /// Extends the box to include another one.
  @inlinable
  package mutating func formUnion(_ other: Box) {
    minX = min(minX, other.minX)
    minY = min(minY, other.minY)
    maxX = max(maxX, other.maxX)
    maxY = max(maxY, other.maxY)
  }

  /// Whether another box lies inside, edges included.
  @inlinable
  package func contains(_ other: Box) -> Bool {
    minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
  }

  /// Whether another box lies inside, edges excluded.
  @inlinable
  package func strictlyContains(_ other: Box) -> Bool {
    minX < other.minX && minY < other.minY && maxX > other.maxX && maxY > other.maxY
  }

  /// Whether the box has a point in common with another one; always false for NaN.
  @inlinable
  package func touches(_ other: Box) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }
}

extension Box where Scalar: FixedWidthInteger {
  /// The empty box, which contains no position.
  @inlinable
  package static var empty: Box { Box(minX: .max, minY: .max, maxX: .min, maxY: .min) }
}

extension Box where Scalar: FloatingPoint {
  /// The empty box, which contains no position.
  @inlinable
  package static var empty: Box {
    Box(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
  }
}
