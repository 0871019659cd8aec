import Features
import Fetching
import Foundation
import MBTiles
import PNG
import Raster
import Rendering
import SystemPackage
import Tiling

/// One run of a pipeline, from its sources to its published archives.
struct Build {
  let definition: PipelineDefinition
  let options: BuildOptions
  let cancellation: Cancellation
  let progress: ProgressHandler

  /// What was done before, for the report.
  var earlierStages: [StageReport] = []

  /// The digests of all files of this run.
  var inputs = InputDigests()

  /// Worker threads: as asked for, else one a core.
  var threads: Int {
    options.threads > 0 ? options.threads : ProcessInfo.processInfo.activeProcessorCount
  }

  /// Builds the archive of every pixel density; inputs are read and clustered once.
  func run() throws(PipelineError) -> [BuildReport] {
    let style = try definition.style()
    let fonts = try loadFonts()
    let publications = try definition.tiles.scales.map { scale throws(PipelineError) in
      try publication(scale: scale)
    }
    let fingerprints = try definition.tiles.scales.map { scale throws(PipelineError) in
      try BuildFingerprint(
        definition, scale: scale, fonts: try fontFiles(of: style, fonts), inputs: inputs)
    }
    if !options.force, !options.noCache, let reports = unchanged(fingerprints) {
      try writeLock(rows: [:])
      return reports
    }
    let clock = StageClock(progress: progress, cancellation: cancellation)
    let sources = try inputs.whileUnchanged { () throws(PipelineError) in
      try readAndCluster(style, clock)
    }
    var reports: [BuildReport] = []
    for (index, scale) in definition.tiles.scales.enumerated() {
      reports.append(
        try build(
          scale: scale, sources, style, fonts, publications[index], fingerprints[index],
          index == 0 ? clock : StageClock(progress: progress, cancellation: cancellation)))
    }
    try writeLock(
      rows: Dictionary(
        sources.map { ($0.source.definition.name, $0.source.ledger.read) },
        uniquingKeysWith: { $1 }))
    return reports
  }

  /// Counts what a build would write, and paints a sample to estimate bytes and time.
  func plan() throws(PipelineError) -> PlanSummary {
    let style = try definition.style()
    let clock = StageClock(progress: progress, cancellation: cancellation)
    return try plan(try readAndCluster(style, clock), style, try loadFonts(), clock)
  }

  /// The same for sources that are read already.
  func plan(
    _ sources: [ClusteredSource], _ style: Style, _ fonts: FontLibrary, _ clock: StageClock
  ) throws(PipelineError) -> PlanSummary {
    let planned = try scenes(
      scale: definition.tiles.scales.first ?? 1, sources, style, fonts, clock)
    let estimate = try clock.stage("estimate", unit: .tiles) { _ in try planned.estimate() }
    var summary = PlanSummary(
      pipeline: definition.name, archive: definition.output.path,
      layout: LayoutChoice(rawValue: layout(for: estimate).rawValue) ?? .auto)
    summary.sources = sources.map(\.report)
    summary.zooms = planned.counts.map { count in
      var zoom = PlanSummary.Zoom(zoom: count.zoom)
      zoom.tiles = count.drawn + count.transparent
      zoom.empty = count.transparent
      zoom.clusters = sources.reduce(0) { $0 + $1.itemCount(at: count.zoom) }
      zoom.points = sources.reduce(0) { $0 + $1.pointCount(at: count.zoom) }
      return zoom
    }
    summary.estimatedBytes = estimate.archiveBytes(layout(for: estimate))
    summary.estimatedSeconds =
      clock.stages.reduce(0) { $0 + $1.seconds } + estimate.seconds(threads: threads)
    return summary
  }

  // MARK: Stages

  /// Reads all sources and computes their clusters.
  func readAndCluster(_ style: Style?, _ clock: StageClock) throws(PipelineError)
    -> [ClusteredSource]
  {
    let loaded = try clock.stage("ingest", unit: .bytes, total: definition.inputBytes) { advance in
      var done = 0
      return try definition.sources.map { source in
        let loaded = try source.load(style: style, definition: definition) { bytes in
          try advance(done + bytes, nil)
        }
        done += loaded.bytes
        return loaded
      }
    }
    return try clock.stage("cluster", unit: .points) { _ in
      try loaded.map {
        try $0.clustered(
          style: style, tiles: definition.tiles, threads: threads, checkpoint: cancellation.check)
      }
    }
  }

  func scenes(
    scale: Int, _ sources: [ClusteredSource], _ style: Style, _ fonts: FontLibrary,
    _ clock: StageClock
  ) throws(PipelineError) -> PlannedTiles {
    let items = (definition.tiles.minZoom...definition.tiles.maxZoom).reduce(0) { sum, zoom in
      sum + sources.reduce(0) { $0 + $1.itemCount(at: zoom) }
    }
    return try clock.stage("scene", unit: .records, total: items) { advance in
      try sources.scenes(
        of: style, tiles: definition.tiles, scale: scale, fonts: fonts, threads: threads,
        advance: advance)
    }
  }

  private func build(
    scale: Int, _ sources: [ClusteredSource], _ style: Style, _ fonts: FontLibrary,
    _ publication: ArchivePublication, _ fingerprint: BuildFingerprint, _ clock: StageClock
  ) throws(PipelineError) -> BuildReport {
    let planned = try scenes(scale: scale, sources, style, fonts, clock)
    guard planned.zooms.contains(where: { $0.count > 0 }) else { throw nothingDrawn }
    let choice = try layout(for: planned, clock)
    let stage = ArchiveStage(
      planned: planned,
      description: ArchiveDescription(
        definition: definition, sources: sources, planned: planned, scale: scale,
        fingerprint: fingerprint),
      layout: choice, path: publication.temporary,
      scratch: options.temporaryFolder.map { FilePath($0) }, threads: threads, clock: clock)
    let outcome = try stage.run(publication)
    let report = report(of: outcome, sources, planned, publication, clock)
    try ReportFile.write(
      report.json.pretty, to: ReportFile.path(besideArchive: publication.archive.string))
    return report
  }

