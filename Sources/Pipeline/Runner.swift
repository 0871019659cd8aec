package import Archives
package import Baking
import Columns
package import Definition
import Inputs
import PNG
import Publication
package import Queries
package import Raster
package import Reports
import Reuse
package import Runs
import Series
package import SourceStages
import SystemPackage
package import Tiling

/// The implementations of the commands; the executable adds arguments, exit codes and a terminal.
///
/// Every function throws only ``PipelineError``, checks `cancellation` between batches, and prints
/// nothing. Options are applied to the definition here.
package enum PipelineRunner {
  /// Bakes and publishes the archives of a pipeline, one for each pixel density.
  ///
  /// - Returns: a report per archive, in the order of the densities; each was also written beside
  ///   its archive.
  package static func build(
    _ definition: PipelineDefinition, options: BuildOptions, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) -> [BuildReport] {
    let options = try options.ofOneRun.withUpdates(of: definition)
    defer { InputStage.removeTemporaryFiles(options) }
    RunMemory.begin()
    defer { RunMemory.end() }
    let undecided = try prepared(
      definition, options, cancellation, progress, publishes: true)
    defer { undecided.context.artifacts.settle() }
    // The time limit applies again to further pipelines of the run.
    defer { cancellation.endsRest = false }
    do throws(PipelineError) {
      let build = try undecided.decided()
      let reports =
        build.definition.hasSeries ? try SeriesBuild(build: build).run() : try build.run()
      build.rememberInputs()
      undecided.stoppedRuns.forget(parts: [])
      return reports
    } catch {
      throw undecided.stoppedRuns.judged(error)
    }
  }

  /// Counts the tiles that a build would make without drawing: exact tiles, estimated bytes and
  /// time.
  package static func plan(
    _ definition: PipelineDefinition, options: BuildOptions, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) -> PlanSummary {
    let options = options.ofOneRun
    defer { InputStage.removeTemporaryFiles(options) }
    try definition.applying(options).requireInputsApart(options)
    let build = try prepared(definition, options, cancellation, progress).decided()
    return build.definition.hasSeries ? try SeriesPlan(build: build).summary() : try build.plan()
  }

  /// Checks a pipeline without building it: that its layers compile, that its files exist, and the
  /// content of its sources, from the first record to the last.
  ///
  /// - Parameter isQuick: whether only the beginning of each source is read; an error there is
  ///   thrown.
  /// - Returns: the findings; a source that a build would refuse is ``CheckSummary/failure``.
  package static func check(
    _ definition: PipelineDefinition, options: BuildOptions, isQuick: Bool = false,
    cancellation: Cancellation = Cancellation(), progress: @escaping ProgressHandler = { _ in }
  ) throws(PipelineError) -> CheckSummary {
    let options = options.ofOneRun
    defer { InputStage.removeTemporaryFiles(options) }
    let clock = StageClock(progress: progress, cancellation: cancellation)
    let applied = try definition.applying(options)
    try applied.requireTargets(options)
    _ = try options.withUpdates(of: applied)
    let pipeline = try InputStage(
      applied, options: options, clock: clock,
      cancellation: cancellation, progress: progress
    ).run()
    let definition = pipeline.definition
    try definition.requireFiles()
    let style = try pipeline.style()
    try pipeline.requireFewTiles(style)
    try definition.requireCodec()
    try definition.requireRegions()
    let imageSeries = pipeline.seriesSources.filter { $0.records == nil }
    let series = try imageSeries.map { source throws(PipelineError) in
      try clock.stage("frames", unit: .records) { advance in
        try SeriesSniff(source, of: pipeline, isQuick: isQuick) { try advance($0, nil) }
      }
    }
    var summary = CheckSummary(
      pipeline: definition.name,
      notes: definition.notes
        + pipeline.sources.flatMap { source in
          source.notes.map { DefinitionNote(message: $0, place: source.place) }
        },
      conclusion: ([definition.conclusion] + series.map(\.line)).joined(separator: "; "))
    guard !isQuick else {
      for source in pipeline.drawnSources where source.series == nil || source.records != nil {
        try source.sniff(style: style, definition: definition)
      }
      return summary
    }
    summary.sources = try clock.stage("check", unit: .bytes, total: pipeline.inputBytes) {
      advance in try pipeline.examineSources { try advance($0, nil) }
    }
    for (source, found) in zip(imageSeries, series) {
      guard let index = summary.sources.firstIndex(where: { $0.name == source.name }) else {
        continue
      }
      summary.sources[index].frames = found.frames
    }
    summary.layerNotes = summary.sources.compactMap(\.imageNote)
    guard summary.failure == nil, pipeline.canBeReadAgain else { return summary }
    let context = RunContext(options: options, cancellation: cancellation, progress: progress)
    do {
      summary.layerNotes += try OddFeatures.notes(on: summary.sources, of: pipeline)
      let build = try UndecidedBuild(pipeline, context: context).ignoringBudget()
      for source in pipeline.seriesSources where source.records != nil {
        let frames = try SeriesSniff(source, of: build)
        summary.conclusion += "; \(frames.line)"
        if let index = summary.sources.firstIndex(where: { $0.name == source.name }) {
          summary.sources[index].frames = frames.frames
        }
      }
      let trial = try DrawingTrial(build: build).outcome(clock)
      summary.layerNotes += trial.notes.layers + [trial.imageNote].compactMap(\.self)
      try definition.expectation.check(features: trial.usedRecords ?? summary.usedRecords)
    } catch {
      try cancellation.check()
      summary.refusal = error
    }
    return summary
  }

  /// Writes the records or clusters that a query selects.
  ///
  /// - Parameter write: receives the answer piece by piece, unless it goes to a file.
  package static func query(
    _ definition: PipelineDefinition, query: QueryOptions, options: BuildOptions,
    cancellation: Cancellation, progress: @escaping ProgressHandler,
    write: @escaping ([UInt8]) throws(PipelineError) -> Void
  ) throws(PipelineError) -> QuerySummary {
    let options = options.ofOneRun
    defer { InputStage.removeTemporaryFiles(options) }
    var tiles = RequestedTiles()
    (tiles.layers, tiles.zoom) = (query.tileLayers, query.tileZoom)
    tiles.bounds = query.bounds?.wrapped
    let build = try prepared(
      definition, options, cancellation, progress, sources: query.sources,
      tiles: .selection(tiles))
    return try FeatureQuery(
      try build.pipeline.queried(
        clusters: query.clusterZoom != nil, of: query.sources, options), context: build.context,
      options: query
    ).run(write: write)
  }

  /// Performs a hit test on an archive alone.
  ///
  /// - Parameter zoom: the zoom of the tile that is tapped; the archive's last one if `nil`.
  /// - Returns: a GeoJSON collection of one feature, or an empty one.
  package static func tap(
    archive: String, at place: LngLat, zoom: Int?
  ) throws(PipelineError) -> [UInt8] {
    ArchiveTap.Answer.collection(
      try ArchiveTap(FilePath(archive)).answer(at: place, zoom: zoom))
  }

  /// Draws one tile without an archive.
  ///
  /// - Parameters:
  ///   - scale: the pixel density, 1 to 3.
  ///   - note: receives the notes of a build that concern the tile, a sentence each.
  /// - Returns: the bytes of a PNG.
  package static func tile(
    _ definition: PipelineDefinition, tile: TileCoord, scale: Int, options: BuildOptions,
    cancellation: Cancellation, progress: @escaping ProgressHandler,
    note: (String) -> Void = { _ in }
  ) throws(PipelineError) -> [UInt8] {
    let options = options.ofOneRun
    defer { InputStage.removeTemporaryFiles(options) }
    return try still(definition, options, cancellation, progress).tile(
      tile, scale: scale, note: note)
  }

  /// Reads and clusters the sources, for tiles that are painted when they are asked for.
  ///
  /// A series shows its last frame.
  package static func tilesOnDemand(
    _ definition: PipelineDefinition, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) -> TilesOnDemand {
    let options = BuildOptions().ofOneRun
    defer { InputStage.removeTemporaryFiles(options) }
    let scope = definition.isOfTilesets ? TileScope.view : .map
    var build = try prepared(definition, options, cancellation, progress, tiles: scope)
    build.pipeline = try build.pipeline.still(options)
    return try TilesOnDemand(build.ignoringBudget())
  }

  /// Explains the content of a tile or a pixel, or where a feature is drawn.
  ///
  /// - Parameter scale: the pixel density, 1 to 3.
  package static func why(
    _ definition: PipelineDefinition, question: WhyQuestion, scale: Int, options: BuildOptions,
    cancellation: Cancellation, progress: @escaping ProgressHandler
  ) throws(PipelineError) -> WhyAnswer {
    let options = options.ofOneRun
    defer { InputStage.removeTemporaryFiles(options) }
    let build = try still(definition, options, cancellation, progress)
    switch question {
    case .tile(let tile):
      let explanation = try build.explain(tile, pixel: nil, scale: scale)
      return WhyAnswer(text: explanation.text(), json: explanation.json)
    case .pixel(let tile, let x, let y):
      let explanation = try build.explain(tile, pixel: (x, y), scale: scale)
      return WhyAnswer(text: explanation.text(), json: explanation.json)
    case .feature(let key):
      let explanation = try build.explain(feature: key, scale: scale)
      return WhyAnswer(text: explanation.text(), json: explanation.json)
    }
  }

  /// Draws one view with what surrounds it, without an archive.
  ///
  /// - Parameter note: receives the notes of a build that concern the view, a sentence each.
  package static func figure(
    _ request: FigureRequest, _ definition: PipelineDefinition, options: BuildOptions,
    cancellation: Cancellation, progress: @escaping ProgressHandler, note: (String) -> Void
  ) throws(PipelineError) -> Pixmap {
    let options = options.ofOneRun
    defer { InputStage.removeTemporaryFiles(options) }
    return try still(definition, options, cancellation, progress).figure(request, note: note)
  }

  /// Draws one view of any size without an archive.
  ///
  /// - Parameter note: receives the notes of a build that concern the view, a sentence each.
  /// - Returns: the pixels, which the command `render` stores as a PNG.
  package static func picture(
    of view: MapView, _ definition: PipelineDefinition, options: BuildOptions,
    cancellation: Cancellation, progress: @escaping ProgressHandler,
    note: (String) -> Void = { _ in }
  ) throws(PipelineError) -> Pixmap {
    let options = options.ofOneRun
    defer { InputStage.removeTemporaryFiles(options) }
    return try still(definition, options, cancellation, progress).picture(of: view, note: note)
  }

  /// Draws one view of any size without an archive.
  ///
  /// - Parameter note: receives the notes of a build that concern the view, a sentence each.
  /// - Returns: the bytes of a PNG.
  package static func render(
    _ definition: PipelineDefinition, view: MapView, options: BuildOptions,
    cancellation: Cancellation, progress: @escaping ProgressHandler,
    note: (String) -> Void = { _ in }
  ) throws(PipelineError) -> [UInt8] {
    PNGEncoder().encode(
      try picture(
        of: view, definition, options: options, cancellation: cancellation, progress: progress,
        note: note))
  }

  /// Describes an archive, the manifest of a series, a list of packs, a delta, a PMTiles file, or a folder of tiles:
  /// metadata, zooms, sizes, and the layers of vector tiles.
  package static func inspect(
    archive: String, cancellation: Cancellation = Cancellation()
  ) throws(PipelineError) -> String {
    try ArchiveArgument.refusePipeline(archive, to: "inspect")
    if SeriesInspection.isManifest(archive) { return try SeriesInspection(archive).text() }
    if PackInspection.isList(archive) { return try PackInspection(archive).text() }
    if DeltaInspection.isDelta(archive) { return try DeltaInspection(archive).text }
    let tileset = TilesetInspection(archive)
    if TilesetInspection.isLoose(archive) { return try tileset.text(cancellation) }
    let text =
      PMTilesInspection.isPMTiles(archive)
      ? try PMTilesInspection(archive).text() : try ArchiveInspection(archive).text(cancellation)
    return [text, try tileset.layers(cancellation)].compactMap(\.self).joined(separator: "\n\n")
  }

  /// Returns the description of an archive as JSON, with lines for people.
  package static func inspectAsJSON(
    archive: String, cancellation: Cancellation = Cancellation()
  ) throws(PipelineError) -> String {
    try ArchiveArgument.refusePipeline(archive, to: "inspect")
    return try InspectionJSON(archive).pretty(cancellation)
  }

  /// Describes one tile of an archive, a PMTiles file or a folder.
  package static func inspect(
    _ tile: TileCoord, of archive: String
  ) throws(PipelineError) -> String {
    try ArchiveArgument.refusePipeline(archive, to: "inspect")
    return try TileInspection(archive, tile).text()
  }

  /// Verifies everything that an archive declares about itself.
  package static func verify(
    archive: String, cancellation: Cancellation, progress: @escaping ProgressHandler
  ) throws(PipelineError) -> VerificationSummary {
    try ArchiveArgument.refusePipeline(archive, to: "verify")
    let clock = StageClock(progress: progress, cancellation: cancellation)
    return try clock.stage("verify", unit: .tiles) { _ in
      if SeriesInspection.isManifest(archive) {
        return try SeriesInspection(archive).verify(cancellation)
      }
      if PackInspection.isList(archive) { return try PackInspection(archive).verify(cancellation) }
      if PMTilesInspection.isPMTiles(archive) {
        return try PMTilesInspection(archive).verify(cancellation)
      }
      return try ArchiveInspection(archive).verify(cancellation)
    }
  }

  /// Returns the build of one picture: a series is reduced to one frame, found once frames can be
  /// fetched.
  private static func still(
    _ definition: PipelineDefinition, _ options: BuildOptions, _ cancellation: Cancellation,
    _ progress: @escaping ProgressHandler
  ) throws(PipelineError) -> Build {
    var build = try prepared(definition, options, cancellation, progress, tiles: .view)
    build.pipeline = try build.pipeline.still(options)
    return try build.asLastDecided()
  }

  static func prepared(
    _ definition: PipelineDefinition, _ options: BuildOptions, _ cancellation: Cancellation,
    _ progress: @escaping ProgressHandler, publishes: Bool = false, sources: [String] = [],
    tiles: TileScope = .map
  ) throws(PipelineError) -> UndecidedBuild {
    let definition = try definition.applying(options)
    if publishes { try definition.requireTargets(options) }
    let clock = StageClock(progress: progress, cancellation: cancellation)
    let remote = InputStage(
      definition, options: options, clock: clock, cancellation: cancellation, progress: progress,
      sources: sources, tiles: tiles)
    let scratch = try Scratch.ofRun(
      definition.memory, options: options, archive: definition.output.path,
      cancellation: cancellation)
    var artifacts = ArtifactCache(besideArchive: definition.output.path, options: options)
    artifacts.isReadOnly = !publishes
    let pipeline = try remote.run()
    // A build refuses named pipes itself, when it computes the digests of its inputs.
    if !publishes { try pipeline.definition.refuseNamedPipes() }
    try pipeline.definition.requireReadableFiles(of: sources)
    let context = RunContext(
      options: options, cancellation: cancellation, progress: progress,
      earlierStages: clock.stages,
      inputs: InputDigests(for: definition, options, in: artifacts), artifacts: artifacts,
      scratch: scratch)
    context.inputs.observe(cancellation)
    context.inputs.hold(pipeline.sources.flatMap(\.held))
    return UndecidedBuild(pipeline, context: context)
  }
}
