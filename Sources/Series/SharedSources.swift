import Baking
import Definition
import Features
import Inputs
import Reports
import Reuse
import Runs
import Scenes

/// The sources that all frames of all series share, read when the first frame is built.
final class SharedSources {
  let build: Build
  private(set) var read: [ClusteredSource]?

  /// The notes on data that the sources lack, a sentence each.
  private(set) var notes: [String] = []

  /// The artifacts of a plan, from which the sources are read, with its notes; `nil` where they are
  /// read from their files.
  private let planned: (artifacts: ArtifactCache, notes: [String])?

  init(build: Build, planned: (artifacts: ArtifactCache, notes: [String])? = nil) {
    self.build = build
    self.planned = planned
  }

  /// Returns the sources other than series, in the order of the file.
  func sources(_ clock: StageClock) throws(PipelineError) -> [ClusteredSource] {
    if let read { return read }
    var part = try build.with(build.pipeline.withoutSeries)
    if let planned { part = part.with(artifacts: planned.artifacts) }
    let sources = try build.inputs.whileUnchanged { () throws(PipelineError) in
      try part.reading.clustered(clock)
    }
    read = sources
    notes = if let planned { planned.notes } else { try part.dataNotes(on: sources).all }
    return sources
  }

  /// Returns the sources of a frame, in the order of its pipeline.
  ///
  /// - Parameter frame: the build in which the image replaces its series.
  func sources(
    of frame: Build, showing image: LoadedImage, _ clock: StageClock
  ) throws(PipelineError) -> [ClusteredSource] {
    let others = try sources(clock)
    return try PipelineError.wrapping {
      try frame.pipeline.sources.compactMap { source in
        guard source.name == image.source.id else {
          return others.first { $0.source.definition.name == source.name }
        }
        return try LoadedSource(source, image: image).clustered(by: frame.reading)
      }
    }
  }

  /// The outcomes of the records, by source; empty where none were needed.
  var readReports: [String: SourceReport] {
    Dictionary(
      (read ?? []).map { ($0.source.definition.name, $0.report) },
      uniquingKeysWith: { first, _ in first })
  }
}