  func layout(for planned: PlannedTiles, _ clock: StageClock) throws(PipelineError)
    -> ArchiveLayout
  {
    switch definition.output.layout {
    case .dedup: return .dedup
    case .flat: return .flat
    case .auto:
      // Without a tile that occurs twice, the plain table is the smaller whatever the tiles hold.
      if planned.rowCount == planned.distinctScenes { return .flat }
      let estimate = try clock.stage("estimate", unit: .tiles) { _ in try planned.estimate() }
      return layout(for: estimate)
    }
  }

  func layout(for estimate: TileEstimate) -> ArchiveLayout {
    switch definition.output.layout {
    case .dedup: .dedup
    case .flat: .flat
    case .auto:
      estimate.archiveBytes(.dedup) <= estimate.archiveBytes(.flat) ? .dedup : .flat
    }
  }

  // MARK: Around the stages

  /// Writes what remote files the build used beside the archive, unless that is written already.
  ///
  /// - Parameter rows: records read by source; a source that was not read keeps its count.
  func writeLock(rows: [String: Int]) throws(PipelineError) {
    guard !definition.fetchedFiles.isEmpty else { return }
    let path = definition.output.lockPath
    let old = (try? DocumentFile.read(path, limit: 64 << 20))
      .flatMap { try? LockFile(json: $0, path: path) }
    let files = definition.sources.flatMap { source -> [LockFile.File] in
      guard case .fetched(let files) = source.data else { return [] }
      return files.map { file in
        let known = old?.files.first { $0.uri == file.uri && $0.sha256 == file.sha256 }?.rows
        let read = files.count == 1 && !source.type.isImage ? rows[source.name] : nil
        return LockFile.File(file, rows: read.map { Int64($0) } ?? known)
      }
    }
    let lock = LockFile(files)
    if lock != old { try ReportFile.write(lock.json, to: path) }
  }

  /// The error of an archive that would have no tile.
  var nothingDrawn: PipelineError {
    PipelineError(
      .unexpected,
      "nothing would be drawn at zoom \(definition.tiles.minZoom) to "
        + "\(definition.tiles.maxZoom): no archive is published. Check the filters, the layers' "
        + "zooms and 'bounds'.", at: DocumentPlace(file: definition.file))
  }

  private func publication(scale: Int) throws(PipelineError) -> ArchivePublication {
    do {
      return try ArchivePublication(FilePath(definition.output.path(scale: scale)))
    } catch {
      throw PipelineError(error)
    }
  }

  func loadFonts() throws(PipelineError) -> FontLibrary {
    do {
      return try FontLibrary()
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// The files of the fonts that the style names by constant lists.
  func fontFiles(of style: Style, _ fonts: FontLibrary) throws(PipelineError) -> [String] {
    do {
      let paths = try style.fontStacks.map { try fonts.face(forStack: $0).path }
      return Array(Set(paths)).sorted()
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// The reports of archives that are there already and were made from the same inputs, or `nil`.
  private func unchanged(_ fingerprints: [BuildFingerprint]) -> [BuildReport]? {
    var reports: [BuildReport] = []
    for (scale, fingerprint) in zip(definition.tiles.scales, fingerprints) {
      let path = definition.output.path(scale: scale)
      guard let reader = try? ArchiveReader(FilePath(path)),
        reader.metadata[BuildFingerprint.key] == fingerprint.text,
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      else { return nil }
      reports.append(
        BuildReport(
          pipeline: definition.name, result: .unchanged,
          archive: ArchiveReport(
            path: path, bytes: size,
            digest: reader.metadata[ArchiveMetadata.digestKey] ?? "")))
      reports[reports.count - 1].notes = definition.fetchedFiles.compactMap(\.note)
    }
    return reports
  }

  private func report(
    of outcome: ArchiveStage.Outcome, _ sources: [ClusteredSource], _ planned: PlannedTiles,
    _ publication: ArchivePublication, _ clock: StageClock
  ) -> BuildReport {
    var report = BuildReport(
      pipeline: definition.name, result: .published,
      archive: ArchiveReport(
        path: publication.archive.string, bytes: outcome.bytes, sha256: outcome.sha256,
        digest: outcome.summary.hashes?.digest ?? ""))
    report.sources = sources.map(\.report)
    report.notes = definition.fetchedFiles.compactMap(\.note)
    report.stages = earlierStages + clock.stages
    report.zooms = outcome.summary.zooms.map { counted in
      var zoom = ZoomReport(zoom: counted.zoom)
      zoom.clusters = sources.reduce(0) { $0 + $1.itemCount(at: counted.zoom) }
      zoom.points = sources.reduce(0) { $0 + $1.pointCount(at: counted.zoom) }
      zoom.limited = sources.reduce(0) { $0 + $1.limitedCount(at: counted.zoom) }
      zoom.tiles = counted.tiles
      zoom.empty = counted.empty
      zoom.distinct = counted.distinct
      zoom.bytes = counted.distinctBytes
      return zoom
    }
    report.tiles.planned = outcome.summary.tiles
    report.tiles.rendered = outcome.tiles.rendered
    report.tiles.distinct = outcome.summary.distinct
    report.tiles.bytes = outcome.summary.distinctBytes
    report.peakMemoryBytes = ReportMemory.peakBytes
    return report
  }
}
