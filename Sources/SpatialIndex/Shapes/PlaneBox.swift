/// The smallest box around some vertices, both ends included, in the units of the vertices.
package struct PlaneBox: BitwiseCopyable, Hashable, Sendable {
  package var minX: Int
  package var minY: Int
  package var maxX: Int
  package var maxY: Int

  package init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// The empty box.
  package static let empty = PlaneBox(minX: .max, minY: .max, maxX: .min, maxY: .min)

  package var isEmpty: Bool { minX > maxX }

  @inline(__always)
  mutating func include(x: Int, y: Int) {
    minX = min(minX, x)
    minY = min(minY, y)
    maxX = max(maxX, x)
    maxY = max(maxY, y)
  }

  mutating func formUnion(_ other: PlaneBox) {
    minX = min(minX, other.minX)
    minY = min(minY, other.minY)
    maxX = max(maxX, other.maxX)
    maxY = max(maxY, other.maxY)
  }

  /// Whether another box lies inside, edges included.
  func contains(_ other: PlaneBox) -> Bool {
    minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
  }

  /// Whether another box lies inside, edges excluded.
  func strictlyContains(_ other: PlaneBox) -> Bool {
    minX < other.minX && minY < other.minY && maxX > other.maxX && maxY > other.maxY
  }

  /// The longer side.
  var extent: Int { max(maxX - minX, maxY - minY) }
}
