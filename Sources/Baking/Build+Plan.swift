import Definition
package import Reports
import Reuse
package import Runs
package import SourceStages

// The command `plan`.
extension Build {
  /// Counts the tiles that a build would write, and paints a sample to estimate bytes and time.
  package func plan() throws(PipelineError) -> PlanSummary {
    let clock = context.clock
    return try plan(try reading.clustered(clock), clock)
  }

  /// Plans a build of sources that have been read already.
  package func plan(
    _ sources: [ClusteredSource], _ clock: StageClock
  ) throws(PipelineError) -> PlanSummary {
    let planned = try scenes(scale: definition.tiles.scales.first ?? 1, sources, clock)
    let layout = try layout(for: planned, clock).layout
    let (estimate, taps) = try clock.stage("estimate", unit: .tiles) { _ in
      (
        try planned.preciseEstimate(),
        try tapPlan(sources, of: planned).map {
          try TapEstimate(
            $0, of: planned, isPrecise: true, threads: threads, clock.cancellation)
        }
      )
    }
    var summary = PlanSummary(
      pipeline: definition.name, archive: definition.output.path,
      layout: layout)
    summary.sources = sources.map(\.report)
    summary.zooms = planned.zoomSummaries
    for (index, zoom) in summary.zooms.map(\.zoom).enumerated() {
      summary.zooms[index].clusters = sources.itemCount(at: zoom)
      summary.zooms[index].points = sources.pointCount(at: zoom)
    }
    summary.budgetNote = budgetNote
    summary.estimatedTapBytes = taps?.bytes
    summary.estimatedBytes = estimate.archiveBytes(layout) + (taps?.bytes ?? 0)
    summary.estimatedSeconds =
      (stagesOfDecision + clock.stages).reduce(0) { $0 + $1.seconds }
      + estimate.seconds(threads: threads)
      + (taps?.seconds ?? 0) / Double(threads)
    return summary
  }

  /// The estimated cost of the tiles of one zoom, from a sample of them.
  package struct ZoomCost: Hashable, Sendable {
    package var zoom: Int
    package var tiles: Int

    /// The part of the archive.
    package var bytes: Int

    /// The time of painting on one thread in seconds, judged by the size of the images: the same in
    /// every run.
    package var seconds: Double
  }

  /// Estimates what the tiles of each zoom cost.
  ///
  /// - Complexity: some hundred tiles are painted.
  package func zoomCosts() throws(PipelineError) -> [ZoomCost] {
    let clock = context.clock
    let planned = try scenes(
      scale: definition.tiles.scales.first ?? 1, try reading.clustered(clock), clock)
    let estimates = try clock.stage("estimate", unit: .tiles) { _ in
      try planned.zoomEstimates()
    }
    return zip(planned.counts, estimates).map { count, estimate in
      ZoomCost(
        zoom: count.zoom, tiles: count.drawn + count.transparent,
        bytes: estimate.archiveBytes(definition.layout(for: estimate)),
        seconds: Double(estimate.images) * estimate.secondsBySize)
    }
  }
}

extension PlannedTiles {
  /// The numbers of tiles for a plan.
  fileprivate var zoomSummaries: [PlanSummary.Zoom] {
    counts.map { count in
      var zoom = PlanSummary.Zoom(zoom: count.zoom)
      zoom.tiles = count.drawn + count.transparent
      zoom.empty = count.transparent
      return zoom
    }
  }
}
