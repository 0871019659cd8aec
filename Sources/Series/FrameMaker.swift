import Baking
import Definition
import Inputs
import MBTiles
import Overlays
import Raster
import Reuse
import Runs
import Styling
import SystemPackage
import Tiling

/// A maker of the archives of a series' frames, one image after the other.
struct FrameMaker {
  /// The pipeline with all its series.
  let pipeline: ResolvedPipeline

  /// The series with its position on the map.
  let source: SourceDefinition

  let shared: SharedSources
  let clock: StageClock

  /// The pixel densities.
  let scales: [Int]

  /// For each density, the fingerprint of everything that all frames share.
  let common: [BuildFingerprint]

  private let style: Style
  private let fonts: FontLibrary

  /// - Parameter common: the fingerprints of the run that planned the frames; `nil` computes them.
  init(
    _ pipeline: ResolvedPipeline, of source: SourceDefinition, scales: [Int],
    shared: SharedSources, clock: StageClock, common: [BuildFingerprint]? = nil
  ) throws(PipelineError) {
    self.pipeline = pipeline
    self.source = source
    self.scales = scales
    self.shared = shared
    self.clock = clock
    let drawn = pipeline.showing(source, in: nil)
    style = try drawn.style(reading: shared.build.inputs)
    fonts = try shared.fonts()
    if let common {
      self.common = common
    } else {
      self.common = try Build(drawn, context: shared.build.context)
        .fingerprints(style, fonts)
    }
  }

  /// The font files that may affect a pixel of a frame.
  var fontFiles: [String] { shared.build.fontFiles(of: style, fonts) }

  /// Returns the fingerprint of the archive of a frame.
  ///
  /// - Parameter density: the index of its pixel density.
  func fingerprint(of file: FrameFile, density: Int) -> BuildFingerprint {
    BuildFingerprint(
      common[density], frame: file, of: source.name, redactions: pipeline.definition.redactions)
  }

  /// A frame whose image is decoded.
  struct DecodedFrame {
    let file: FrameFile

    /// The pipeline in which the image replaces the series.
    let still: ResolvedPipeline
    let sources: [ClusteredSource]

    /// The tile extents at every pixel density, where there are several.
    let extents: [TileExtent]
  }

  /// Decodes the image of a frame; `nil` where it is broken.
  ///
  /// - Parameter broken: receives the reason.
  func decoded(
    _ file: FrameFile, broken: (String) throws(PipelineError) -> Void
  ) throws(PipelineError) -> DecodedFrame? {
    let still = pipeline.showing(source, in: file.path)
    let sources: [ClusteredSource]
    do {
      let image = try clock.stage("decode", unit: .bytes) { _ in
        try shared.build.inputs.whileUnchanged([file.path]) { () throws(PipelineError) in
          try still.image(of: source.name)
        }
      }
      sources = try shared.sources(of: still, showing: image, style, clock)
    } catch {
      guard error.code == .badData, error.stage == "decode" else { throw file.named(error) }
      try broken(error.message)
      return nil
    }
    // Those of a single density are counted while its archive is written.
    let extents = try Build(still, context: shared.build.context).extents(
      scales: scales.count > 1 ? scales : [], sources, style, fonts, clock)
    return DecodedFrame(file: file, still: still, sources: sources, extents: extents)
  }

  /// The place of the archive to make.
  struct Target {
    /// The archive's path from the manifest.
    let file: String

    /// The frame's last archive, which may have tiles to reuse.
    let last: FilePath

    /// The path to write at.
    let temporary: FilePath

    /// The number of archives that this run has still to make, including this one.
    let pending: Int

    /// The size in bytes of the newest archive in place; `nil` where there is none.
    let lastSize: Int?
  }

  /// Makes the archive of a frame.
  ///
  /// - Parameter density: the index of its pixel density.
  func make(
    _ frame: DecodedFrame, density: Int, at target: Target
  ) throws(PipelineError) -> FrameBuild.Outcome {
    try FrameBuild(
      pipeline: frame.still, time: frame.file.time, scale: scales[density],
      fingerprint: fingerprint(of: frame.file, density: density), context: shared.build.context,
      extents: frame.extents, pending: target.pending, last: target.lastSize
    ).run(
      frame.sources, style, fonts, file: target.file, archive: target.last,
      temporary: target.temporary, clock: clock)
  }

  /// Computes the scenes of a frame at a pixel density.
  func scenes(of frame: DecodedFrame, scale: Int) throws(PipelineError) -> PlannedTiles {
    try Build(frame.still, context: shared.build.context)
      .scenes(scale: scale, frame.sources, style, fonts, clock)
  }
}
