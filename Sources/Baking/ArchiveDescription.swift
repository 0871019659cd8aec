import Archives
package import Definition
import Features
import Inputs
import JSON
package import MBTiles
import Overlays
package import Pictures
import Reports
import Reuse
import Runs
import Scenes
package import SourceStages
package import TileCodecs
import Tiling

/// The description that an archive gives of itself, made from the results of the stages.
package struct ArchiveDescription {
  package var definition: PipelineDefinition
  package let sources: [ClusteredSource]
  /// The tile extents at every pixel density: all archives of a pipeline have the same bounds.
  package let extents: [TileExtent]
  package let scale: Int
  package let fingerprint: BuildFingerprint

  /// The zooms and the format that the pipeline's budget allows; `nil` without a budget.
  let choice: TileBudget.Choice?

  /// Whether a background shows in the tiles of a zoom, so that the bounds cover all that it fills.
  let hasBackground: Bool

  /// The template by which old clients format the answer to a tap.
  var template = ""

  /// Additional metadata entries.
  package var more: [MetadataEntry] = []

  /// Describes an archive of a build.
  ///
  /// - Parameter extents: the tile extents at every pixel density.
  package init(
    of build: Build, _ sources: [ClusteredSource], extents: [TileExtent], scale: Int,
    fingerprint: BuildFingerprint
  ) {
    definition = build.definition
    self.sources = sources
    self.extents = extents
    self.scale = scale
    self.fingerprint = fingerprint
    choice = build.choice
    hasBackground = build.definition.hasBackground(build.prepared.style)
  }

  /// Returns the metadata of an archive whose tiles are counted, with notes for the user.
  ///
  /// - Parameter zooms: the writer's counts; must not be empty.
  func metadata(
    of zooms: [ZoomStatistics]
  ) throws -> (metadata: ArchiveMetadata, notes: [String]) {
    let first = zooms.first?.zoom ?? definition.tiles.minZoom
    let last = zooms.last?.zoom ?? definition.tiles.maxZoom
    let shown = sources.dataBounds.part(within: definition.tiles.bounds)
    let reach = (extents + zooms.map(\.extent)).bounds(
      reachedBy: hasBackground ? backgroundBounds : shown)
    let (center, note) = center(of: shown, in: reach)
    let zoom = definition.view.zoom ?? shown.overviewZoom(tileSize: definition.tiles.tileSize)
    let metadata = try ArchiveMetadata(
      name: definition.name, bounds: reach, center: center,
      centerZoom: min(max(zoom, first), last), zooms: first...last,
      description: definition.description, attribution: definition.attribution, scale: scale,
      template: template, format: definition.tiles.codec.format, own: own
    ).sealed()
    return (metadata, [note].compactMap(\.self))
  }

  /// Returns the initial view of a map: readers accept no position outside the bounds.
  private func center(
    of shown: GeoBounds, in reach: GeoBounds
  ) -> (center: LngLat, note: String?) {
    func held(_ place: LngLat) -> LngLat {
      LngLat(
        longitude: min(max(place.longitude, reach.west), reach.east),
        latitude: min(max(place.latitude, reach.south), reach.north))
    }
    let middle = held(
      LngLat(
        longitude: sources.middleLongitude ?? (shown.west + shown.east) / 2,
        latitude: (shown.south + shown.north) / 2))
    guard let wish = definition.view.center else { return (middle, nil) }
    let center = held(wish)
    guard center != wish else { return (wish, nil) }
    // A style is often used with other data than it was written for.
    guard !definition.isStyle else { return (middle, nil) }
    return (
      center,
      "'center' of the view lies outside the archive's bounds; the nearest place within them is "
        + "where maps first look. Set a place where the data is."
    )
  }

  /// The box that a background fills: the pipeline's bounds, otherwise the world; in a style
  /// without bounds the tiles around its data.
  private var backgroundBounds: GeoBounds {
    guard var box = definition.tiles.bounds else {
      return sources.backgroundBox(definition.tiles)?.degrees ?? .world
    }
    // Metadata cannot say that a box crosses the antimeridian.
    if box.crossesAntimeridian { (box.west, box.east) = (-180, 180) }
    let limit = WorldPoint.maxLatitude
    return GeoBounds(
      west: box.west, south: max(box.south, -limit), east: box.east, north: min(box.north, limit))
  }

  private var own: [MetadataEntry] {
    var entries = [
      MetadataEntry("\(ArchiveMetadata.prefix)version", PipelineVersion.current),
      MetadataEntry(ArchiveMetadata.ledgerKey, Self.ledger(of: sources)),
    ]
    if let classes = sources.classes {
      entries.append(MetadataEntry(ClassBounds.key, classes.line))
    }
    if let choice {
      entries.append(MetadataEntry(TileBudget.key, choice.text))
    }
    let rows = sources.filter { $0.source.image == nil }.map {
      ($0.source.definition.name, $0.source.ledger.read)
    }
    let provenance = fingerprint.provenance.json(
      rows: Dictionary(rows, uniquingKeysWith: { first, _ in first }))
    entries.append(MetadataEntry(ArchiveMetadata.inputsKey, fingerprint.text))
    entries.append(MetadataEntry(Provenance.key, provenance.line))
    return entries + more
  }

  /// Returns the conservation ledger of all sources of records as JSON: the number of read records
  /// is the sum of all outcomes; and the number of points from the used records.
  private static func ledger(of sources: [ClusteredSource]) -> String {
    ReportJSON.object(
      sources.filter { $0.source.image == nil }.map { source in
        .init(
          source.source.definition.name,
          LedgerForm.json(source.ledger, points: source.source.points.count))
      }
    ).line
  }
}

extension TileCodec {
  /// The format as archives name it.
  package var format: TileFormat {
    switch self {
    case .png: .png
    case .webP: .webp
    case .jpeg: .jpeg
    }
  }
}
