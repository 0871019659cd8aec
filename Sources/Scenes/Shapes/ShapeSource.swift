package import Columns
package import Features
package import SpatialIndex

/// The lines and polygons of a source as the scene stage takes them.
package struct ShapeSource: Sendable {
  package let id: String
  package let shapes: ShapeSet

  /// The same shapes in the world.
  package let world: WorldShapes

  /// Whether the zoom draws each shape; `nil` for all.
  package let kept: Column<Bool>?

  package init(
    id: String, shapes: ShapeSet, world: WorldShapes, kept: Column<Bool>? = nil
  ) {
    self.id = id
    self.shapes = shapes
    self.world = world
    self.kept = kept
  }
}
