import ArgumentParser
import Definition
import JSON
import Pipeline
import Queries
import Runs
import Tiling

/// The commands `quadrille why FILE z/x/y[/px,py]` and `quadrille why FILE --feature KEY`.
struct WhyCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain what a tile or a pixel shows, and where a feature is drawn.",
    discussion: """
      Of a tile or pixel: the features that its layers draw, the topmost first, each with the line of \
      its record and its key; the scene's hash, the time that painting takes, and whether the archive \
      has the same bytes. Of a feature: its tiles, and the clusters that it is part of, at all zooms.

        quadrille why city.yml 12/1205/1539/78,89
        quadrille why city.yml --feature 4711
      """)

  @Argument(help: ArgumentHelp("A pipeline file.", valueName: "file"), completion: .file())
  var file: String

  @Argument(
    help: ArgumentHelp(
      "The tile, rows counted southward (XYZ), and a pixel from its north-west corner.",
      valueName: "z/x/y[/px,py]"),
    transform: Self.question)
  var place: WhyQuestion?

  @Option(
    help: ArgumentHelp(
      "A feature's key as 'query' writes it, or its plain id where one feature alone has that.",
      valueName: "key"))
  var feature: String?

  @Option(help: "The pixel density: 1, 2 or 3.")
  var scale = 1

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var replacement: ReplacementOptions
  @OptionGroup var frame: FrameOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  static func question(_ text: String) throws -> WhyQuestion {
    guard let question = WhyQuestion(place: text) else {
      throw ValidationError(
        "'\(text)' is not a place: z/x/y with z from 0 to 22, x and y below 2^z, and /px,py behind "
          + "it for a pixel.")
    }
    return question
  }

  func validate() throws {
    guard (1...3).contains(scale) else { throw ValidationError("--scale is 1, 2 or 3.") }
    guard (place == nil) != (feature == nil) else {
      throw ValidationError("Name a tile as z/x/y, or a feature with --feature.")
    }
  }

  func run(in session: Session) throws(PipelineError) {
    guard let question = place ?? feature.map(WhyQuestion.feature) else { return }
    let answer = try PipelineRunner.why(
      try session.definition(
        file, including: inclusion, replacing: replacement.source,
        options: BuildOptions(nil, machine)),
      question: question, scale: scale,
      options: BuildOptions(nil, machine).showing(frame), cancellation: session.cancellation,
      progress: session.progress)
    session.terminal.endProgress()
    try session.terminal.write(Array((json ? answer.json.pretty : answer.text + "\n").utf8))
  }
}
