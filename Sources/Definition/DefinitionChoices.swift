package import MBTiles

/// The type of a source: a format of ``SourceRegistry``, an image or a series of images.
package struct SourceType: Hashable, Sendable {
  /// The name in files, without the version of its reader.
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package static let image = SourceType(rawValue: "image")
  package static let imageSeries = SourceType(rawValue: "image-series")

  /// Whether the source has pixels instead of records.
  package var isImage: Bool { self == .image || self == .imageSeries }
}

/// The method of joining points into clusters.
package enum ClusterMethodName: String, CaseIterable, Hashable, Sendable {
  /// Joins points by the cells of a grid that is anchored to the world's corner.
  case grid
  /// Joins points by distance, with the algorithm of supercluster.
  case radius
}

/// The kinds of layers; raw values are the names of the style specification.
package enum LayerType: String, CaseIterable, Hashable, Sendable {
  case background
  case fill
  case line
  case circle
  case symbol
  case raster
  case heatmap
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

/// The layout of an archive's tables of tiles.
package enum LayoutChoice: String, CaseIterable, Hashable, Sendable {
  /// The smaller of the two by the plan's estimate.
  case auto
  /// Tables `map` and `images`: equal tiles are stored once.
  case dedup
  /// One table `tiles`.
  case flat
}

extension LayoutChoice {
  /// Creates the choice of a given layout.
  package init(_ layout: ArchiveLayout) {
    self =
      switch layout {
      case .dedup: .dedup
      case .flat: .flat
      }
  }
}
