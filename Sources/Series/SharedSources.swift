import Baking
import Definition
import Inputs
import Features
import Raster
import Reports
import Reuse
import Runs
import Scenes
import Styling

/// The sources that all frames of all series share, read when the first frame is built.
final class SharedSources {
  let build: Build
  private var fontLibrary: FontLibrary?
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

  func fonts() throws(PipelineError) -> FontLibrary {
    if let fontLibrary { return fontLibrary }
    let fonts = try build.loadFonts()
    fontLibrary = fonts
    return fonts
  }

  /// Returns the sources other than series, in the order of the file.
  func sources(_ clock: StageClock) throws(PipelineError) -> [ClusteredSource] {
    if let read { return read }
    var part = build.withoutSeries
    let style = try part.pipeline.style(reading: build.inputs)
    if let planned {
      part = Build(
        part.pipeline, context: build.context.with(artifacts: planned.artifacts))
    }
    let sources = try build.inputs.whileUnchanged { () throws(PipelineError) in
      try part.readAndCluster(style, clock)
    }
    read = sources
    if let planned {
      notes = planned.notes
    } else {
      notes = try DataNotes(
        of: sources, in: part.definition, style, checkpoint: build.cancellation.check
      ).all
    }
    return sources
  }

  /// Returns the sources of a frame, in the order of its pipeline.
  ///
  /// - Parameter still: the pipeline in which the image replaces its series.
  func sources(
    of still: ResolvedPipeline, showing image: LoadedImage, _ style: Style, _ clock: StageClock
  ) throws(PipelineError) -> [ClusteredSource] {
    let others = try sources(clock)
    do {
      return try still.sources.compactMap { source in
        guard source.name == image.source.id else {
          return others.first { $0.source.definition.name == source.name }
        }
        return try LoadedSource(
          source, points: PointSet(), shapes: ShapeSet(), ledger: SourceLedger(),
          bytes: image.bytes, image: image
        ).clustered(
          style: style, tiles: still.definition.tiles, threads: build.threads,
          checkpoint: build.cancellation.check)
      }
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// The outcomes of the records, by source; empty where none were needed.
  var readReports: [String: SourceReport] {
    Dictionary(
      (read ?? []).map { ($0.source.definition.name, $0.report) },
      uniquingKeysWith: { first, _ in first })
  }
}
