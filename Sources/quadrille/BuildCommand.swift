import ArgumentParser
import Definition
import Files
import Pipeline
import Platform
import ReportPages
import Runs
import Shards

/// The command `quadrille build FILE…`.
struct BuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build", abstract: "Bake pipelines and publish their archives.",
    discussion: """
        quadrille build city.yml
        quadrille build city.yml -z 10 -o /srv/tiles/city.mbtiles --report city.html
      """)

  @Argument(
    help: ArgumentHelp("Pipeline files, built in the order of their paths.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    name: .shortAndLong, help: "The archive to write instead of the pipeline's own.",
    completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Build even if nothing has changed.")
  var force = false

  @Flag(help: "Build only if remote data matches NAME.lock.json.")
  var locked = false

  @Flag(
    help: ArgumentHelp(
      "Also write deltas from the archive that is replaced and from those that are kept, and their "
        + "list NAME.updates.json."))
  var delta = false

  @OptionGroup var signing: SigningOptions

  @Option(
    help: ArgumentHelp(
      "Also write the report to this file: a page with pictures if its name ends in .html, else JSON. "
        + "May be given more than once.", valueName: "file"), completion: .file())
  var report: [String] = []

  @Option(
    help: ArgumentHelp(
      "Also write metrics for Prometheus' node_exporter to this file, even if the run fails.",
      valueName: "file.prom"), completion: .file())
  var metrics: String?

  @Option(
    help: ArgumentHelp(
      "End cleanly after this many seconds with code 75; the next run continues from there. Code 76 if "
        + "it got no farther than an earlier one.",
      valueName: "seconds"))
  var maxSeconds: Double?

  @Flag(
    help: ArgumentHelp(
      "Publish even if more tiles change than 'expect.changedTiles' allows, or after a rollback."))
  var acceptChanges = false

  @Option(
    help: ArgumentHelp(
      "Paint this shard of a plan, a folder that 'plan --shards' wrote; @env takes the number from "
        + "the engine that starts the jobs.", valueName: "number|@env"))
  var shard: String?

  @OptionGroup var lock: LockOptions
  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var replacement: ReplacementOptions
  @OptionGroup var pipeline: TileRangeOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if let metrics, !metrics.hasSuffix(MetricsFile.suffix) {
      throw ValidationError("--metrics '\(metrics)' does not end in \(MetricsFile.suffix).")
    }
    if let maxSeconds, !(maxSeconds > 0 && maxSeconds <= 1e9) {
      throw ValidationError("--max-seconds is a number above 0 and at most a billion.")
    }
    if shard != nil, maxSeconds != nil {
      throw ValidationError(
        "--max-seconds is not for --shard: a part is painted as a whole. Plan more shards, so that "
          + "each takes less time.")
    }
    let lists = delta || signing.asksForList
    if shard != nil, files.count != 1 || output != nil || lists || !report.isEmpty {
      throw ValidationError(
        "--shard paints one part of one plan: give its folder, and --output, --delta, --sign, --expires "
          + "and --report to 'merge' or 'plan'.")
    }
    if files.count > 1, output != nil {
      throw ValidationError("--output names one archive, but there are \(files.count) pipelines.")
    }
  }

  func run() throws {
    try Session.run(terminal, maxSeconds: maxSeconds) { session throws(PipelineError) in
      var options = BuildOptions(pipeline, machine)
      options.output = output
      options.force = force
      try signing.apply(to: &options)
      options.writesDeltas = delta || signing.asksForList
      options.locked = locked
      options.whenLocked = lock.ifLocked
      options.acceptsChanges = acceptChanges
      options.picturesChanges = report.contains(where: ReportPage.isPage)
      if let shard { return try paint(shard, session, options) }
      var run = BuildBatch(
        session: session, options: options, inclusion: inclusion, replacements: replacement.source)
      try run.check(
        report.map { (option: "--report", path: $0) }
          + (metrics.map { [(option: "--metrics", path: $0)] } ?? []), of: files)
      for path in report { try requireReportName(path) }
      var failure = run.build(files.sorted())
      for path in report where failure == nil { failure = run.writeReport(to: path) }
      try finish(run, failure)
    }
  }

  /// Refuses the name of a file in another format than a report has.
  private func requireReportName(_ path: String) throws(PipelineError) {
    guard let ending = FileEnding(path), ending.isOfFile,
      !["html", "json", "txt"].contains(ending.text)
    else { return }
    throw PipelineError(
      .usage,
      "'\(path)' ends in .\(ending.text), and a report is a page (.html) or JSON (.json). Name "
        + "another file with --report.")
  }

  /// Paints one shard of a plan.
  private func paint(
    _ shard: String, _ session: Session, _ options: BuildOptions
  ) throws(PipelineError) {
    let outcome = try PipelineRunner.paint(
      shard: shard, of: files[0],
      environment: { name in getenv(name).map { String(cString: $0) } }, options: options,
      cancellation: session.cancellation, progress: session.progress)
    if !terminal.quiet { try session.terminal.show(outcome.summary) }
  }

  /// Writes the metrics of the run, even if it failed.
  private func finish(_ run: BuildBatch, _ failure: PipelineError?) throws(PipelineError) {
    do throws(PipelineError) {
      if let metrics { try run.writeMetrics(to: metrics) }
    } catch {
      // The first error determines how the run ends.
      guard let failure else { throw error }
      run.session.terminal.say("\(error)", level: .error)
      throw failure
    }
    if let failure { throw failure }
  }
}
