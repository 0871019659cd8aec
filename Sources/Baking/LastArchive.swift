import Archives
import Definition
import Inputs
import MBTiles
import Painting
import Reuse
import Runs
import Scenes
import SystemPackage
import Workers

/// The archive in place, of which a build takes what did not change: its state is read while the
/// sources are, and the painters are trained meanwhile.
package struct LastArchive {
  /// The facts about it.
  package struct Known: Sendable {
    let reuse: TileReuse

    /// The scenes that need not be made; empty where its file cannot be copied from.
    let scenes: [Int: KnownScenes]
  }

  let drawing: TileDrawing
  let painters: PainterFactory

  /// Whether scenes of a part of the tiles suffice; the hashes of symbols are kept for the next run.
  let canCopy: Bool
  private let work: SideWork<Result<Known, PipelineError>>

  /// Begins to read the state of the archive that a build replaces.
  init(_ archive: FilePath, of build: Build, scale: Int) {
    let drawing = build.drawing(scale: scale)
    let painters = drawing.painters(clusteredSources: build.pipeline.clusteredSources)
    self.drawing = drawing
    self.painters = painters
    let (artifacts, inputs) = (build.artifacts, build.inputs)
    let (tileSize, fonts) = (build.definition.tiles.tileSize, build.prepared.fontFiles)
    let (canCopy, isForced) = (build.canCopy, build.options.force)
    self.canCopy = canCopy
    work = SideWork {
      Result { () throws(PipelineError) -> Known in
        let paint = try PaintKey(
          painters, tileSize: tileSize, scale: scale, fonts: fonts, inputs: inputs)
        let reuse =
          isForced ? TileReuse(nothingOf: archive, paint) : TileReuse(of: archive, paint, artifacts)
        let isCopied =
          canCopy && !reuse.holdsUnpublished
          && PublishedArchive(path: archive.string, cache: artifacts).isUntouched
        return Known(reuse: reuse, scenes: isCopied ? reuse.state?.knownScenes ?? [:] : [:])
      }
    }
  }

  /// Waits for what is known.
  func known() throws(PipelineError) -> Known {
    guard let result = work.wait() else { return Known(reuse: .none, scenes: [:]) }
    return try result.get()
  }
}

extension Build {
  /// Begins to read the state of the archive that a run replaces; `nil` where nothing is kept, where
  /// there are several archives, and where the archive is no SQLite file.
  func lastArchive(_ targets: [ArchiveTarget]) -> LastArchive? {
    guard artifacts.isEnabled, !artifacts.isOfPlan, targets.count == 1,
      let target = targets.first, !definition.output.isPMTiles
    else { return nil }
    return LastArchive(target.publication.archive, of: self, scale: target.scale)
  }

  /// Whether an archive can be made from the last one without the scenes of all tiles: others need
  /// them for taps or packs, or to keep images when the time is up.
  fileprivate var canCopy: Bool {
    definition.tiles.interactivity == nil && definition.output.packs == nil
      && cancellation.maxSeconds == nil
  }
}

extension ResolvedPipeline {
  /// The names of the sources whose points come as clusters.
  fileprivate var clusteredSources: Set<String> {
    Set(drawnSources.filter { $0.records?.cluster != nil }.map(\.name))
  }
}
