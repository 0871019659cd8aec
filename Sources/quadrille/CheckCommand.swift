import ArgumentParser
import Pipeline

/// `quadrille check FILE…`
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check pipelines and their sources without building.")

  @Argument(help: ArgumentHelp("Pipeline files.", valueName: "file"))
  var files: [String]

  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var pipeline: PipelineOptions
  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    try Session.run(terminal) { session throws(PipelineError) in
      let options = BuildOptions(pipeline)
      for file in files.sorted() {
        let summary = try PipelineRunner.check(
          try session.definition(file, including: inclusion), options: options)
        if !terminal.quiet {
          try session.terminal.show("\(file): \(summary.pipeline) is good: \(summary.conclusion)")
        }
      }
    }
  }
}
