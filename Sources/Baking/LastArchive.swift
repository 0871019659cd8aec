import Archives
import Definition
import Inputs
import MBTiles
import Painting
import Reports
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
    let scenes: [Int: CachedScenes]
  }

  let drawing: TileDrawing
  let painters: PainterFactory

  /// Whether scenes of a part of the tiles suffice; the hashes of symbols are kept for the next run.
  let canCopy: Bool
  private let work: SideWork<Result<Known, PipelineError>>

  /// Begins to read the state of the archive that a build replaces.
  ///
  /// - Parameter fingerprint: that of the next archive.
  init(_ archive: FilePath, of build: Build, scale: Int, _ fingerprint: BuildFingerprint) {
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
        try painters.takePalette(of: fingerprint.provenance, in: artifacts, isForced: isForced)
        let paint = try PaintKey(
          painters, tileSize: tileSize, scale: scale, fonts: fonts, inputs: inputs)
        let reuse =
          isForced ? TileReuse(nothingOf: archive, paint) : TileReuse(of: archive, paint, artifacts)
        let isCopied =
          canCopy && PublishedArchive(path: archive.string, cache: artifacts).isUntouched
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
  /// Begins to read the states of the archives that a run replaces, by pixel density; empty where
  /// nothing is known of them.
  func lastArchives(_ targets: [ArchiveTarget]) -> [Int: LastArchive] {
    switch whyNot {
    case .noCache, .parts, .pmtiles: return [:]
    default: break
    }
    return Dictionary(
      targets.map {
        (
          $0.scale,
          LastArchive($0.publication.archive, of: self, scale: $0.scale, $0.fingerprint)
        )
      }, uniquingKeysWith: { $1 })
  }

  /// Why no archive of the build can be made from the last one; `nil` where that depends on the last
  /// one.
  var whyNot: WhyNot? {
    if !artifacts.isEnabled { return .noCache }
    if artifacts.isOfPlan { return .parts }
    if options.force { return .forced }
    return definition.output.isPMTiles ? .pmtiles : nil
  }

  /// The reason for making scenes or records of all data, apart from what becomes of the archive.
  func whyAnew(_ archive: ArchivePlan) -> [WhyNot] {
    var reasons: [WhyNot] = []
    if archive.makesAllScenes { reasons.append(.shapes) }
    let readsLogs = pipeline.drawnSources.contains {
      $0.records?.changes.edits != nil && $0.unedited == nil
    }
    if readsLogs, artifacts.isEnabled, !artifacts.isOfPlan { reasons.append(.edits) }
    return reasons
  }

  /// Whether an archive can be made from the last one without the scenes of all tiles, which taps need.
  fileprivate var canCopy: Bool { whyNot == nil && definition.tiles.interactivity == nil }
}

extension ResolvedPipeline {
  /// The names of the sources whose points come as clusters.
  var clusteredSources: Set<String> {
    Set(drawnSources.filter { $0.records?.cluster != nil }.map(\.name))
  }
}
