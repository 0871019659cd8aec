import Baking
import Definition
import Features
import Files
import Inputs
import MBTiles
import Overlays
import Raster
import Reuse
import Runs
import Scenes
import SourceStages
import Styling
import SystemPackage
import Tiling

/// The stages that build the archive of one frame under a temporary name.
struct FrameBuild {
  /// The build in which this frame's image replaces the series.
  let build: Build
  let time: FrameTime
  let scale: Int
  let fingerprint: BuildFingerprint
  /// The tile extents at every pixel density of the series.
  var extents: [TileExtent] = []

  /// The result of a build: the archive as the manifest names it, and the values for the report.
  struct Outcome {
    var archive: FrameArchive
    var content: FrameContent
    /// The images for the next run, if the time of this one runs out before the archive is
    /// published; `nil` where another process painted them.
    var images: UnpublishedTiles?
  }

  /// Runs the stages from `scene` to `verify`.
  ///
  /// - Parameter sources: the sources of ``build``, in its order.
  func run(
    _ sources: [ClusteredSource], at target: FrameMaker.Target, _ clock: StageClock
  ) throws(PipelineError) -> Outcome {
    // Beyond the time limit only what is left of this frame is ended.
    let endsRest = build.cancellation.endsRest
    defer { build.cancellation.endsRest = endsRest }
    var planned = try build.scenes(scale: scale, sources, clock)
    if !planned.drawsAnything {
      planned.blankTiles = planned.blankTiles(under: sources)
      guard !planned.blankTiles.isEmpty else { throw build.nothingDrawn(of: sources) }
    }
    let plan = try build.archivePlan(of: planned, clock)
    let need = SpaceNeed(plan.rows, plan.decision, last: target.lastSize)
    try build.requireSpace(
      archives: need.archive * target.pending, scratch: need.scratch,
      in: DurableFile.folder(of: target.temporary))
    let definition = build.definition
    var description = ArchiveDescription(
      of: build, sources, extents: extents, scale: scale, fingerprint: fingerprint)
    description.definition.name = "\(definition.name) \(time)"
    description.more = [MetadataEntry("\(ArchiveMetadata.prefix)time", "\(time)")]
    let tiles = PaintedFeed(
      planned, taps: build.tapPlan(sources, of: planned),
      reuse: build.reuse(of: target.last, plan.paint), build.context)
    let stage = ArchiveStage(
      plan, tiles, description, path: target.temporary, context: build.context, clock: clock)
    let made = try stage.make()
    do {
      let bounds = try ArchiveReader(target.temporary).metadata["bounds"].flatMap { GeoBounds($0) }
      return Outcome(
        archive: FrameArchive(
          file: target.file,
          sha256: try made.file.wait(), bytes: try? FileStatus.size(of: target.temporary),
          input: fingerprint.text, bounds: bounds ?? .world,
          minZoom: made.summary.zooms.first?.zoom ?? definition.tiles.minZoom,
          maxZoom: made.summary.zooms.last?.zoom ?? definition.tiles.maxZoom),
        content: FrameContent(
          made.summary, rendered: made.painted, reused: made.reused,
          notes: plan.notes + made.notes), images: made.images)
    } catch {
      throw clock.cancellation.error() ?? PipelineError(error)
    }
  }
}

extension BuildFingerprint {
  /// Computes the fingerprint of a frame's archive: of the common part, the instant, and the image.
  ///
  /// - Parameters:
  ///   - source: the name of the series.
  ///   - redactions: secrets that the name of the image must not reveal.
  init(
    _ common: BuildFingerprint, frame: FrameFile, of source: String, redactions: RedactionList
  ) {
    var provenance = common.provenance
    let name = frame.name(redactions)
    let file = Provenance.File(role: .data, name: name, sha256: frame.digest)
    for index in provenance.sources.indices where provenance.sources[index].name == source {
      provenance.sources[index].files.insert(file, at: 0)
    }
    self.init(provenance, ["\(frame.time)"])
  }
}

extension PlannedTiles {
  /// Returns the tiles of the first zoom that the images or points of a frame reach, in archive order:
  /// an empty frame is stored as transparent tiles, since readers do not accept an archive without
  /// tiles.
  func blankTiles(under sources: [ClusteredSource]) -> Column<UInt64> {
    guard let grid = zooms.first?.grid else { return [] }
    let range = range(grid.zoom)
    var keys: Set<UInt64> = []
    for extent in sources.compactMap(\.frameExtent) {
      let rows = extent.tileRows(zoom: grid.zoom)
      for column in extent.tileColumns(zoom: grid.zoom).joined()
      where range.contains(column: column) {
        for row in rows where row >= range.firstRow && row <= range.lastRow {
          let tile = TileCoord(z: grid.zoom, x: column, y: row)
          keys.insert(TileKey(tile).rawValue)
        }
      }
    }
    // Points may all lie beyond the bounds.
    if keys.isEmpty, sources.contains(where: { $0.source.definition.records?.windows != nil }) {
      let tile = TileCoord(z: grid.zoom, x: range.firstColumn, y: range.firstRow)
      keys.insert(TileKey(tile).rawValue)
    }
    return Column(keys.sorted())
  }
}

extension ClusteredSource {
  /// The box of the image, or of the points of a window of time; `nil` for other sources.
  fileprivate var frameExtent: ImageExtent? {
    if let image = source.image { return image.source.extent }
    guard source.definition.records?.windows != nil, let first = source.points.positions.first
    else { return nil }
    return ImageExtent(
      source.points.positions.reduce(into: WorldBox(first)) { $0.formUnion(WorldBox($1)) })
  }
}
