import Baking
import Definition
import Inputs
import MBTiles
import Raster
import Reuse
import Runs
import SourceStages
import Styling
import SystemPackage

/// A maker of the archives of a series' frames, one image or window of records after the other.
struct FrameMaker {
  /// The series with its position on the map.
  let source: SourceDefinition

  let shared: SharedSources
  let clock: StageClock

  /// For each density, the fingerprint of everything that all frames share.
  let common: [BuildFingerprint]

  /// The records of the frames; `nil` for images.
  let records: WindowedRecords?

  /// The build of the series without an image.
  let drawn: Build

  /// - Parameter common: the fingerprints of the run that planned the frames; `nil` computes them.
  init(
    of resolved: ResolvedSeries, shared: SharedSources, clock: StageClock,
    common: [BuildFingerprint]? = nil
  ) throws(PipelineError) {
    source = resolved.source
    records = resolved.records
    self.shared = shared
    self.clock = clock
    drawn = try shared.build.with(shared.build.pipeline.showing(source, in: nil)).trainingOnce
    let without = drawn.with(sameLayers: drawn.pipeline.withoutData(of: source.name))
    self.common = if let common { common } else { try without.fingerprints() }
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

  /// A frame whose data is read.
  struct DecodedFrame {
    let file: FrameFile

    /// The build in which one picture replaces the series.
    let build: Build
    let sources: [ClusteredSource]

    /// The tile extents at every pixel density, where there are several.
    let extents: [TileExtent]
  }

  /// Decodes the image of a frame, or takes its records; `nil` where the image is broken.
  ///
  /// - Parameter broken: receives the reason.
  func decoded(
    _ file: FrameFile, broken: (String) throws(PipelineError) -> Void
  ) throws(PipelineError) -> DecodedFrame? {
    let still = drawn.with(
      sameLayers: shared.build.pipeline.showing(source, in: file.image?.path))
    let sources: [ClusteredSource]
    do {
      sources = try shared.sources(of: still, showing: try data(of: file, in: still), clock)
    } catch {
      guard error.code == .badData, error.stage == "decode" else { throw file.named(error) }
      try broken(error.message)
      return nil
    }
    // With a single density the extents are counted while its archive is written.
    let extents = try still.extents(scales: scales.count > 1 ? scales : [], sources, clock)
    return DecodedFrame(file: file, build: still, sources: sources, extents: extents)
  }

  private func data(of file: FrameFile, in still: Build) throws(PipelineError) -> LoadedSource {
    if let records { return records.records(of: file.time) }
    return try clock.stage("decode", unit: .bytes) { _ in
      let paths = [file.image?.path].compactMap(\.self)
      return try shared.build.inputs.whileUnchanged(paths) { () throws(PipelineError) in
        try still.pipeline.image(of: source.name)
      }
    }
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
