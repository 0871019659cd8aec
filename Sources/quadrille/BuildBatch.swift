import Baking
import Definition
import Files
import Foundation
import JSON
import Pipeline
import Platform
import Publication
import ReportPages
import Reports
import Runs

/// The pipelines of one `quadrille build`, one after the other, and their outcomes.
struct BuildBatch {
  let session: Session
  let options: BuildOptions
  let inclusion: InclusionOptions
  let replacements: [SourceReplacement]

  private(set) var outcomes: [PipelineOutcome] = []

  /// The pipelines that were built, for reports with pictures.
  private var chapters: [ReportPage.Chapter] = []

  /// The pipelines that were read before the run, by file.
  private var definitions: [String: PipelineDefinition] = [:]

  init(
    session: Session, options: BuildOptions, inclusion: InclusionOptions,
    replacements: [SourceReplacement]
  ) {
    self.session = session
    self.options = options
    self.inclusion = inclusion
    self.replacements = replacements
  }

  /// Throws if two pipelines of the run publish the same files, or if another file that the run
  /// writes is a file of one of its pipelines or is named twice.
  ///
  /// A pipeline that cannot be read is reported when its turn comes.
  mutating func check(
    _ targets: [(option: String, path: String)], of files: [String]
  ) throws(PipelineError) {
    guard files.count > 1 || !targets.isEmpty else { return }
    var outputs = SharedOutputs()
    for file in Set(files).sorted() {
      guard
        let definition = try? session.definition(
          file, including: inclusion, replacing: replacements, options: options)
      else { continue }
      definitions[file] = definition
      let applied = (try? definition.applying(options)) ?? definition
      try outputs.add(applied)
      let guarded = TargetGuard(applied, options)
      for target in targets { try guarded.check(target.path, option: target.option) }
    }
    for (index, target) in targets.enumerated() {
      let others = targets[..<index].map(\.path) + files.filter { definitions[$0] == nil }
      guard others.contains(where: { FilePlace.areSame($0, target.path) }) else { continue }
      throw PipelineError(
        .usage,
        "'\(target.path)' is named twice on the command line. Name another file with "
          + "\(target.option).")
    }
  }

  /// Builds the pipelines of files in order, up to the first that fails.
  ///
  /// - Returns: the failure, if there was one.
  mutating func build(_ files: [String]) -> PipelineError? {
    outcomes = files.map { PipelineOutcome(file: $0) }
    session.terminal.beginRun(pipelines: files.count)
    for index in outcomes.indices {
      let start = ContinuousClock.now
      let tally = StageTally()
      var outcome = outcomes[index]
      var failure: PipelineError?
      do throws(PipelineError) {
        try build(&outcome, index, tally)
      } catch {
        failure = error
      }
      outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
      outcome.stages = tally.stages
      outcome.exitCode = failure?.exitCode ?? 0
      outcomes[index] = outcome
      if let failure { return failure }
    }
    return nil
  }

  private mutating func build(
    _ outcome: inout PipelineOutcome, _ index: Int, _ tally: StageTally
  ) throws(PipelineError) {
    let definition = try definition(outcome.file)
    session.terminal.begin(pipeline: index, archives: definition.tiles.scales.count)
    outcome.name = definition.name
    outcome.reports = try PipelineRunner.build(
      definition, options: options, cancellation: session.cancellation,
      progress: { [progress = session.progress] event in
        tally.add(event)
        progress(event)
      })
    chapters.append(ReportPage.Chapter(definition: definition, reports: outcome.reports))
    try session.terminal.show(outcome.reports)
  }

  /// Returns the pipeline of a file, which may have been read already.
  private func definition(_ file: String) throws(PipelineError) -> PipelineDefinition {
    if let known = definitions[file] { return known }
    return try session.definition(
      file, including: inclusion, replacing: replacements, options: options)
  }

  /// Writes the reports as a page or as JSON: the report of a single archive, or a list of several.
  ///
  /// - Returns: the failure, if there was one; the run of every pipeline then ends with its code.
  mutating func writeReport(to path: String) -> PipelineError? {
    do throws(PipelineError) {
      try ReportFile.write(reportText(as: path), to: path)
      if !session.terminal.options.quiet, ReportPage.isPage(path) {
        let link = URL(fileURLWithPath: path).absoluteURL.absoluteString
        try session.terminal.show("  page     \(link)")
      }
      return nil
    } catch {
      for index in outcomes.indices { outcomes[index].exitCode = error.exitCode }
      return PipelineError(
        error.code, "the archives are published, but this report is not: \(error.message)",
        at: error.place, cause: error.cause)
    }
  }

  private func reportText(as path: String) -> String {
    if ReportPage.isPage(path) { return ReportPage(chapters).html }
    let reports = outcomes.flatMap(\.reports).map(\.json)
    return (reports.count == 1 ? reports[0] : .array(reports)).pretty
  }

  /// Writes the metrics of the run, whatever its outcome.
  func writeMetrics(to path: String) throws(PipelineError) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let seconds = Double(time.tv_sec) + Double(time.tv_nsec / 1_000_000) / 1000
    try MetricsFile.update(
      path, with: outcomes, time: seconds, redactions: session.terminal.redactions)
  }
}

extension Terminal {
  /// Prints the reports on the archives of a pipeline: some lines, or the tables when verbose.
  func show(_ reports: [BuildReport]) throws(PipelineError) {
    for report in reports { log(.result, report.logMembers) }
    guard !options.quiet else { return }
    guard options.verbose else { return try show(reports.brief) }
    for report in reports { try show(report.summary) }
  }
}

extension BuildReport {
  /// The members of an archive's log line.
  fileprivate var logMembers: KeyValuePairs<String, ReportJSON> {
    [
      "pipeline": .string(pipeline), "result": .string(result.rawValue),
      "archive": .string(archive.path), "bytes": .integer(archive.bytes),
      "digest": .string(archive.digest), "notes": .array(notes.map { .string($0) }),
    ]
  }
}
