import Baking
import Definition
import Features
import Inputs
import Reports
import Reuse
import Runs
import Scenes
import SourceStages

/// The sources that all frames of all series share, read when the first frame is built.
final class SharedSources {
  let build: Build
  private(set) var read: [ClusteredSource]?

  /// The notes on data that the sources lack, a sentence each.
  var notes: [String] { sharedNotes + recordNotes }
  private var sharedNotes: [String] = []
  private var recordNotes: [String] = []

  /// The artifacts and notes of a plan, from which the sources are read; `nil` to read their files.
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
    sharedNotes = if let planned { planned.notes } else { try part.dataNotes(on: sources).all }
    return sources
  }

  /// Returns the sources of a frame, in the order of its pipeline.
  ///
  /// - Parameters:
  ///   - frame: the build in which one picture replaces the series.
  ///   - data: the image or the records of the frame.
  func sources(
    of frame: Build, showing data: LoadedSource, _ clock: StageClock
  ) throws(PipelineError) -> [ClusteredSource] {
    let others = try sources(clock)
    return try PipelineError.wrapping {
      try frame.pipeline.sources.compactMap { source in
        guard source.name == data.definition.name else {
          return others.first { $0.source.definition.name == source.name }
        }
        guard data.image == nil else { return try data.clustered(by: frame.reading) }
        return try clock.stage("cluster", unit: .points) { _ in
          try data.clustered(by: frame.reading)
        }
      }
    }
  }

  // MARK: Frames of records

  /// The records of series, by the names of their sources.
  private var windowed: [String: WindowedRecords] = [:]

  /// Returns the records of a series, which are read and sorted once.
  func records(
    of source: ResolvedSource, _ clock: StageClock
  ) throws(PipelineError) -> WindowedRecords {
    if let known = windowed[source.name] { return known }
    let part = try whole(source)
    let loaded = try build.inputs.whileUnchanged { () throws(PipelineError) in
      try part.reading.ingest(clock)
    }
    guard let first = loaded.first else {
      throw PipelineError(.bug, "the records of a series were not read.", at: source.place)
    }
    let records = try clock.stage("frames", unit: .records) { _ in try WindowedRecords(first) }
    windowed[source.name] = records
    return records
  }

  /// Adds the notes on all records of a series, whatever frame shows them.
  func describe(_ source: ResolvedSource, _ clock: StageClock) throws(PipelineError) {
    guard planned == nil, source.records != nil, described.insert(source.name).inserted else {
      return
    }
    let loaded = try records(of: source, clock).source
    let part = try whole(source)
    let clustered = try part.reading.cluster([loaded], clock)
    recordNotes += clustered.flatMap(\.readingNotes)
    recordNotes += try part.dataNotes(on: clustered, areAll: false).all
    if let note = source.definition.noteOnClasses { recordNotes.append(note) }
  }

  private var described: Set<String> = []

  /// Returns the build of all records of a series, and of no other source.
  private func whole(_ source: ResolvedSource) throws(PipelineError) -> Build {
    var pipeline = build.pipeline.showing(source.definition, in: nil)
    var part = try build.with(pipeline)
    pipeline.sources.removeAll { $0.name != source.name }
    part = part.with(sameLayers: pipeline)
    return if let planned { part.with(artifacts: planned.artifacts) } else { part }
  }

  // MARK: Outcomes

  /// The outcomes of the records, by source; empty where none were needed.
  var readReports: [String: SourceReport] {
    let whole = windowed.values.map(\.source).map { source in
      SourceReport(
        name: source.definition.name, file: source.resolved.dataName, ledger: source.ledger,
        fetched: source.resolved.origin.fetched, isCached: source.isCached)
    }
    return Dictionary(
      (read ?? []).map { ($0.source.definition.name, $0.report) } + whole.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The number of records read, by source.
  var readRecords: [String: Int] {
    (read ?? []).readRecords.merging(windowed.mapValues { $0.source.ledger.read }) { $1 }
  }

  /// The data of the series of records, as it was found.
  var windowedSources: [ResolvedSource] {
    build.pipeline.sources.compactMap { windowed[$0.name]?.source.resolved }
  }
}

extension SourceDefinition {
  /// The note that the classes of one frame are not those of another; `nil` without classes.
  fileprivate var noteOnClasses: String? {
    guard let classes = records?.cluster?.classes else { return nil }
    return "\(node["classes"]?.place ?? place): the bounds of 'classes' are computed for each "
      + "frame of '\(name)', so a class means other numbers in another frame. To compare frames, "
      + "name the bounds in the layer: [step, [get, \(classes.property)], …] instead of [get, "
      + "\(ClassDefinition.name)]."
  }
}
