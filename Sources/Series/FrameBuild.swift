import Archives
import Baking
import Definition
import Inputs
import Features
import Files
import MBTiles
import Overlays
import Raster
import Reuse
import Runs
import Scenes
import Styling
import SystemPackage
import Tiling

/// The stages that build the archive of one frame under a temporary name.
struct FrameBuild {
  /// The pipeline in which this frame's image replaces the series.
  let pipeline: ResolvedPipeline
  let time: FrameTime
  let scale: Int
  let fingerprint: BuildFingerprint
  let context: RunContext
  /// The tile extents at every pixel density of the series.
  var extents: [TileExtent] = []
  /// The number of archives that this run has still to make, including this one.
  var pending = 1
  /// The size in bytes of the newest archive in place; `nil` where there is none.
  var last: Int?

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
  /// - Parameters:
  ///   - sources: the sources of ``pipeline``, in its order.
  ///   - file: the archive's path from the manifest.
  ///   - archive: the same path from the current folder, where the frame's last archive may be.
  func run(
    _ sources: [ClusteredSource], _ style: Style, _ fonts: FontLibrary, file: String,
    archive: FilePath, temporary: FilePath, clock: StageClock
  ) throws(PipelineError) -> Outcome {
    let build = Build(pipeline, context: context)
    var planned = try build.scenes(scale: scale, sources, style, fonts, clock)
    if !planned.drawsAnything {
      planned.blankTiles = planned.blankTiles(under: sources)
      guard !planned.blankTiles.isEmpty else { throw build.nothingDrawn(of: sources) }
    }
    let labelNotes = try build.labelNotes(planned)
    let decision = try build.layout(for: planned, clock)
    let need = SpaceNeed(planned.rows, decision, last: last)
    try build.requireSpace(
      archives: need.archive * pending, scratch: need.scratch,
      in: DurableFile.folder(of: temporary))
    let definition = pipeline.definition
    var named = definition
    named.name = "\(definition.name) \(time)"
    let paint = try PaintKey(
      planned, fonts: build.fontFiles(of: style, fonts), inputs: context.inputs)
    let reuse = build.reuse(of: archive, paint, context.artifacts)
    let stage = ArchiveStage(
      tiles: TileSupply(
        painting: planned, reuse: reuse, taps: TapPlan(definition, sources, planned.builder),
        threads: build.threads, cancellation: clock.cancellation),
      description: ArchiveDescription(
        definition: named, sources: sources, extents: extents, scale: scale,
        fingerprint: fingerprint, hasBackground: definition.hasBackground(style),
        more: [MetadataEntry("\(ArchiveMetadata.prefix)time", "\(time)")]),
      layout: decision.layout, path: temporary,
      scratch: context.options.temporaryFolder.map { FilePath($0) }, clock: clock, reuse: reuse,
      cache: context.artifacts, paint: paint)
    let made = try stage.make()
    do {
      let bounds = try ArchiveReader(temporary).metadata["bounds"].flatMap { GeoBounds($0) }
      return Outcome(
        archive: FrameArchive(
          file: file,
          sha256: try made.file.wait(), bytes: try? FileStatus.size(of: temporary),
          input: fingerprint.text, bounds: bounds ?? .world,
          minZoom: made.summary.zooms.first?.zoom ?? definition.tiles.minZoom,
          maxZoom: made.summary.zooms.last?.zoom ?? definition.tiles.maxZoom),
        content: FrameContent(
          made.summary, rendered: made.tiles.painted, reused: made.tiles.reused,
          notes: labelNotes + made.notes), images: made.images)
    } catch {
      let failure = clock.cancellation.error() ?? PipelineError(error)
      if failure.code == .outOfTime { made.images.keep(in: context.artifacts) }
      throw failure
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
  /// Returns the tiles of the first zoom that images reach, in archive order: an empty frame is
  /// stored as transparent tiles, since readers do not accept an archive without tiles.
  func blankTiles(under sources: [ClusteredSource]) -> Column<UInt64> {
    guard let grid = zooms.first?.grid else { return [] }
    let range = range(grid.zoom)
    var keys: Set<UInt64> = []
    for extent in sources.compactMap({ $0.source.image?.source.placement.extent }) {
      let rows = extent.tileRows(zoom: grid.zoom)
      for column in extent.tileColumns(zoom: grid.zoom).joined()
      where range.contains(column: column) {
        for row in rows where row >= range.firstRow && row <= range.lastRow {
          let tile = TileCoord(z: grid.zoom, x: column, y: row)
          keys.insert(TileKey(tile).rawValue)
        }
      }
    }
    return Column(keys.sorted())
  }
}
