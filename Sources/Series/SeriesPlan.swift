package import Baking
import Definition
package import Inputs
import MBTiles
import Overlays
package import Reports
import Reuse
package import Runs

/// The plan of a pipeline with image series: the totals of all frames of all series.
package struct SeriesPlan {
  package let build: Build

  package init(build: Build) {
    self.build = build
  }

  /// Counts the tiles of every frame, one image after the other.
  ///
  /// - Complexity: as for a build without painting; memory for one frame.
  package func summary() throws(PipelineError) -> PlanSummary {
    let definition = build.definition
    let clock = build.context.clock
    // Every series has a frame, whose plan decides the layout.
    var whole = PlanSummary(
      pipeline: definition.name, archive: definition.output.path,
      layout: definition.output.layout ?? .dedup)
    var zooms: [Int: PlanSummary.Zoom] = [:]
    let shared = SharedSources(build: build)
    for source in build.pipeline.seriesSources {
      var resolved = try SeriesBuild(build: build).resolved(source, shared, clock)
      let drawn = try build.with(build.pipeline.showing(resolved.source, in: nil)).uncached
        .trainingOnce
      try PipelineError.wrapping {
        try resolved.decode(in: build.pipeline) { data, still in
          try build.cancellation.check()
          let own = build.context.clock
          let frame = drawn.with(sameLayers: still)
          let sources = try shared.sources(of: frame, showing: data, own)
          whole.add(try frame.plan(sources, own), zooms: &zooms)
        }
      }
    }
    whole.zooms = zooms.values.sorted { $0.zoom < $1.zoom }
    return whole
  }
}

extension PlanSummary {
  /// Adds the plan of one frame.
  fileprivate mutating func add(_ plan: PlanSummary, zooms: inout [Int: Zoom]) {
    for counted in plan.zooms {
      var zoom = zooms[counted.zoom] ?? Zoom(zoom: counted.zoom)
      zoom.tiles += counted.tiles
      zoom.empty += counted.empty
      zoom.points = counted.points
      zoom.clusters = counted.clusters
      zooms[counted.zoom] = zoom
    }
    for source in plan.sources where !sources.contains(where: { $0.name == source.name }) {
      sources.append(source)
    }
    layout = plan.layout
    estimatedBytes += plan.estimatedBytes
    if let taps = plan.estimatedTapBytes {
      estimatedTapBytes = (estimatedTapBytes ?? 0) + taps
    }
    estimatedSeconds += plan.estimatedSeconds
  }
}

/// The findings of `check` on a series: that every image exists and is valid, or how many windows have
/// records.
package struct SeriesSniff {
  /// A summary, such as `rain has 12 frames of 2014-01-19T06:00:00Z to 2014-01-19T09:00:00Z, 1
  /// missing`.
  package let line: String

  /// The number of frames that a build would make.
  package let frames: Int

  /// Finds the frames of records.
  package init(_ source: ResolvedSource, of build: Build) throws(PipelineError) {
    let clock = build.context.clock
    let resolved = try SeriesBuild(build: build).resolved(
      source, SharedSources(build: build), clock)
    // The default frame that a build would name in its manifest.
    _ = try resolved.frame(at: nil)
    self.init(resolved)
  }

  /// Reads the frames of images.
  ///
  /// - Parameters:
  ///   - isQuick: whether to read only the header of each image except the default frame's.
  ///   - advance: receives the number of images that were read.
  /// - Throws: the errors of a build, and those of `advance`.
  package init(
    _ source: ResolvedSource, of pipeline: ResolvedPipeline, isQuick: Bool,
    advance: (Int) throws -> Void
  ) throws {
    var resolved = try ResolvedSeries(source) { _ in try advance(0) }
    if isQuick {
      _ = try resolved.wholeFrame(at: nil, in: pipeline)
    } else {
      var count = 0
      try resolved.decode(in: pipeline) { _, _ in
        count += 1
        try advance(count)
      }
      // The default frame that a build would name in its manifest.
      _ = try resolved.frame(at: nil)
    }
    self.init(resolved)
  }

  private init(_ resolved: ResolvedSeries) {
    let series = resolved.series
    frames = series.entries.count
    var parts = [
      "\(resolved.source.name) has \(frames) frames of \(series.entries[0].time) to \(series.latest.time)"
    ]
    let missing = series.gaps.reduce(0) { $0 + $1.missing }
    if missing > 0 { parts.append("\(missing) missing") }
    parts += resolved.faults.map { "unusable \($0.line)" }
    line = parts.joined(separator: ", ")
  }
}
