import Archives
package import Definition
import Files
package import Inputs
import MBTiles
import Painting
import Publication
package import Reports
package import Reuse
package import Runs
import Scenes
package import SourceStages
package import SystemPackage

/// A run of a pipeline, from its sources to its published archives: its zooms and its format are
/// decided, its layers compiled.
///
/// ``UndecidedBuild`` makes the build of a run; the builds of its parts are derived from that.
package struct Build {
  package private(set) var pipeline: ResolvedPipeline
  package private(set) var context: RunContext
  package private(set) var prepared: DrawingSetup

  /// The zooms and the format that the pipeline's budget left; `nil` without one.
  package private(set) var choice: TileBudget.Choice?

  /// The painters by pixel density whose training on the style all builds of the same layers share;
  /// empty where each build trains its own.
  private(set) var trainers: [Int: PainterFactory] = [:]

  /// The number of records of each source after which reading may end; `nil` reads all.
  package var recordLimit: Int?

  /// The times of the stages by which the budget was decided.
  private(set) var stagesOfDecision: [StageTime] = []

  /// The sources that were read for the decision, by name.
  private var known: [String: LoadedSource] = [:]

  init(_ pipeline: ResolvedPipeline, context: RunContext) throws(PipelineError) {
    self.pipeline = pipeline
    self.context = context
    prepared = try DrawingSetup(pipeline, reading: context.inputs)
  }

  package var definition: PipelineDefinition { pipeline.definition }
  package var options: BuildOptions { context.options }
  package var cancellation: Cancellation { context.cancellation }
  package var inputs: InputDigests { context.inputs }
  package var artifacts: ArtifactCache { context.artifacts }
  package var threads: Int { context.threads }

  /// The stages that read the sources.
  package var reading: SourceReading {
    var reading = SourceReading(pipeline, style: prepared.style, context: context)
    reading.recordLimit = recordLimit
    reading.known = known
    return reading
  }

  // MARK: Stages

  /// Builds the archive of every pixel density; inputs are read and clustered once.
  package func run() throws(PipelineError) -> [BuildReport] {
    try publishing(fingerprints) { targets throws(PipelineError) in
      try resuming(targets) { stopped throws(PipelineError) in try make(targets, stopped) }
    }
  }

  /// Makes the archives of all densities, stage by stage.
  private func make(
    _ targets: [ArchiveTarget], _ stopped: StoppedRuns
  ) throws(PipelineError) -> [BuildReport] {
    if let streamed = try StreamedTilesets(of: self) {
      return try make(targets, streaming: streamed)
    }
    let clock = context.clock
    let last = lastArchives(targets)
    let sources = try inputs.whileUnchanged { () throws(PipelineError) in
      let loaded = try reading.ingest(clock)
      return try reading.cluster(loaded, clock)
    }
    let dataNotes = try dataNotes(on: sources)
    let ahead = try paintAhead(targets, sources, after: last, stopped, clock)
    var plans = ahead.plans
    cancellation.endsRest = ahead.isWhole
    var extents = try laterTiles(sources, &plans, after: last, clock)
    var reports: [BuildReport] = []
    for target in targets {
      cancellation.endsRest = ahead.isWhole
      let clock = reports.isEmpty ? clock : context.clock
      let known = plans.removeValue(forKey: target.scale)
      let planned =
        if let known { known } else {
          try scenes(scale: target.scale, sources, after: last[target.scale], clock)
        }
      let earlier = try last[target.scale]?.known().reuse
      if reports.isEmpty { extents += planned.extents }
      var archive = try archivePlan(
        of: planned, sources, dataNotes, after: earlier?.state, clock)
      archive.notes = dataNotes.all + archive.notes
      archive.makesAllScenes = planned.builder.hasUndividedZooms
      let paintedAhead = ahead.painted[target.scale] ?? 0
      // What was read of the last archive does not tell of pictures that this run painted ahead.
      let reuse =
        if let earlier, paintedAhead == 0 { earlier } else {
          self.reuse(of: target.publication.archive, archive.paint)
        }
      var tiles = PaintedFeed(
        planned, taps: tapPlan(sources, of: planned),
        reuse: reuse, context)
      tiles.paintedAhead = paintedAhead
      let description = ArchiveDescription(
        of: self, sources, extents: extents, scale: target.scale, fingerprint: target.fingerprint)
      reports.append(try publish(archive, tiles, description, at: target, clock))
    }
    try writeLock(rows: sources.readRecords)
    return reports
  }

  /// The maximum number of tiles of a density whose plan is kept while another is made: some 100 MB;
  /// a larger one is made again.
  static let keptPlanLimit = 1 << 18

  /// Plans the tiles of all densities but the first: an archive's bounds include those of all.
  ///
  /// - Parameter plans: the plans that are there already; those that may be kept are added.
  private func laterTiles(
    _ sources: [ClusteredSource], _ plans: inout [Int: PlannedTiles],
    after last: [Int: LastArchive], _ clock: StageClock
  ) throws(PipelineError) -> [TileExtent] {
    var extents: [TileExtent] = []
    for scale in definition.tiles.scales.dropFirst() {
      let known = plans[scale]
      let planned =
        if let known { known } else {
          try scenes(scale: scale, sources, after: last[scale], clock)
        }
      extents += planned.extents
      if planned.rowCount <= Self.keptPlanLimit { plans[scale] = planned }
    }
    return extents
  }

  /// Writes, verifies and publishes a planned archive, with its report, sidecars and deltas: the
  /// stages from `tiles` to `delta`.
  ///
  /// - Parameter tiles: its rows; they are those of the plan.
  package func publish(
    _ archive: ArchivePlan, _ tiles: any TileFeed, _ description: ArchiveDescription,
    at target: ArchiveTarget, _ clock: StageClock
  ) throws(PipelineError) -> BuildReport {
    try requireSpace(archive)
    let publication = target.publication
    let foreignNote = ReplacedArchive(publication.archive.string).note(for: definition)
    // Its file stays readable after the new one has taken its name.
    let replaced =
      options.writesDeltas || options.picturesChanges || definition.output.packs != nil
      ? try? ArchiveReader.opening(publication.archive) : nil
    var stage = ArchiveStage(
      archive, tiles, description, path: publication.temporary, context: context, clock: clock)
    stage.last = publication.archive
    stage.whyNot = whyNot
    let published = published(scale: archive.scale)
    // Fonts are read while tiles are painted.
    stage.beforePublication = { [inputs] in
      try inputs.checkUnchanged()
      published.forget()
    }
    let made = try stage.make()
    let changes = ClusterChanges(of: self, description, replacing: publication.archive)
    let outcome = try stage.publish(made, publication)
    published.record(sha256: outcome.sha256)
    var report = report(of: outcome, description.sources, publication, clock)
    report.anew = whyAnew(archive)
    report.blocks = archive.blocks
    if options.picturesChanges { report.changedTiles = changedTiles(since: replaced, report) }
    report.notes =
      [foreignNote].compactMap(\.self) + target.notes + report.notes + archive.notes
    if !archive.drawsAnything {
      report.notes.append(
        "nothing is drawn, so the archive has no tiles, as 'expect: {features: {min: 0}}' allows.")
    }
    try write(report)
    if let doubt = outcome.doubt { throw doubt }
    try Sidecars(of: self).write(
      archive: report.archive.path, scale: archive.scale, fingerprint: target.fingerprint.text,
      isKnown: false)
    try changes?.write(besides: report.archive.path)
    try settleDeltas(since: replaced, at: publication, &report, clock)
    try settlePacks(since: replaced, at: target, &report, clock)
    return report
  }

  // MARK: Plans

  /// Plans the archive of tiles whose scenes are known.
  ///
  /// - Throws: also ``PipelineError`` with code `unexpected` where nothing is drawn, unless the
  ///   pipeline allows it.
  package func archivePlan(
    of planned: PlannedTiles, _ sources: [ClusteredSource], _ dataNotes: DataNotes,
    after state: TileState? = nil, _ clock: StageClock
  ) throws(PipelineError) -> ArchivePlan {
    if !planned.drawsLayers { try requireNothingAllowed(of: sources, because: dataNotes) }
    return try archivePlan(of: planned, besides: dataNotes, after: state, clock)
  }

  /// Plans the archive of tiles that may all be transparent.
  ///
  /// - Parameters:
  ///   - dataNotes: what the user is told already.
  ///   - state: that of the last archive.
  package func archivePlan(
    of planned: PlannedTiles, besides dataNotes: DataNotes = DataNotes(),
    after state: TileState? = nil, _ clock: StageClock
  ) throws(PipelineError) -> ArchivePlan {
    ArchivePlan(
      scale: planned.builder.scale, rows: planned.rows, drawsAnything: planned.drawsAnything,
      decision: try layout(for: planned, after: state, clock), paint: try paintKey(of: planned),
      notes: try drawingNotes(planned, besides: dataNotes))
  }

  /// Returns the images that need not be painted; with `--force` all are painted.
  package func reuse(of archive: FilePath, _ paint: PaintKey) -> TileReuse {
    if options.force { return TileReuse(nothingOf: archive, paint) }
    guard PMTilesMetadata.isPMTiles(archive) else {
      return TileReuse(of: archive, paint, artifacts)
    }
    let view = try? ArchiveView(
      of: HeldFile(archive), in: options.temporaryFolder.map { FilePath($0) })
    return TileReuse(of: archive, content: view?.path, keptBy: view, paint, artifacts)
  }

  /// Returns the fingerprint of the archive of each density.
  package func fingerprints() throws(PipelineError) -> [BuildFingerprint] {
    try definition.tiles.scales.map { scale throws(PipelineError) in
      try fingerprint(scale: scale)
    }
  }

  /// Returns the fingerprint of the archive of a density.
  func fingerprint(scale: Int) throws(PipelineError) -> BuildFingerprint {
    try BuildFingerprint(
      pipeline, choice, scale: scale, fonts: prepared.fontFiles, inputs: inputs)
  }
}

