package import Baking
import Definition
package import Inputs
import Overlays
import Platform
import Raster
package import Reuse
package import Runs
import SourceStages
package import SystemPackage

/// The frames of a series that other processes paint.
package struct PlannedFrames {
  package let series: StoredSeries

  /// For each pixel density, the fingerprint of everything that all frames share.
  package let fingerprints: [BuildFingerprint]

  package init(series: StoredSeries, fingerprints: [BuildFingerprint]) {
    self.series = series
    self.fingerprints = fingerprints
  }
}

/// The archives of a series that other processes painted.
package struct PaintedFrames {
  let series: StoredSeries
  let fingerprints: [BuildFingerprint]

  /// The artifacts of the plan, with its notes on the data.
  let shared: (artifacts: ArtifactCache, notes: [String])

  /// Writes the archive of a frame, of the index of a pixel density, at a path.
  let take: (FrameTime, Int, FilePath) throws -> PaintedFrame

  package init(
    _ planned: PlannedFrames, artifacts: ArtifactCache, notes: [String],
    take: @escaping (_ time: Int64, _ density: Int, FilePath) throws -> PaintedFrame
  ) {
    series = planned.series
    fingerprints = planned.fingerprints
    shared = (artifacts, notes)
    self.take = { time, density, path in try take(time.seconds, density, path) }
  }
}

/// The cost of a frame, estimated from one of them.
package struct FrameEstimate {
  /// The measured time of painting on one core, in seconds.
  package fileprivate(set) var seconds = 0.0

  /// That time judged by the sizes of the images, see ``TileEstimate/secondsBySize``.
  package fileprivate(set) var secondsBySize = 0.0

  /// The size of the images in bytes, of all pixel densities.
  package fileprivate(set) var bytes = 0.0
}

extension SeriesBuild {
  /// Resolves the frames of all series, decodes the image of each, and reads the other sources.
  ///
  /// - Parameters:
  ///   - artifacts: the artifacts of the plan, which receive the sources.
  ///   - use: receives each series, with an estimate from its newest frame.
  /// - Returns: the other sources, and the notes on the data, a sentence each.
  package func plan(
    into artifacts: ArtifactCache, use: (PlannedFrames, FrameEstimate) throws -> Void
  ) throws(PipelineError) -> (notes: [String], sources: [ResolvedSource]) {
    let shared = SharedSources(build: build.with(artifacts: artifacts))
    let clock = build.context.clock
    do {
      for (source, _) in try names() {
        var resolved = try self.resolved(source, shared, clock)
        if resolved.records == nil {
          try clock.stage("decode", unit: .records) { _ in
            try resolved.decode(in: build.pipeline) { _, _ in try build.cancellation.check() }
          }
        }
        try shared.describe(source, clock)
        let maker = try FrameMaker(of: resolved, shared: shared, clock: clock)
        _ = try resolved.frame(at: nil)
        let stored = StoredSeries(resolved, redactions: build.definition.redactions)
        let newest = try resolved.files.last.flatMap { file in
          try maker.decoded(file) { _ in }
        }
        try use(
          PlannedFrames(series: stored, fingerprints: maker.common),
          try newest.map { try maker.estimate($0) } ?? FrameEstimate())
      }
      // Also where no frame needs another source.
      let others = try shared.sources(clock).map(\.source.resolved)
      return (shared.notes, others + shared.windowedSources)
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// Paints the archives of some frames of a series.
  ///
  /// - Parameters:
  ///   - frames: the range among the frames of the series.
  ///   - artifacts: the artifacts of the plan, with its notes.
  ///   - scratch: the path of the archive while it is made; no file is there before and after.
  ///   - consume: receives the index of the density of each archive, and what is known of it.
  package func paint(
    _ frames: Range<Int>, of planned: PlannedFrames, artifacts: ArtifactCache, notes: [String],
    scratch: FilePath, consume: (_ density: Int, PaintedFrame) throws -> Void
  ) throws(PipelineError) {
    guard
      let source = build.pipeline.seriesSources.first(where: {
        $0.name == planned.series.source
      })
    else {
      throw PipelineError(
        .badData, "the pipeline has no series '\(planned.series.source)'. Make the plan again.")
    }
    do {
      let shared = SharedSources(build: build, planned: (artifacts, notes))
      let clock = build.context.clock
      let resolved = try self.resolved(source, shared, stored: planned.series, clock)
      let maker = try FrameMaker(
        of: resolved, shared: shared, clock: clock, common: planned.fingerprints)
      try maker.requirePlannedFonts()
      var pending = frames.count * maker.scales.count
      for file in resolved.files[frames] {
        let frame = try maker.decoded(file) { reason throws(PipelineError) in
          throw PipelineError(.badData, reason, at: DocumentPlace(file: file.place))
        }
        guard let frame else { continue }
        for density in maker.scales.indices {
          let outcome = try maker.make(
            frame, density: density,
            at: FrameMaker.Target(
              file: "", last: scratch, temporary: scratch, pending: pending, lastSize: nil))
          pending -= 1
          try consume(density, PaintedFrame(outcome, time: file.time))
          unsafe unlink(scratch.string)
        }
      }
    } catch {
      throw PipelineError(wrapping: error)
    }
  }
}

extension FrameMaker {
  /// Estimates the cost of a frame at all pixel densities.
  fileprivate func estimate(_ frame: DecodedFrame) throws -> FrameEstimate {
    var sum = FrameEstimate()
    for scale in scales {
      for zoom in try scenes(of: frame, scale: scale).zoomEstimates() {
        sum.seconds += Double(zoom.images) * zoom.secondsPerImage
        sum.secondsBySize += Double(zoom.images) * zoom.secondsBySize
        sum.bytes += Double(zoom.images) * zoom.bytesPerImage
      }
    }
    return sum
  }

  /// Refuses to paint with other fonts than the plan was made with.
  fileprivate func requirePlannedFonts() throws(PipelineError) {
    let inputs = shared.build.inputs
    let own = try drawn.prepared.fontFiles.map { file throws(PipelineError) in
      try inputs.sha256(of: file)
    }
    let planned = common.first?.provenance
    guard own.sorted() == planned?.fonts.map(\.sha256).sorted(),
      own.isEmpty || planned?.libraries == TextLibraries.versions
    else {
      throw shared.build.otherFonts(than: planned?.libraries ?? [])
    }
  }
}
