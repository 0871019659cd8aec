/// The method of joining points into clusters, with its size.
package enum ClusterMethod: Hashable, Sendable {
  /// Joins points by the cells of a grid that is anchored to the world's corner.
  ///
  /// - Parameter cellSizes: the width of a cell in pixels by the zoom from which it applies,
  ///   ascending from zoom 0.
  case grid(cellSizes: [ZoomValue])
  /// Joins points within a distance in pixels of a tile, with the algorithm of supercluster.
  case radius(Double)
  /// Joins points until the symbols that the layers draw for them are a gap in pixels apart.
  case bubble(gap: Double)
  /// Counts points in cells that are drawn as areas.
  case areas(CellAreas)

  /// The values of `clusterMethod`.
  enum Name: String, CaseIterable { case grid, radius, bubble, hexagon, square }
}

/// The cells of clusters that are areas.
package struct CellAreas: Hashable, Sendable {
  /// Whether cells are hexagons instead of squares.
  package var isHexagonal: Bool

  /// The width of a cell in pixels by the zoom from which it applies, ascending from zoom 0.
  package var sizes: [ZoomValue]

  /// The width of a cell at all zooms in metres of Web Mercator; `nil` for ``sizes``.
  package var meters: Double?
}

/// The tile that is stored for an empty child of a drawn tile.
package enum TileFill: String, CaseIterable, Hashable, Sendable {
  /// The shared transparent tile, where the parent's quadrant has visible pixels.
  case children
  /// No tile.
  case none
}

/// The format in which an archive stores the features for hit tests.
package enum TapFormat: String, CaseIterable, Hashable, Sendable {
  /// UTFGrid, which other programs can read.
  case utfgrid
  /// Blocks of exact shapes.
  case compact
}

/// The names of the formats of tiles.
package enum TileFormatName: String, CaseIterable, Hashable, Sendable {
  case png, webp, jpeg
}