// The builds that derive from another one.
extension Build {
  /// Returns the build of another part of the pipeline.
  package func with(_ pipeline: ResolvedPipeline) throws(PipelineError) -> Build {
    var build = with(sameLayers: pipeline)
    build.prepared = try DrawingSetup(pipeline, reading: inputs, fonts: prepared.fonts)
    build.trainers = [:]
    return build
  }

  /// The build whose painters train once for all builds of the same layers, such as those of the frames
  /// of a series: that takes as long as the tiles of a small frame.
  package var trainingOnce: Build {
    var build = self
    for scale in definition.tiles.scales {
      build.trainers[scale] = drawing(scale: scale).painters(
        clusteredSources: pipeline.clusteredSources)
    }
    return build
  }

  /// Returns the build of a pipeline with the same layers as this one.
  package func with(sameLayers pipeline: ResolvedPipeline) -> Build {
    var build = self
    build.pipeline = pipeline
    build.known = [:]
    return build
  }

  /// Returns the build with other artifacts, which receive all sources.
  package func with(artifacts: ArtifactCache) -> Build {
    var build = self
    build.context = context.with(artifacts: artifacts)
    build.known = [:]
    return build
  }

  /// The build without digests and artifacts of earlier runs.
  package var uncached: Build {
    var build = self
    build.context = context.uncached
    return build
  }

  /// Returns the build with the zooms and the format of a choice; `nil` if the pipeline does not
  /// offer it.
  func taking(_ choice: TileBudget.Choice) -> Build? {
    guard let taking = pipeline.taking(choice) else { return nil }
    var build = self
    build.pipeline = taking
    build.choice = choice
    return build
  }

  /// Returns the build that keeps what was read to decide it.
  ///
  /// Images that GDAL warps are read again: fewer zooms need coarser pixels.
  func keeping(_ read: [LoadedSource], of clock: StageClock) -> Build {
    var build = self
    build.stagesOfDecision = clock.stages
    for source in read where source.resolved.warped == nil {
      build.known[source.definition.name] = source
    }
    return build
  }
}
