package import Features
import Tiling

extension GridOptions {
  /// Returns the outlines of a zoom's cells as polygons, a record for each item.
  ///
  /// Cells that lie on both sides of the antimeridian reach beyond 180° E.
  ///
  /// - Complexity: O(items).
  package func outlines(of level: ClusterLevel) -> GeometryColumn {
    let cells = cells(at: level.zoom)
    var geometry = GeometryColumn()
    for item in 0..<level.count {
      let corners = cells.corners(of: level.ids[item] >> 5).map { LngLat(mercatorX: $0.x, y: $0.y) }
      for corner in corners + corners.prefix(1) { geometry.add(corner) }
      geometry.endPart(.outerRing)
      geometry.endRecord(.polygon)
    }
    return geometry
  }
}

extension LngLat {
  /// Creates the position of fractions of the Mercator square.
  fileprivate init(mercatorX x: Double, y: Double) {
    self.init(longitude: x * 360 - 180, latitude: UnitMercator.latitude(y: y))
  }
}
