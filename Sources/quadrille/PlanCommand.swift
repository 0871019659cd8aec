import ArgumentParser
import Definition
import JSON
import Pipeline
import Reports
import Runs

/// The command `quadrille plan FILE…`.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what a build would make: exact tiles, estimated bytes and time.")

  @Argument(help: ArgumentHelp("Pipeline files.", valueName: "file"))
  var files: [String]

  @Flag(help: "Print the plan as JSON.")
  var json = false

  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var pipeline: TileRangeOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    try Session.run(terminal) { session throws(PipelineError) in
      for file in files.sorted() {
        let definition = try session.definition(
          file, including: inclusion, options: BuildOptions(nil, machine))
        let plan = try PipelineRunner.plan(
          definition, options: BuildOptions(pipeline, machine),
          cancellation: session.cancellation, progress: session.progress)
        if terminal.quiet { continue }
        try session.terminal.show(json ? plan.json.line : plan.summary)
      }
    }
  }
}
