import ArgumentParser
import Pipeline
import Runs

/// The command `quadrille expression FILE`, for comparing the expression language with other
/// programs.
struct ExpressionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expression", abstract: "Evaluate an expression for the inputs of a fixture.",
    shouldDisplay: false)

  @Argument(help: ArgumentHelp("A fixture as JSON, - for standard input.", valueName: "file"))
  var file: String

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    try Session.run(terminal) { session throws(PipelineError) in
      try session.terminal.write(try PipelineRunner.expression(file: file))
    }
  }
}
