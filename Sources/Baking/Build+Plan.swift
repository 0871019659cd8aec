import Definition
import Inputs
package import Raster
package import Reports
import Reuse
package import Runs
package import Styling
import Tiling

// The command `plan`.
extension Build {
  /// Counts the tiles that a build would write, and paints a sample to estimate bytes and time.
  package func plan() throws(PipelineError) -> PlanSummary {
    let build = try withinBudget()
    return try build.planAsDecided()
  }

  private func planAsDecided() throws(PipelineError) -> PlanSummary {
    let style = try pipeline.style(reading: inputs)
    try pipeline.requireFewTiles(style)
    try definition.requireCodec()
    let clock = context.clock
    return try plan(try readAndCluster(style, clock), style, try loadFonts(), clock)
  }

  /// Plans a build of sources that have been read already.
  package func plan(
    _ sources: [ClusteredSource], _ style: Style, _ fonts: FontLibrary, _ clock: StageClock
  ) throws(PipelineError) -> PlanSummary {
    let planned = try scenes(
      scale: definition.tiles.scales.first ?? 1, sources, style, fonts, clock)
    let layout = try layout(for: planned, clock).layout
    let (estimate, taps) = try clock.stage("estimate", unit: .tiles) { _ in
      (
        try planned.preciseEstimate(),
        try TapPlan(definition, sources, planned.builder).map {
          try TapEstimate(
            $0, of: planned, isPrecise: true, threads: threads, clock.cancellation)
        }
      )
    }
    var summary = PlanSummary(
      pipeline: definition.name, archive: definition.output.path,
      layout: layout)
    summary.sources = sources.map(\.report)
    summary.zooms = planned.counts.map { count in
      var zoom = PlanSummary.Zoom(zoom: count.zoom)
      zoom.tiles = count.drawn + count.transparent
      zoom.empty = count.transparent
      zoom.clusters = sources.reduce(0) { $0 + $1.itemCount(at: count.zoom) }
      zoom.points = sources.reduce(0) { $0 + $1.pointCount(at: count.zoom) }
      return zoom
    }
    summary.budgetNote = definition.tiles.budget?.note
    summary.estimatedTapBytes = taps?.bytes
    summary.estimatedBytes = estimate.archiveBytes(layout) + (taps?.bytes ?? 0)
    summary.estimatedSeconds =
      clock.stages.reduce(0) { $0 + $1.seconds } + estimate.seconds(threads: threads)
      + (taps?.seconds ?? 0) / Double(threads)
    return summary
  }

  /// Counts the tiles of each zoom without painting any: a plan without its estimates.
  package func tileCounts() throws(PipelineError) -> [PlanSummary.Zoom] {
    let style = try pipeline.style(reading: inputs)
    try pipeline.requireFewTiles(style)
    try definition.requireCodec()
    let clock = context.clock
    let planned = try scenes(
      scale: definition.tiles.scales.first ?? 1, try readAndCluster(style, clock), style,
      try loadFonts(), clock)
    return planned.counts.map { count in
      var zoom = PlanSummary.Zoom(zoom: count.zoom)
      zoom.tiles = count.drawn + count.transparent
      zoom.empty = count.transparent
      return zoom
    }
  }
}
