package import Baking
import Definition
import Foundation
import Inputs
package import Overlays
package import Reports
import Reuse
package import Runs
import SourceStages
import SystemPackage

/// The build of a pipeline with series of images or of records: each series becomes a separate set of
/// archives.
///
/// All other sources are read and clustered once and drawn into every frame, in the order of the
/// layers; the layers of other series are not drawn.
package struct SeriesBuild {
  /// The build of the whole pipeline.
  package let build: Build

  /// The archives that other processes painted, by the names of their series.
  package var painted: [String: PaintedFrames] = [:]

  /// A function that is called before each step of a publication; throwing ends the run there.
  var beforeStep: (FramePublicationStep) throws -> Void = { _ in }

  package init(
    build: Build,
    beforeStep: @escaping (FramePublicationStep) throws -> Void = { _ in }
  ) {
    self.build = build
    self.beforeStep = beforeStep
  }

  private var definition: PipelineDefinition { build.definition }

  /// Builds and publishes one series after the other.
  ///
  /// - Returns: a report for each pixel density of each series.
  package func run() throws(PipelineError) -> [BuildReport] {
    var reports: [BuildReport] = []
    let shared = SharedSources(build: build, planned: painted.values.first?.shared)
    for (source, names) in try names() {
      reports += try run(source, names, shared)
    }
    try build.writeLock(rows: shared.readRecords)
    return reports
  }

  /// Returns the series with the names of their files at each density: from the archive that the
  /// pipeline names, and with several series also from the series.
  func names() throws(PipelineError) -> [(ResolvedSource, [FrameNames])] {
    let all = build.pipeline.seriesSources
    var seen: Set<String> = []
    var named: [(ResolvedSource, [FrameNames])] = []
    for source in all {
      guard definition.layers.contains(where: { $0.source == source.name }) else {
        throw source.place.fault(
          "no layer draws the series '\(source.name)'. Add one of type "
            + "\(source.records == nil ? "raster" : "circle or symbol").")
      }
      let names = try definition.tiles.scales.map { scale throws(PipelineError) in
        let name = definition.seriesName(all.count > 1 ? source.name : nil, scale: scale)
        guard seen.insert(name).inserted, let names = try? FrameNames(series: name) else {
          throw source.place.fault(
            "the files of series '\(source.name)' would be named '\(name)'. Name sources by ASCII "
              + "letters, digits, - and _, and none like another's @2x.")
        }
        return names
      }
      named.append((source, names))
    }
    return named
  }

  /// Returns the frames of a series.
  ///
  /// - Parameter stored: the series as another process resolved it; `nil` to look for its frames.
  func resolved(
    _ source: ResolvedSource, _ shared: SharedSources, stored: StoredSeries? = nil,
    _ clock: StageClock
  ) throws(PipelineError) -> ResolvedSeries {
    guard source.records != nil else {
      return try clock.stage("frames", unit: .records) { advance in
        try stored.map { try ResolvedSeries($0, of: source) }
          ?? ResolvedSeries(source, inputs: build.inputs) { try advance($0, nil) }
      }
    }
    let resolved = try ResolvedSeries(source, try shared.records(of: source, clock))
    guard stored?.isOf(resolved.files) ?? true else { throw StoredSeries.damage }
    return resolved
  }

  private func run(
    _ source: ResolvedSource, _ names: [FrameNames], _ shared: SharedSources
  ) throws(PipelineError) -> [BuildReport] {
    let clock = build.context.clock
    let painted = painted[source.name]
    let resolved = try self.resolved(source, shared, stored: painted?.series, clock)
    let folder = FilePath(definition.output.path).removingLastComponent()
    let scales = definition.tiles.scales
    let outputs: [SeriesOutput]
    do throws(PipelineError) {
      // Acquired in the order of their names, see Build.publications().
      outputs = try zip(names, scales).map { pair throws(PipelineError) in
        try SeriesOutput(
          pair.0, scale: pair.1, folder: folder.isEmpty ? "." : folder, patience: build.patience)
      }
    } catch {
      try build.cancellation.check()
      guard error.code == .locked, build.options.whenLocked == .skip else { throw error }
      return build.skipped(names.map { folder.appending($0.manifest).string })
    }
    var run = SeriesRun(
      resolved, outputs: outputs, shared: shared, clock: clock, painted: painted,
      beforeStep: beforeStep)
    do throws(PipelineError) {
      try run.makeFrames()
      return try run.publish()
    } catch {
      throw run.judged(error)
    }
  }
}
