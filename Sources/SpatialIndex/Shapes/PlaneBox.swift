package import Tiling

/// The smallest box around some vertices, in the units of the vertices.
package typealias PlaneBox = Box<Int>

extension PlaneBox {
  /// The longer side.
  var extent: Int { max(maxX - minX, maxY - minY) }
}
