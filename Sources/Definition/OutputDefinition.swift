package import MBTiles
package import TileCodecs
package import Tiling

/// The range of tiles to make, and their size.
package struct TilesDefinition: Hashable, Sendable {
  /// The first zoom, as in a tile's z.
  package var minZoom: Int

  /// The last zoom, as in a tile's z.
  package var maxZoom: Int

  /// The zooms to make.
  package var zooms: ClosedRange<Int> { minZoom...max(minZoom, maxZoom) }

  /// The width of a tile at density 1 in pixels: 256 or 512.
  package var tileSize: Int

  /// The pixel densities, ascending: 1, 2 or both.
  package var scales: [Int]

  /// The step, in pixels of the world, to which circle and label centres are rounded; 0 is exact.
  package var snap: Double

  /// The box that limits the tiles to those that touch it; `nil` for the whole world.
  package var bounds: GeoBounds?

  /// Whether a background without ``bounds`` fills only the tiles around the data, as for a
  /// MapLibre style, which has no key for bounds; otherwise it fills the world.
  package var backgroundFollowsData = false

  /// Whether the tiles that a background fills are known only with the data.
  package var backgroundAwaitsData: Bool { backgroundFollowsData && bounds == nil }

  package var fill: TileFill

  /// The format of the tiles, with its quality.
  package var codec = TileCodec.png

  /// The maximum number of bytes of an archive, from which ``maxZoom`` and ``codec`` follow; `nil`
  /// for no limit.
  package var budget: TileBudget?

  package var interactivity: Interactivity?
}

/// The initial view of a map.
package struct StartView: Hashable, Sendable {
  /// The centre of the map; `nil` for the centre of the data.
  package var center: LngLat?

  /// The zoom, as in a tile's z; `nil` for one at which the data fits on a map.
  package var zoom: Int?

  /// The zoom as the file gives it; in a style it may be fractional and outside of the tiles'
  /// zooms.
  package var exactZoom: Double?
}

/// The content of the answer to a tap on a tile.
package struct Interactivity: Hashable, Sendable {
  /// The names of members that every entry has; properties with these names are left out.
  package static let ownNames: Set = [
    "id", "source", "cluster", "cluster_id", "point_count", "point_count_abbreviated", "bbox",
    "expansion_zoom", "members",
  ]

  /// The ids of the layers that answer; `nil` for all that draw features.
  package var layers: [String]?

  /// The properties that the answer contains; `nil` for all that the sources select.
  package var fields: [String]?

  package var format: TapFormat

  /// The text of the answer; `nil` for the fields alone.
  package var text: TapText?
}

/// The archive that is published.
package struct OutputDefinition: Hashable, Sendable {
  /// The archive's path, resolved against the pipeline file's folder; ends in one of the
  /// ``suffixes``.
  package var path: String

  /// The layout of the tables of tiles; `nil` for the smaller one by the plan's estimate.
  package var layout: ArchiveLayout?

  /// The name of the choice of the smaller layout in files.
  package static let automaticLayout = "auto"

  /// Whether the metadata hold `agg_tiles_hash`.
  package var hasAggTilesHash: Bool

  /// Whether the files that describe an archive to clients are written beside it.
  package var hasSidecars: Bool

  /// Whether the changes of clusters since the last build are written beside the archive.
  package var hasClusterChanges: Bool

  /// The number of previously published archives that are kept.
  package var keptArchives: Int

  package var keptDeltas: KeptDeltas

  /// The deltas and the list that every build writes; `nil` if only --delta and --sign ask for
  /// them.
  package var updates: UpdatesDefinition?

  /// The division into packs; `nil` for the archive alone.
  package var packs: PackDefinition?

  /// Returns the path of the archive of a pixel density: `NAME.mbtiles`, `NAME@2x.mbtiles`.
  package func path(scale: Int) -> String {
    guard scale != 1 else { return path }
    let stem = Self.stem(of: path)
    return "\(stem)@\(scale)x\(path.dropFirst(stem.count))"
  }

  /// Whether the archive is a PMTiles file.
  package var isPMTiles: Bool { path.hasSuffix(Self.pmtilesSuffix) }

  package static let suffix = ".mbtiles"
  package static let pmtilesSuffix = ".pmtiles"

  /// The suffix of the manifest of an image series, which stands for its archives.
  package static let manifestSuffix = ".frames.json"

  /// The suffixes of archives, by which their container is chosen.
  package static let suffixes = [suffix, pmtilesSuffix]

  /// Returns the path of an archive or manifest without its suffix.
  package static func stem(of path: String) -> String {
    let suffix = (suffixes + [manifestSuffix]).first { path.hasSuffix($0) } ?? ""
    return String(path.dropLast(suffix.count))
  }
}
