import ArgumentParser
import Baking
import Definition
import Files
import Reports
import Runs

/// The options of a command that draws one picture.
struct PictureOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: "The file to write; standard output, as PNG, by default.",
    completion: .file())
  var output: String?

  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var replacement: ReplacementOptions
  @OptionGroup var frame: FrameOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  /// Refuses the name of a picture in another format than it would have.
  static func requirePNG(_ output: String) throws(PipelineError) {
    guard let ending = FileEnding(output), ending.isOfFile, ending.text != "png" else { return }
    throw PipelineError(
      .usage,
      "'\(output)' ends in .\(ending.text), and pictures are written as PNG. Name it "
        + "\(output.dropLast(ending.text.count))png, and convert it afterwards.")
  }

  /// Runs the command: draws the picture of a pipeline and writes it.
  ///
  /// - Parameter check: refuses a name of the file before anything is drawn.
  func run(
    _ file: String, checking check: (String) throws(PipelineError) -> Void = Self.requirePNG,
    draw: (PipelineDefinition, BuildOptions, Session) throws(PipelineError) -> [UInt8]
  ) throws {
    try Session.run(terminal) { session throws(PipelineError) in
      if output == nil, session.terminal.showsOutput {
        throw PipelineError(.usage, "a picture cannot be shown here. Name a file with -o.")
      }
      let options = BuildOptions(nil, machine)
      let definition = try session.definition(
        file, including: inclusion, replacing: replacement.source, options: options)
      if let output {
        try TargetGuard(definition).check(output)
        try check(output)
      }
      let bytes = try draw(definition, options.showing(frame), session)
      if let output {
        try ReportFile.write(bytes, to: output)
      } else {
        try session.terminal.write(bytes)
      }
    }
  }
}
