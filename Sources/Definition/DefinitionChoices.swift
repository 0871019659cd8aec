import MBTiles

/// What a source is: a format of ``SourceRegistry``, an image or a series of them.
package struct SourceType: Hashable, Sendable {
  /// The name in files, without the version of its reader.
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package static let image = SourceType(rawValue: "image")
  package static let imageSeries = SourceType(rawValue: "image-series")

  /// Whether it has pixels instead of records.
  package var isImage: Bool { self == .image || self == .imageSeries }
}

/// How points are joined.
package enum ClusterMethodName: String, CaseIterable, Hashable, Sendable {
  /// By cells of a grid that is anchored to the world's corner.
  case grid
  /// By distance: the algorithm of supercluster.
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

/// What stands in the place of an empty child of a drawn tile.
package enum TileFill: String, CaseIterable, Hashable, Sendable {
  /// The shared transparent tile, where the parent's quadrant shows pixels.
  case children
  /// Nothing.
  case none
}

/// How an archive stores what answers taps.
package enum TapFormat: String, CaseIterable, Hashable, Sendable {
  /// UTFGrid, which other programs read.
  case utfgrid
  /// Blocks of exact shapes.
  case compact
}

/// How an archive stores its tiles.
package enum LayoutChoice: String, CaseIterable, Hashable, Sendable {
  /// The smaller of the two by the plan's estimate.
  case auto
  /// Tables `map` and `images`: equal tiles are stored once.
  case dedup
  /// One table `tiles`.
  case flat
}

extension LayoutChoice {
  /// The choice of a layout that is decided.
  init(_ layout: ArchiveLayout) {
    self =
      switch layout {
      case .dedup: .dedup
      case .flat: .flat
      }
  }
}
