import Baking
import Definition
import Features
import Files
import Inputs
import JSON
import MBTiles
import Overlays
import Publication
import Reports
import Reuse
import Runs
import SourceStages
import SystemPackage

/// A run over one series: the frames to build, and their publication.
struct SeriesRun {
  private(set) var resolved: ResolvedSeries

  /// The outputs, one for each pixel density.
  let outputs: [SeriesOutput]

  let shared: SharedSources
  let clock: StageClock

  /// The archives that other processes painted; `nil` where this run makes them.
  let painted: PaintedFrames?
  let beforeStep: (FramePublicationStep) throws -> Void

  /// The archives of each output, including those that stay.
  private var archives: [[FrameTime: FrameArchive]]

  /// The archives built in this run for each output.
  private var outcomes: [[FrameBuild.Outcome]]

  /// The recorded digests of the archives of each output.
  private var memories: [PublishedFiles]

  /// A sentence for each archive that did not match the manifest.
  private var damages: [[String]]

  init(
    _ resolved: ResolvedSeries, outputs: [SeriesOutput], shared: SharedSources, clock: StageClock,
    painted: PaintedFrames?, beforeStep: @escaping (FramePublicationStep) throws -> Void
  ) {
    self.resolved = resolved
    self.outputs = outputs
    self.shared = shared
    self.clock = clock
    self.painted = painted
    self.beforeStep = beforeStep
    archives = outputs.map { _ in [:] }
    outcomes = outputs.map { _ in [] }
    memories = outputs.map {
      PublishedFiles([$0.names.manifest], in: $0.folder, shared.build.artifacts)
    }
    damages = outputs.map { _ in [] }
  }

  /// The runs of the series that their time limit stopped; `nil` before the frames are known.
  private(set) var stopped: StoppedRuns?

  /// The number of archives whose pictures earlier runs kept.
  private var keptBefore = 0

  private var build: Build { shared.build }
  private var definition: PipelineDefinition { build.definition }

  // MARK: Frames

  /// An archive that is to be built: the index of its output, and its fingerprint.
  private typealias Missing = (output: Int, input: BuildFingerprint)

  /// Builds the missing archives, one image after the other, or takes them from other processes.
  mutating func makeFrames() throws(PipelineError) {
    let maker = try FrameMaker(
      of: resolved, shared: shared, clock: clock, common: painted?.fingerprints)
    let cancellation = build.cancellation
    let stopped = StoppedRuns(
      of: "\(definition.output.path) \(resolved.source.name)",
      inputs: maker.common.map(\.text).joined(separator: " "), in: build.artifacts)
    self.stopped = stopped
    var known: Set<FrameTime> = []
    // A frame that turns out to be broken may be replaced by an older one.
    while true {
      let fresh = resolved.files.filter { known.insert($0.time).inserted }
      cancellation.endsRest = fresh.isEmpty
      if fresh.isEmpty { return }
      let work = try unmade(fresh, maker)
      var pending = work.reduce(0) { $0 + $1.missing.count }
      // Frames whose pictures are kept come last: they are finished beyond the time limit, in a
      // bounded time, so that the limit is left to frames that must be painted.
      let isKept = work.map { $0.missing.allSatisfy { stopped.amount(of: $0.input.text) != nil } }
      let kept = zip(work, isKept).filter(\.1).map(\.0)
      let rest = zip(work, isKept).filter { !$0.1 }.map(\.0)
      keptBefore = kept.reduce(0) { $0 + $1.missing.count }
      for (number, (file, missing)) in (rest + kept).enumerated() {
        cancellation.endsRest = number >= rest.count
        if let painted {
          try take(file, missing, from: painted)
        } else {
          try make(file, missing, pending, maker)
        }
        pending -= missing.count
      }
    }
  }

  /// Returns the archives of some frames that are to be built; existing archives count as made.
  private mutating func unmade(
    _ files: [FrameFile], _ maker: FrameMaker
  ) throws(PipelineError) -> [(file: FrameFile, missing: [Missing])] {
    let reuses = !build.options.force && !build.options.noCache
    var work: [(file: FrameFile, missing: [Missing])] = []
    for file in files {
      // Archives without a record are read to check whether they are intact.
      try clock.cancellation.check()
      var missing: [Missing] = []
      for (index, output) in outputs.enumerated() {
        let input = maker.fingerprint(of: file, density: index)
        if reuses, let known = output.archive(of: file.time, input: input.text) {
          if memories[index].holds(known.file, sha256: known.sha256) {
            archives[index][file.time] = known
            continue
          }
          damages[index].append(
            "\(known.file) was damaged and is built again: it is not the file that the manifest "
              + "names.")
        }
        missing.append((index, input))
      }
      if !missing.isEmpty { work.append((file, missing)) }
    }
    return work
  }

