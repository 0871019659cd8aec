import Tiling

/// The options of `clusterMethod: radius`.
package struct RadiusOptions: Hashable, Sendable {
  /// `clusterRadius`: the distance within which a cluster joins points, in pixels of a tile.
  package let radius: Double

  /// The length of a tile's edge in pixels, which is the width of the world at zoom 0. Any size,
  /// since only its ratio to the radius matters.
  package let tileSize: Int

  /// `clusterMaxZoom`: deeper zooms show every point by itself.
  package let maxZoom: Int

  /// `clusterMinPoints`: a group within the radius that has fewer points stays single points. At
  /// least 2.
  package let minPoints: Int

  /// - Throws: ``ClusteringError`` if the radius is negative or not finite, the tile size is not
  ///   1 … 65536, or the zoom is outside 0 … 22.
  package init(
    radius: Double = 40, tileSize: Int = 256, maxZoom: Int = 16, minPoints: Int = 2
  ) throws {
    guard radius.isFinite, radius >= 0 else {
      throw ClusteringError(
        code: .radius, message: "clusterRadius is \(radius) px. Use a number from 0 up.")
    }
    guard (1...65_536).contains(tileSize) else {
      throw ClusteringError(
        code: .tileSize, message: "tileSize is \(tileSize). Use 256 or 512.")
    }
    guard (0...TileCoord.maxZoom).contains(maxZoom) else {
      throw ClusteringError(
        code: .zoom, message: "clusterMaxZoom is \(maxZoom). Use 0 to 22.")
    }
    self.radius = radius
    self.tileSize = tileSize
    self.maxZoom = maxZoom
    self.minPoints = max(2, minPoints)
  }

  /// Returns the radius as a fraction of the world's width at a zoom.
  func worldRadius(at zoom: Int) -> Double {
    radius / (Double(tileSize) * Double(1 << zoom))
  }
}
