package import Columns
import Definition
import Fetching
import Inputs
import Reuse
package import Runs
package import Styling

// The stages `ingest` and `cluster`, each of which reuses the artifacts of an earlier run.
extension Build {
  /// Reads all sources and computes their clusters.
  package func readAndCluster(_ style: Style?, _ clock: StageClock) throws(PipelineError)
    -> [ClusteredSource]
  {
    try cluster(try read(style, clock), style, clock)
  }

  /// Reads the records of all sources: the stage `ingest`.
  package func read(_ style: Style?, _ clock: StageClock) throws(PipelineError) -> [LoadedSource] {
    try clock.stage("ingest", unit: .bytes, total: pipeline.inputBytes) { advance in
      var done = 0
      let loaded = try pipeline.sources.map { source in
        let loaded = try records(of: source, style) { bytes in try advance(done + bytes, nil) }
        done += loaded.bytes
        return loaded
      }
      try store(loaded)
      return loaded
    }
  }

  /// Computes the clusters of all sources: the stage `cluster`.
  ///
  /// - Parameter marks: returns, for the index of a source, its marked points, see
  ///   ``LoadedSource/clustered(style:tiles:threads:artifacts:marks:checkpoint:)``.
  package func cluster(
    _ loaded: [LoadedSource], _ style: Style?, _ clock: StageClock,
    marks: (Int) -> Column<Bool>? = { _ in nil }
  ) throws(PipelineError) -> [ClusteredSource] {
    try requireScratch(toCluster: loaded)
    return try clock.stage("cluster", unit: .points) { _ in
      try loaded.indices.map {
        try loaded[$0].clustered(
          style: style, tiles: definition.tiles, threads: threads, artifacts: artifacts,
          marks: marks($0), checkpoint: cancellation.check)
      }
    }
  }

  /// Returns the records of a source, from the cache if they are there.
  private func records(
    of source: ResolvedSource, _ style: Style?, advance: @escaping (Int) throws -> Void
  ) throws -> LoadedSource {
    // A file that cannot be read is reported where it is read.
    let key = try? recordsKey(of: source, style)
    if let key, let stored = artifacts.value(key, RecordsArtifact.init) {
      try advance(stored.bytes)
      return LoadedSource(
        source, points: stored.points, shapes: stored.shapes, ledger: stored.ledger,
        bytes: stored.bytes, propertyNames: stored.names, key: key, isCached: !artifacts.isOfPlan)
    }
    if let key { try artifacts.requireAbsent(key) }
    var loaded = try source.load(
      style: style, definition: definition, limit: recordLimit, threads: threads,
      in: context.scratch, advance: advance)
    loaded.key = key
    return loaded
  }

  private func recordsKey(of source: ResolvedSource, _ style: Style?) throws -> ArtifactKey? {
    guard artifacts.isEnabled, let records = source.records else { return nil }
    if artifacts.isOfPlan { return artifacts.key(.records, [source.name]) }
    return try source.recordsKey(
      try source.request(records, style: style, definition: definition), inputs: inputs)
  }

  /// Stores the records that were read, unless a file is no longer the one that was hashed.
  private func store(_ loaded: [LoadedSource]) throws(PipelineError) {
    for source in loaded where !source.isCached {
      guard let key = source.key else { continue }
      try inputs.checkUnchanged(source.resolved.recordFiles)
      artifacts.store(
        key,
        RecordsArtifact(
          points: source.points, shapes: source.shapes, ledger: source.ledger, bytes: source.bytes,
          names: source.propertyNames
        ).writer)
    }
  }

  /// Notes for the user on input files, the cache and trusted inputs, a sentence each.
  package var notes: [String] {
    pipeline.sources.flatMap(\.notes) + pipeline.fetchedFiles.compactMap(\.note)
      + [definition.tiles.budget?.note, artifacts.note, inputs.note].compactMap(\.self)
  }
}