  /// Builds the archives of one frame, or leaves the frame out if its image is broken.
  ///
  /// - Parameter pending: the number of archives of all frames that are still to be made.
  private mutating func make(
    _ file: FrameFile, _ missing: [Missing], _ pending: Int, _ maker: FrameMaker
  ) throws(PipelineError) {
    guard
      let frame = try maker.decoded(
        file, broken: { reason throws(PipelineError) in try resolved.leaveOut(file, reason) })
    else { return }
    try describe()
    for (number, (index, _)) in missing.enumerated() {
      let output = outputs[index]
      let name = output.names.archive(of: file.time)
      let outcome = try maker.make(
        frame, density: index,
        at: FrameMaker.Target(
          file: name, last: output.path(name), temporary: try output.temporary(for: name),
          pending: pending - number,
          lastSize: Build.size(of: output.path(output.names.latest).string)))
      archives[index][file.time] = outcome.archive
      outcomes[index].append(outcome)
    }
  }

  /// Adds the notes on the records of the series, once a frame of it is made.
  private func describe() throws(PipelineError) {
    guard let source = build.pipeline.sources.first(where: { $0.name == resolved.source.name })
    else { return }
    try shared.describe(source, clock)
  }

  /// Takes the archives of one frame from the processes that painted them.
  private mutating func take(
    _ file: FrameFile, _ missing: [Missing], from painted: PaintedFrames
  ) throws(PipelineError) {
    // The report counts their records.
    _ = try shared.sources(clock)
    for (index, input) in missing {
      let output = outputs[index]
      let name = output.names.archive(of: file.time)
      let temporary = try output.temporary(for: name)
      let outcome = try clock.stage("tiles", unit: .tiles) { _ in
        try painted.take(file.time, index, temporary)
      }.outcome(file: name, input: input.text)
      archives[index][file.time] = outcome.archive
      outcomes[index].append(outcome)
    }
  }

  /// Keeps the images painted for archives that will not be published now, for the next run.
  ///
  /// - Returns: the number of archives whose pictures are kept.
  func keepImages() -> Int {
    var count = keptBefore
    for (output, outcomes) in zip(outputs, outcomes) {
      for outcome in outcomes where output.built[outcome.archive.file] != nil {
        outcome.images?.keep(in: build.artifacts)
        stopped?.record(1, of: outcome.archive.input)
        count += 1
      }
    }
    return count
  }

  /// Returns the error of a run that its time limit stopped, with its progress.
  func judged(_ error: PipelineError) -> PipelineError {
    guard error.code == .outOfTime else { return error }
    var error = error
    // Tiles of the unfinished frame count as less than one frame.
    let tiles = error.reach?.stage == RunReach.tiles ? error.reach?.done ?? 0 : 0
    error.reach = RunReach(
      stage: RunReach.tiles, done: keepImages() << 32 | min(tiles, Int(UInt32.max)))
    return stopped?.judged(error) ?? error
  }

  // MARK: Publication

  /// Publishes each output whose frames, manifest or pictures differ from those in place.
  func publish() throws(PipelineError) -> [BuildReport] {
    var reports: [BuildReport] = []
    for index in outputs.indices { reports.append(try publish(index)) }
    return reports
  }

  private func publish(_ index: Int) throws(PipelineError) -> BuildReport {
    let output = outputs[index]
    let manifest = try manifest(index)
    var publication = SeriesPublication(
      output: output, manifest: manifest, pictures: [], beforeStep: beforeStep)
    let steps = publication.steps
    let view = index == 0 ? view : nil
    let pictureNames = view == nil ? [] : [output.names.animation, output.names.contactSheet]
    var report = report(index, manifest, steps)
    report.series?.pictures = pictureNames.map { output.path($0).string }
    if steps.isEmpty, pictureNames.allSatisfy(output.exists) {
      remember(manifest, index)
      try writeSidecars(manifest, output, isKnown: true)
      try settleUpdates(manifest, output, replacing: [:], &report)
      return report
    }
    report.result = .published
    let replaced = ReplacedArchive(report.archive.path)
    report.notes = [replaced.note(for: definition)].compactMap(\.self) + report.notes
    if let view {
      let pictures = SeriesPictures(view: view, names: output.names)
      let fonts = build.prepared.fonts
      publication = SeriesPublication(
        output: output, manifest: manifest,
        pictures: try clock.stage("pictures", unit: .records, total: manifest.frames.count) {
          advance in
          try pictures.make(manifest, fonts: fonts, archive: { path(of: $0, output) }) {
            try advance($0, nil)
          }
        }, beforeStep: beforeStep)
    }
    let compared = try compare(manifest, output)
    report.series?.comparedTiles = compared.compared
    report.series?.identicalTiles = compared.identical
    let earlierFrames = replacedFrames(of: output)
    try clock.stage("publish", unit: .rows) { _ in try publication.run(steps) }
    for outcome in outcomes[index] { outcome.images?.remove(from: build.artifacts) }
    stopped?.forget(parts: outcomes[index].map(\.archive.input))
    remember(manifest, index)
    report.archive.sha256 =
      (try? FileDigest.sha256(of: output.path(output.names.manifest))) ?? ""
    report.archive.bytes = bytes(manifest, output)
    report.stages = clock.stages.summed
    report.memory = report.stages.peakMemory.maximum(RunMemory.peak)
    report.notes += [definition.memory?.excess(of: report.memory)].compactMap(\.self)
    try ReportFile.write(
      report.json.pretty,
      to: output.folder.appending("\(output.names.series).report.json").string)
    try writeSidecars(manifest, output, isKnown: false)
    try settleUpdates(manifest, output, replacing: earlierFrames, &report)
    return report
  }

