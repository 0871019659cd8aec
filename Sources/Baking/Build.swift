import Archives
package import Definition
import Features
import Fetching
import Files
import Foundation
package import Inputs
import JSON
package import MBTiles
import PNG
package import Raster
package import Reports
package import Reuse
package import Runs
import Scenes
package import Styling
package import SystemPackage
import Tiling
import Workers

/// A run of a pipeline, from its sources to its published archives.
package struct Build {
  package let pipeline: ResolvedPipeline
  package let context: RunContext

  /// The number of records of each source after which reading may end; `nil` reads all.
  package var recordLimit: Int?

  package init(
    _ pipeline: ResolvedPipeline, context: RunContext, recordLimit: Int? = nil
  ) {
    self.pipeline = pipeline
    self.context = context
    self.recordLimit = recordLimit
  }

  package var definition: PipelineDefinition { pipeline.definition }
  package var options: BuildOptions { context.options }
  package var cancellation: Cancellation { context.cancellation }
  package var inputs: InputDigests { context.inputs }
  package var artifacts: ArtifactCache { context.artifacts }
  package var threads: Int { context.threads }

  /// Builds the archive of every pixel density; inputs are read and clustered once.
  package func run() throws(PipelineError) -> [BuildReport] {
    try withinBudget().runAsDecided()
  }

  private func runAsDecided() throws(PipelineError) -> [BuildReport] {
    let style = try pipeline.style(reading: inputs)
    try pipeline.requireFewTiles(style)
    try definition.requireCodec()
    let fonts = try loadFonts()
    return try publishing(style, fonts) { () throws(PipelineError) in
      try fingerprints(style, fonts)
    } make: { (publications, fingerprints, damage) throws(PipelineError) in
      try make(style, fonts, publications, fingerprints, damage)
    }
  }

  /// Returns the fingerprint of the archive of each density.
  package func fingerprints(
    _ style: Style, _ fonts: FontLibrary
  ) throws(PipelineError) -> [BuildFingerprint] {
    try definition.tiles.scales.map { scale throws(PipelineError) in
      try BuildFingerprint(
        pipeline, scale: scale, fonts: fontFiles(of: style, fonts), inputs: inputs)
    }
  }

  /// Holds the locks of the archives of all densities while they are made, unless those in place
  /// are up to date.
  ///
  /// - Parameters:
  ///   - fingerprints: computes the fingerprints of the archives.
  ///   - make: makes and publishes the archives; it receives their publications and fingerprints,
  ///     and notes on damaged archives in their places.
  package func publishing(
    _ style: Style, _ fonts: FontLibrary,
    _ fingerprints: () throws(PipelineError) -> [BuildFingerprint],
    make: (
      [ArchivePublication], [BuildFingerprint], _ damage: [String]
    ) throws(PipelineError) -> [BuildReport]
  ) throws(PipelineError) -> [BuildReport] {
    guard let publications = try publications() else {
      return skipped(definition.tiles.scales.map { definition.output.path(scale: $0) })
    }
    try settleDeltas(publications)
    let fingerprints = try fingerprints()
    let damage: [String]
    switch try standing(fingerprints) {
    case .unchanged(var reports):
      try settleHolds(publications, &reports)
      try writeLock(rows: [:])
      try addSidecars(style, fonts, fingerprints)
      // A run that was killed after it published may have left them missing.
      if options.writesDeltas { try addDeltas(to: &reports) }
      return reports
    case .outdated(let notes): damage = notes
    }
    try requireRelease(publications)
    return try make(publications, fingerprints, damage)
  }

  private func make(
    _ style: Style, _ fonts: FontLibrary, _ publications: [ArchivePublication],
    _ fingerprints: [BuildFingerprint], _ damage: [String]
  ) throws(PipelineError) -> [BuildReport] {
    let clock = context.clock
    let sources = try inputs.whileUnchanged { () throws(PipelineError) in
      try readAndCluster(style, clock)
    }
    // Those of the first density are found where its tiles are planned.
    var (extents, plans): ([TileExtent], [Int: PlannedTiles]) = ([], [:])
    for scale in definition.tiles.scales.dropFirst() {
      let planned = try scenes(scale: scale, sources, style, fonts, clock)
      extents += planned.extents
      if planned.rowCount <= Self.keptPlanLimit { plans[scale] = planned }
    }
    var reports: [BuildReport] = []
    let dataNotes = try DataNotes(
      of: sources, in: definition, style, checkpoint: cancellation.check)
    for (index, scale) in definition.tiles.scales.enumerated() {
      reports.append(
        try build(
          scale: scale, plans.removeValue(forKey: scale), sources, style, fonts,
          publications[index], fingerprints[index],
          index == 0 ? clock : context.clock,
          &extents, notes: index == 0 ? damage : [], dataNotes))
    }
    try writeLock(rows: sources.readRecords)
    return reports
  }

  // MARK: Stages

  /// The maximum number of tiles of a later density whose plan is kept while the first is made:
  /// some 100 MB; a larger one is made again.
  private static let keptPlanLimit = 1 << 18

  /// Returns the extents of the tiles at some pixel densities, which are planned for this purpose:
  /// an archive's bounds include the tiles of all densities.
  package func extents(
    scales: some Sequence<Int>, _ sources: [ClusteredSource], _ style: Style,
    _ fonts: FontLibrary, _ clock: StageClock
  ) throws(PipelineError) -> [TileExtent] {
    var extents: [TileExtent] = []
    for scale in scales {
      extents += try scenes(scale: scale, sources, style, fonts, clock).extents
    }
    return extents
  }

  package func scenes(
    scale: Int, _ sources: [ClusteredSource], _ style: Style, _ fonts: FontLibrary,
    _ clock: StageClock
  ) throws(PipelineError) -> PlannedTiles {
    try scenes(of: definition.tiles, scale: scale, sources, style, fonts, clock)
  }

  /// Makes the scenes of other zooms than those of the pipeline, or of some of its zooms.
  ///
  /// - Parameter some: the zooms whose scenes are needed; `nil` for all.
  package func scenes(
    of tiles: TilesDefinition, scale: Int, zooms some: ClosedRange<Int>? = nil,
    _ sources: [ClusteredSource], _ style: Style,
    _ fonts: FontLibrary, _ clock: StageClock
  ) throws(PipelineError) -> PlannedTiles {
    let zooms = some ?? tiles.minZoom...tiles.maxZoom
    let items = zooms.reduce(0) { sum, zoom in
      sum + sources.reduce(0) { $0 + $1.itemCount(at: zoom) }
    }
    try definition.requireFewTiles(ofImages: sources.imageBoxes, style, zooms)
    try requireScratch(toDraw: sources, zooms: zooms)
    return try clock.stage("scene", unit: .records, total: items) { advance in
      do {
        return try sources.scenes(
          of: style, tiles: tiles, scale: scale, fonts: fonts, threads: threads, zooms: some,
          isStopped: cancellation.isStopped, advance: advance)
      } catch let excess as TileExcess {
        throw definition.error(excess)
      }
    }
  }

  private func build(
    scale: Int, _ plan: PlannedTiles?, _ sources: [ClusteredSource], _ style: Style,
    _ fonts: FontLibrary, _ publication: ArchivePublication, _ fingerprint: BuildFingerprint,
    _ clock: StageClock, _ extents: inout [TileExtent], notes: [String], _ dataNotes: DataNotes
  ) throws(PipelineError) -> BuildReport {
    let planned =
      if let plan { plan } else { try scenes(scale: scale, sources, style, fonts, clock) }
    extents += planned.extents
    let archive = try archivePlan(
      of: planned, scale: scale, sources, style, fonts, dataNotes, clock)
    let reuse = reuse(of: publication.archive, archive.paint, artifacts)
    let tiles = TileSupply(
      painting: planned, reuse: reuse, taps: TapPlan(definition, sources, planned.builder),
      threads: threads, cancellation: cancellation)
    return try publish(
      archive, tiles, reuse,
      ArchiveDescription(
        definition: definition, sources: sources, extents: extents, scale: scale,
        fingerprint: fingerprint, hasBackground: definition.hasBackground(style)),
      style, fonts, publication, clock, notes: (before: notes, after: dataNotes.all))
  }

  /// Plans the archive of tiles whose scenes are known.
  package func archivePlan(
    of planned: PlannedTiles, scale: Int, _ sources: [ClusteredSource], _ style: Style,
    _ fonts: FontLibrary, _ dataNotes: DataNotes, _ clock: StageClock
  ) throws(PipelineError) -> ArchivePlan {
    if !planned.drawsAnything { try requireNothingAllowed(of: sources, because: dataNotes) }
    return ArchivePlan(
      scale: scale, rows: planned.rows, drawsAnything: planned.drawsAnything,
      decision: try layout(for: planned, clock),
      paint: try PaintKey(planned, fonts: fontFiles(of: style, fonts), inputs: inputs),
      notes: try labelNotes(planned, besides: dataNotes))
  }

  /// Writes, verifies and publishes a planned archive, with its report and sidecars.
  ///
  /// - Parameters:
  ///   - tiles: its rows; they are those of the plan.
  ///   - notes: the notes for the report before and after those of the run itself.
  package func publish(
    _ archive: ArchivePlan, _ tiles: TileSupply, _ reuse: TileReuse,
    _ description: ArchiveDescription, _ style: Style, _ fonts: FontLibrary,
    _ publication: ArchivePublication, _ clock: StageClock,
    notes: (before: [String], after: [String])
  ) throws(PipelineError) -> BuildReport {
    try requireSpace(archive)
    var stage = ArchiveStage(
      tiles: tiles, description: description, layout: archive.decision.layout,
      path: publication.temporary,
      scratch: options.temporaryFolder.map { FilePath($0) }, clock: clock, reuse: reuse,
      cache: artifacts, paint: archive.paint, last: publication.archive,
      acceptsChanges: options.acceptsChanges)
    // Fonts are read while tiles are painted.
    let published = published(scale: archive.scale)
    stage.beforePublication = { [inputs] in
      try inputs.checkUnchanged()
      published.forget()
    }
    let foreignNote = ReplacedArchive(publication.archive.string).note(for: definition)
    // Its file stays readable after the new one has taken its name.
    let replaced =
      options.writesDeltas || options.picturesChanges
      ? try? ArchiveReader.opening(publication.archive) : nil
    let outcome = try stage.run(publication)
    published.record(sha256: outcome.sha256)
    var report = report(of: outcome, description.sources, publication, clock)
    if let excess = definition.tiles.budget?.excess(of: outcome.bytes) {
      report.notes.append(excess)
    }
    if options.picturesChanges { report.changedTiles = changedTiles(since: replaced, report) }
    report.notes =
      [foreignNote].compactMap(\.self) + notes.before + report.notes + notes.after + archive.notes
    if !archive.drawsAnything {
      report.notes.append(
        "nothing is drawn, so the archive has no tiles, as 'expect: {features: {min: 0}}' allows.")
    }
    try write(report)
    if let doubt = outcome.doubt { throw doubt }
    try Sidecars(definition: definition, style: style, fonts: fonts).write(
      archive: report.archive.path, scale: archive.scale,
      fingerprint: description.fingerprint?.text ?? "", isKnown: false)
    if options.writesDeltas {
      try DeltaStage(
        archive: publication.archive, replaced: replaced, kept: definition.output.keptDeltas,
        clock: clock
      ).run(&report)
    } else if DeltaStage.removeOutdated(
      besides: publication.archive, sha256: report.archive.sha256)
    {
      report.notes.append(
        "the deltas to the last archive were removed: this build, without --delta, makes none.")
    }
    return report
  }

  /// Writes the report beside the archive that it describes.
  private func write(_ report: BuildReport) throws(PipelineError) {
    do throws(PipelineError) {
      try ReportFile.write(
        report.json.pretty, to: ReportFile.path(besideArchive: report.archive.path))
    } catch {
      throw PipelineError(
        error.code,
        "\(report.archive.path) is published, but its report cannot be written. Check the folder "
          + "and the disk.", at: error.place, cause: error.cause)
    }
  }

  /// Returns the images that need not be painted; with `--force` all are painted.
  package func reuse(of archive: FilePath, _ paint: PaintKey, _ cache: ArtifactCache) -> TileReuse {
    if options.force { return TileReuse(nothingOf: archive, paint) }
    guard PMTilesMetadata.isPMTiles(archive) else { return TileReuse(of: archive, paint, cache) }
    let view = try? ArchiveView(
      of: HeldFile(archive), in: options.temporaryFolder.map { FilePath($0) })
    return TileReuse(of: archive, content: view?.path, keptBy: view, paint, cache)
  }

  package func layout(for planned: PlannedTiles, _ clock: StageClock) throws(PipelineError)
    -> LayoutDecision
  {
    if definition.tiles.interactivity?.format == .utfgrid || definition.output.isPMTiles {
      return LayoutDecision(layout: .dedup)
    }
    if let layout = definition.output.layout { return LayoutDecision(layout: layout) }
    // Without a repeated tile, the plain table is the smaller one whatever the size of the images.
    let estimate = try clock.stage("estimate", unit: .tiles) { _ in
      planned.rowCount == planned.uses.count ? nil : try planned.estimate()
    }
    return LayoutDecision(layout: estimate.map { layout(for: $0) } ?? .flat, estimate: estimate)
  }

  func layout(for estimate: TileEstimate) -> ArchiveLayout {
    if definition.tiles.interactivity?.format == .utfgrid || definition.output.isPMTiles {
      return .dedup
    }
    return definition.output.layout
      ?? (estimate.archiveBytes(.dedup) <= estimate.archiveBytes(.flat) ? .dedup : .flat)
  }

  // MARK: Around the stages

  /// Writes the lock file of the remote files that the build used beside the archive, unless it is
  /// up to date. The entries that the last build locked for a source that is now left out stay.
  ///
  /// - Parameter rows: the number of records read by source; a source that was not read keeps its
  ///   count.
  package func writeLock(rows: [String: Int]) throws(PipelineError) {
    guard !pipeline.fetchedFiles.isEmpty else { return }
    let path = definition.output.lockPath
    let old = (try? DocumentFile.read(path, limit: 64 << 20))
      .flatMap { try? LockFile(json: $0, path: path) }
    let files = pipeline.sources.flatMap { source -> [LockFile.File] in
      if let absence = source.absence {
        return old?.files.filter { absence.addresses.contains($0.uri) } ?? []
      }
      let fetched = source.origin.fetched
      return fetched.map { file in
        let known = old?.files.first { $0.uri == file.uri && $0.sha256 == file.sha256 }?.rows
        let read = fetched.count == 1 && source.records != nil ? rows[source.name] : nil
        return LockFile.File(file, rows: read.map { Int64($0) } ?? known)
      }
    }
    let lock = LockFile(files + pipeline.fetchedSprites.map { LockFile.File($0) })
    if lock != old { try ReportFile.write(lock.json, to: path) }
  }

  /// Refuses an archive without tiles, unless `expect` allows it and every source is intact.
  ///
  /// - Parameter notes: the known reasons.
  package func requireNothingAllowed(
    of sources: [ClusteredSource], because notes: DataNotes
  ) throws(PipelineError) {
    guard definition.expectation.allowsNothing, !sources.contains(where: \.isLost) else {
      throw nothingDrawn(of: sources, because: notes)
    }
  }

  /// Returns the error for an archive without tiles.
  ///
  /// - Parameter notes: the known reasons.
  package func nothingDrawn(
    of sources: [ClusteredSource], because notes: DataNotes = DataNotes()
  ) -> PipelineError {
    let counts = sources.compactMap(\.countsRead)
    let shown = counts.prefix(5).joined(separator: "; ") + (counts.count > 5 ? " …" : "")
    let reasons = sources.compactMap(\.reasonOfLoss).prefix(1) + notes.all
    let remedy = "Check the filters, the layers' zooms and 'bounds'."
    return PipelineError(
      .unexpected,
      "nothing would be drawn at zoom \(definition.tiles.minZoom) to "
        + "\(definition.tiles.maxZoom): no archive is published"
        + (shown.isEmpty ? ". " : " (\(shown)). ")
        + (reasons.isEmpty ? remedy : reasons.prefix(5).joined(separator: " ")),
      at: DocumentPlace(file: definition.file))
  }

  package func loadFonts() throws(PipelineError) -> FontLibrary {
    do {
      return try FontLibrary()
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// Returns notes for the user on the fonts of all planned labels, and on numbers by which nothing
  /// can be drawn, a sentence each.
  package func labelNotes(
    _ planned: PlannedTiles, besides dataNotes: DataNotes = DataNotes()
  ) throws(PipelineError) -> [String] {
    do {
      let builder = planned.builder
      return try LabelFonts(of: builder.looks, fonts: builder.fonts).notes
        + builder.unusableNumbers.notes(of: builder.style, besides: dataNotes.valueless)
        + [builder.missingImages.note].compactMap(\.self)
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// Returns the font files that may affect a pixel: all available ones, if any layer shows text,
  /// since font names may come from the data and each file is a fallback for characters that others
  /// lack.
  package func fontFiles(of style: Style, _ fonts: FontLibrary) -> [String] {
    style.layers.contains { $0.kind == .symbol } ? fonts.files : []
  }

  private var refusedThreadsNote: String {
    "the system refused some of \(threads) threads, so others did their work: the archive is the same"
      + " and took longer. Raise the limit of processes (ulimit -u, TasksMax=), or set a lower -j."
  }

  private func report(
    of outcome: ArchiveStage.Outcome, _ sources: [ClusteredSource],
    _ publication: ArchivePublication, _ clock: StageClock
  ) -> BuildReport {
    var report = BuildReport(
      of: definition, result: .published,
      archive: ArchiveReport(
        path: publication.archive.string, bytes: outcome.bytes, sha256: outcome.sha256,
        digest: outcome.summary.hashes?.digest ?? ""))
    report.sources = sources.map(\.report).map { $0.redacted(by: definition.redactions) }
    report.notes = outcome.notes + self.notes + sources.flatMap(\.readingNotes)
    if WorkerThreads.wereRefused { report.notes.append(refusedThreadsNote) }
    report.changes = outcome.changes
    report.grids = outcome.summary.grids
    report.stages = context.earlierStages + clock.stages
    report.zooms = outcome.summary.zooms.map { counted in
      var zoom = ZoomReport(counted)
      zoom.clusters = sources.reduce(0) { $0 + $1.itemCount(at: counted.zoom) }
      zoom.points = sources.reduce(0) { $0 + $1.pointCount(at: counted.zoom) }
      zoom.limited = sources.reduce(0) { $0 + $1.limitedCount(at: counted.zoom) }
      return zoom
    }
    report.tiles.planned = outcome.summary.tiles
    report.tiles.rendered = outcome.tiles.painted
    report.tiles.reused = outcome.tiles.reused
    report.tiles.distinct = outcome.summary.distinct
    report.tiles.bytes = outcome.summary.distinctBytes
    report.memory = report.stages.peakMemory
    return report
  }
}
