import Baking
import Inputs
import Overlays
import Reports
import Runs
import SourceStages

extension SeriesReport {
  /// Creates the report on the frames of a series, before any is built.
  init(_ resolved: ResolvedSeries) {
    self.init()
    let series = resolved.series
    frames = series.entries.count
    first = "\(series.entries[0].time)"
    latest = "\(series.latest.time)"
    leftOut = series.expired
    replaced = series.replaced.count
    gaps = series.gaps.map {
      Gap(from: "\($0.from)", to: "\($0.to)", missing: $0.missing, policy: $0.policy.rawValue)
    }
    unusable = resolved.faults.map(\.line)
  }
}

extension BuildReport {
  /// Adds the content of this run's archives.
  mutating func add(_ outcomes: [FrameBuild.Outcome]) {
    var sums: [Int: ZoomReport] = [:]
    for outcome in outcomes {
      let content = outcome.content
      for counted in content.zooms {
        var zoom = sums[counted.zoom] ?? ZoomReport(zoom: counted.zoom)
        zoom.tiles += counted.tiles
        zoom.empty += counted.empty
        zoom.distinct += counted.distinct
        zoom.bytes += counted.bytes
        sums[counted.zoom] = zoom
      }
      tiles.planned += content.zooms.reduce(0) { $0 + $1.tiles }
      tiles.rendered += content.rendered
      tiles.reused += content.reused
      tiles.distinct += content.distinct
      tiles.bytes += content.bytes
    }
    zooms = sums.values.sorted { $0.zoom < $1.zoom }
  }
}

extension [StageTime] {
  /// The stages summed by name, in the order of first use.
  var summed: [StageTime] {
    var sums: [StageTime] = []
    for stage in self { sums.add(stage) }
    return sums
  }
}

extension ResolvedPipeline {
  /// Decodes the image that replaces a series.
  func image(of source: String) throws(PipelineError) -> LoadedSource {
    guard let source = sources.first(where: { $0.name == source }) else {
      throw PipelineError(.bug, "the series '\(source)' is not among the sources.")
    }
    return LoadedSource(source, image: try source.loadImage())
  }
}