  /// Records the archives of a manifest, which are in place.
  private func remember(_ manifest: FramesManifest, _ index: Int) {
    var memory = memories[index]
    let archives = manifest.frames.map(\.archive)
    for archive in archives { memory.remember(archive.file, sha256: archive.sha256) }
    memory.store(archives.map(\.file))
  }

  /// Writes the sidecars of the series.
  private func writeSidecars(
    _ manifest: FramesManifest, _ output: SeriesOutput, isKnown: Bool
  ) throws(PipelineError) {
    try Sidecars(of: build).write(
      series: manifest, in: output.folder, scale: output.scale, isKnown: isKnown)
  }

  private func manifest(_ index: Int) throws(PipelineError) -> FramesManifest {
    do {
      return try FramesManifest(
        resolved.series,
        archives: resolved.series.entries.compactMap { archives[index][$0.time] },
        names: outputs[index].names, presentation: resolved.definition.presentation,
        records: { resolved.records?.count(in: $0) })
    } catch {
      throw PipelineError(error, at: resolved.defaultPlace)
    }
  }

  /// The view for pictures of the series; `nil` where there are none.
  private var view: SeriesView? {
    let placed = try? resolved.source.series?.image?.placement()?.extent
    guard let extent = resolved.records?.extent ?? placed, let output = outputs.first else {
      return nil
    }
    return SeriesView(
      extent, tiles: definition.tiles, scale: output.scale,
      frames: resolved.series.entries.count,
      maxSide: resolved.records == nil ? SeriesView.maxSide.images : SeriesView.maxSide.records)
  }

  /// Returns the current path of an archive.
  private func path(of archive: FrameArchive, _ output: SeriesOutput) -> FilePath {
    output.built[archive.file] ?? output.path(archive.file)
  }

  /// Counts tiles that are the same from frame to frame, where at least one of the two frames is
  /// new.
  private func compare(
    _ manifest: FramesManifest, _ output: SeriesOutput
  ) throws(PipelineError) -> TileComparison {
    let frames = manifest.frames.map(\.archive)
    return try clock.stage("compare", unit: .records, total: frames.count) { advance in
      var comparison = TileComparison()
      for (index, (earlier, later)) in zip(frames, frames.dropFirst()).enumerated()
      where output.built[earlier.file] != nil || output.built[later.file] != nil {
        try comparison.add(path(of: later, output), after: path(of: earlier, output))
        try advance(index + 1, nil)
      }
      return comparison
    }
  }

  private func bytes(_ manifest: FramesManifest, _ output: SeriesOutput) -> Int {
    manifest.frames.reduce(0) { $0 + (Build.size(of: output.path($1.archive.file).string) ?? 0) }
  }

  /// Returns the report as far as it is known before the publication.
  private func report(
    _ index: Int, _ manifest: FramesManifest, _ steps: [FramePublicationStep]
  ) -> BuildReport {
    let output = outputs[index]
    var report = BuildReport(
      of: definition, result: .unchanged,
      archive: ArchiveReport(path: output.path(output.names.manifest).string))
    report.archive.bytes = bytes(manifest, output)
    report.sources = sourceReports
    report.notes =
      damages[index] + build.notes + (shared.read ?? []).flatMap(\.readingNotes)
      + shared.notes
    // Frames share most labels.
    var told: Set<String> = []
    report.notes += outcomes[index].flatMap(\.content.notes).filter { told.insert($0).inserted }
    report.add(outcomes[index])
    var series = SeriesReport(resolved)
    series.built = outcomes[index].count { outcome in
      manifest.frames.contains { $0.archive.file == outcome.archive.file }
    }
    series.unchanged = manifest.frames.count - series.built
    series.expired = steps.count { if case .remove = $0 { true } else { false } }
    report.series = series
    return report
  }

  /// The images of the series, and the records that were read for its frames.
  private var sourceReports: [SourceReport] {
    let read = shared.readReports
    return build.pipeline.sources.compactMap { source in
      guard source.name == resolved.source.name, source.records == nil else {
        return read[source.name]
      }
      return SourceReport(
        name: source.name, file: source.dataName, ledger: SourceLedger(),
        image: resolved.files.first?.image.map {
          ImageReport(format: $0.format.rawValue, width: $0.size.width, height: $0.size.height)
        })
    }
  }
}
