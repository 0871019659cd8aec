import ArgumentParser
import Baking
import Definition
import Reports
import Runs

/// The options of a command that draws one picture.
struct PictureOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: "The PNG file to write; standard output by default.",
    completion: .file())
  var output: String?

  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var replacement: ReplacementOptions
  @OptionGroup var frame: FrameOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  /// Runs the command: draws the picture of a pipeline and writes it.
  func run(
    _ file: String,
    draw: (PipelineDefinition, BuildOptions, Session) throws(PipelineError) -> [UInt8]
  ) throws {
    try Session.run(terminal) { session throws(PipelineError) in
      if output == nil, session.terminal.showsOutput {
        throw PipelineError(.usage, "a picture cannot be shown here. Name a file with -o.")
      }
      let options = BuildOptions(nil, machine)
      let definition = try session.definition(
        file, including: inclusion, replacing: replacement.source, options: options)
      if let output { try TargetGuard(definition).check(output) }
      let bytes = try draw(definition, options.showing(frame), session)
      if let output {
        try ReportFile.write(bytes, to: output)
      } else {
        try session.terminal.write(bytes)
      }
    }
  }
}
