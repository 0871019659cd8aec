/// The formats that a source may have; raw values are the names in files.
package enum SourceType: String, CaseIterable, Hashable, Sendable {
  case csv
  case geojson
  case geojsonseq
  case gpkg
  case image
  case imageSeries = "image-series"
}

/// The encodings of a text source.
package enum SourceEncoding: String, CaseIterable, Hashable, Sendable {
  case utf8 = "utf-8"
  /// ISO 8859-1.
  case latin1
  /// Byte order by its mark, little endian without one.
  case utf16 = "utf-16"
}

/// The type of a CSV column that is not to be guessed from each field.
package enum ColumnType: String, CaseIterable, Hashable, Sendable {
  case string
  case number
}

/// What becomes of two records with one key.
package enum DuplicatePolicy: String, CaseIterable, Hashable, Sendable {
  /// The build fails.
  case error
  /// The first one is used, the others are rejected and counted.
  case first
  /// The last one is used.
  case last
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

/// How an archive stores its tiles.
package enum LayoutChoice: String, CaseIterable, Hashable, Sendable {
  /// The smaller of the two by the plan's estimate.
  case auto
  /// Tables `map` and `images`: equal tiles are stored once.
  case dedup
  /// One table `tiles`.
  case flat
}
