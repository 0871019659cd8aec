import Baking
import Definition
import Inputs
import MBTiles
import Raster
import Reuse
import Runs
import Styling
import SystemPackage

/// A maker of the archives of a series' frames, one image after the other.
struct FrameMaker {
  /// The series with its position on the map.
  let source: SourceDefinition

  let shared: SharedSources
  let clock: StageClock

  /// For each density, the fingerprint of everything that all frames share.
  let common: [BuildFingerprint]

  /// The build of the series without an image.
  let drawn: Build

  /// - Parameter common: the fingerprints of the run that planned the frames; `nil` computes them.
  init(
    of source: SourceDefinition, shared: SharedSources, clock: StageClock,
    common: [BuildFingerprint]? = nil
  ) throws(PipelineError) {
    self.source = source
    self.shared = shared
    self.clock = clock
    drawn = try shared.build.with(shared.build.pipeline.showing(source, in: nil))
    self.common = if let common { common } else { try drawn.fingerprints() }
  }

  /// The pixel densities.
  var scales: [Int] { drawn.definition.tiles.scales }

  /// Returns the fingerprint of the archive of a frame.
  ///
  /// - Parameter density: the index of its pixel density.
  func fingerprint(of file: FrameFile, density: Int) -> BuildFingerprint {
    BuildFingerprint(
      common[density], frame: file, of: source.name, redactions: drawn.definition.redactions)
  }

  /// A frame whose image is decoded.
  struct DecodedFrame {
    let file: FrameFile

    /// The build in which the image replaces the series.
    let build: Build
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
    let still = drawn.with(
      sameLayers: shared.build.pipeline.showing(source, in: file.path))
    let sources: [ClusteredSource]
    do {
      let image = try clock.stage("decode", unit: .bytes) { _ in
        try shared.build.inputs.whileUnchanged([file.path]) { () throws(PipelineError) in
          try still.pipeline.image(of: source.name)
        }
      }
      sources = try shared.sources(of: still, showing: image, clock)
    } catch {
      guard error.code == .badData, error.stage == "decode" else { throw file.named(error) }
      try broken(error.message)
      return nil
    }
    // Those of a single density are counted while its archive is written.
    let extents = try still.extents(scales: scales.count > 1 ? scales : [], sources, clock)
    return DecodedFrame(file: file, build: still, sources: sources, extents: extents)
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
      build: frame.build, time: frame.file.time, scale: scales[density],
      fingerprint: fingerprint(of: frame.file, density: density), extents: frame.extents
    ).run(frame.sources, at: target, clock)
  }

  /// Computes the scenes of a frame at a pixel density.
  func scenes(of frame: DecodedFrame, scale: Int) throws(PipelineError) -> PlannedTiles {
    try frame.build.scenes(scale: scale, frame.sources, clock)
  }
}
