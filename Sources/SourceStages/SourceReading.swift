package import Columns
import Definition
package import Inputs
package import Reuse
package import Runs
package import Styling

/// The reading of a pipeline's sources: the stages `ingest` and `cluster`, each of which reuses the
/// artifacts of an earlier run.
package struct SourceReading {
  package let pipeline: ResolvedPipeline

  /// The layers, whose properties are kept; `nil` keeps all properties.
  package let style: Style?
  package let context: RunContext

  /// The number of records of each source after which reading may end; `nil` reads all.
  package var recordLimit: Int?

  /// The sources that this run has read already, by name.
  package var known: [String: LoadedSource] = [:]

  package init(_ pipeline: ResolvedPipeline, style: Style?, context: RunContext) {
    self.pipeline = pipeline
    self.style = style
    self.context = context
  }

  var definition: PipelineDefinition { pipeline.definition }
  var artifacts: ArtifactCache { context.artifacts }

  /// Reads all sources and computes their clusters.
  package func clustered(_ clock: StageClock) throws(PipelineError) -> [ClusteredSource] {
    try cluster(try ingest(clock), clock)
  }

  /// Reads the records of all sources: the stage `ingest`.
  package func ingest(_ clock: StageClock) throws(PipelineError) -> [LoadedSource] {
    let sources = pipeline.drawnSources
    let read = sources.compactMap { known[$0.name] }
    if !read.isEmpty, read.count == sources.count { return try shown(read) }
    var loaded: [LoadedSource] = []
    do throws(PipelineError) {
      try clock.stage("ingest", unit: .bytes, total: pipeline.inputBytes) { advance in
        var done = 0
        for source in sources {
          let read =
            try known[source.name]
            ?? records(of: source) { bytes in try advance(done + bytes, nil) }
          done += read.bytes
          loaded.append(read)
          if known[source.name] == nil { try store(read) }
        }
        for source in sources { source.sharedTiles?.removeContents() }
      }
    } catch {
      var error = error
      // Of a source that was not read to its end nothing is kept.
      if error.reach != nil { error.reach = RunReach(stage: "ingest", done: loaded.count) }
      throw error
    }
    return try shown(loaded)
  }

  private func shown(_ loaded: [LoadedSource]) throws(PipelineError) -> [LoadedSource] {
    try loaded.map { source throws(PipelineError) in try source.shown() }
  }

  /// Computes the clusters of all sources: the stage `cluster`.
  ///
  /// - Parameter marks: returns, for the index of a source, its marked points, see
  ///   ``LoadedSource/clustered(by:marks:)``.
  package func cluster(
    _ loaded: [LoadedSource], _ clock: StageClock, marks: (Int) -> Column<Bool>? = { _ in nil }
  ) throws(PipelineError) -> [ClusteredSource] {
    try context.requireScratch(toCluster: loaded)
    return try clock.stage("cluster", unit: .points) { _ in
      try loaded.indices.map { try loaded[$0].clustered(by: self, marks: marks($0)) }
    }
  }

  /// Returns the records of a source, from the cache if they are there.
  func records(
    of source: ResolvedSource, advance: @escaping (Int) throws -> Void
  ) throws -> LoadedSource {
    // A file that cannot be read is reported where it is read.
    let key = try? recordsKey(of: source)
    if let key, let stored = artifacts.value(key, RecordsArtifact.init) {
      try advance(stored.bytes)
      return LoadedSource(
        resolved: source, points: stored.points, shapes: stored.shapes, ledger: stored.ledger,
        bytes: stored.bytes, propertyNames: stored.names, key: key, isCached: !artifacts.isOfPlan)
    }
    if let key { try artifacts.requireAbsent(key) }
    if let key, let edited = try editedRecords(of: source, key: key, advance: advance) {
      return edited
    }
    var loaded = try source.load(by: self, advance: advance)
    loaded.key = key
    return loaded
  }

  private func recordsKey(of source: ResolvedSource) throws -> ArtifactKey? {
    guard artifacts.isEnabled, let records = source.records else { return nil }
    if artifacts.isOfPlan { return artifacts.key(.records, [source.name]) }
    return try source.recordsKey(
      try source.request(records, style: style, definition: definition), inputs: context.inputs)
  }

  /// Stores the records that were read, unless a file is no longer the one that was hashed.
  func store(_ source: LoadedSource) throws(PipelineError) {
    guard !source.isCached, !source.isLaidOver, let key = source.key else { return }
    try context.inputs.checkUnchanged(source.resolved.recordFiles)
    let records = RecordsArtifact(
      points: source.points, shapes: source.shapes, ledger: source.ledger, bytes: source.bytes,
      names: source.propertyNames)
    artifacts.storeMeanwhile(key) { records.writer }
  }
}

extension LoadedSource {
  /// Whether the records that were read for some layers are those that others need.
  package func serves(_ reading: SourceReading, as before: SourceReading) throws -> Bool {
    guard let records = resolved.records else { return true }
    let (new, old) = (
      try resolved.request(records, style: reading.style, definition: reading.definition),
      try resolved.request(records, style: before.style, definition: before.definition)
    )
    return new.wanted == old.wanted && new.tested == old.tested
  }
}
