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

  /// The source whose clusters have the shapes as their areas, row by row; `nil` for other shapes.
  let clusters: SymbolSource?

  package init(
    id: String, shapes: ShapeSet, world: WorldShapes, kept: Column<Bool>? = nil
  ) {
    self.id = id
    self.shapes = shapes
    self.world = world
    self.kept = kept
    clusters = nil
  }

  /// Creates the areas of a source's clusters.
  ///
  /// - Parameter cells: the outline of each row of the clusters' level.
  /// - Complexity: O(vertices).
  package init(id: String, cells: GeometryColumn, of clusters: SymbolSource) {
    self.id = id
    shapes = ShapeSet(areas: cells)
    world = WorldShapes(shapes)
    kept = nil
    self.clusters = clusters
  }

  /// The shapes as expressions see them.
  func view() -> FeatureView {
    guard let clusters else { return FeatureView(shapes: shapes) }
    return FeatureView(clusters, areas: shapes.geometry)
  }
}
