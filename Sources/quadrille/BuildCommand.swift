import ArgumentParser
import Pipeline

/// `quadrille build FILE…`
struct BuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build", abstract: "Bake pipelines and publish their archives.")

  @Argument(
    help: ArgumentHelp("Pipeline files, built in the order of their paths.", valueName: "file"))
  var files: [String]

  @Option(name: .shortAndLong, help: "The archive to write instead of the pipeline's own.")
  var output: String?

  @Flag(name: .shortAndLong, help: "Build even if nothing has changed.")
  var force = false

  @Flag(help: "Build only if remote data is what NAME.lock.json says.")
  var locked = false

  @Option(help: ArgumentHelp("Also write the report to this file.", valueName: "file"))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "End cleanly after so many seconds with code 75; the next run goes on from there.",
      valueName: "seconds"))
  var maxSeconds: Double?

  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var pipeline: PipelineOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if let maxSeconds, !(maxSeconds > 0 && maxSeconds <= 1e9) {
      throw ValidationError("--max-seconds is a number above 0 and at most a billion.")
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
      options.locked = locked
      var reports: [ReportJSON] = []
      for file in files.sorted() {
        let definition = try session.definition(file, including: inclusion)
        let built = try PipelineRunner.build(
          definition, options: options, cancellation: session.cancellation,
          progress: session.progress)
        for report in built where !terminal.quiet { try session.terminal.show(report.summary) }
        reports += built.map(\.json)
      }
      if let report {
        // One archive has one report; several make a list.
        let json = reports.count == 1 ? reports[0] : .array(reports)
        try ReportFile.write(json.pretty, to: report)
      }
    }
  }
}
