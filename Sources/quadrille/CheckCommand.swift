import ArgumentParser
import Baking
import Definition
import JSON
import Pipeline
import Publication
import Queries
import Runs
import SourceStages

/// The command `quadrille check FILE…`.
struct CheckCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check pipelines and all that their sources hold.",
    discussion: """
      Reads every source to its end without building anything and lists what is wrong with the \
      data or looks wrong, with places in the file and the keys of the pipeline that fix it. It \
      also lists the layers that would draw nothing. Ends with 0 if a build would publish what the \
      sources hold, and with the sentence and the code of the build, 65 or 78, if it would not.

        quadrille check city.yml
        quadrille check pipelines/*.yml --format json
      """)

  /// The format of the result on standard output.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
  }

  @Argument(help: ArgumentHelp("Pipeline files.", valueName: "file"), completion: .file())
  var files: [String]

  @Flag(help: "Read only the beginning of each source.")
  var quick = false

  @Option(help: "The form of the result: \(Format.allValueStrings.joined(separator: ", ")).")
  var format = Format.text

  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var replacement: ReplacementOptions
  @OptionGroup var pipeline: TileRangeOptions
  @OptionGroup var terminal: TerminalOptions

  func run(in session: Session) throws(PipelineError) {
    var forms: [ReportJSON] = []
    var failure: PipelineError?
    var outputs = SharedOutputs()
    let options = BuildOptions(pipeline)
    for file in files.sorted() {
      let definition = try session.definition(
        file, including: inclusion, replacing: replacement.source)
      let summary = try PipelineRunner.check(
        definition, options: options, isQuick: quick,
        cancellation: session.cancellation, progress: session.progress)
      do throws(PipelineError) {
        try outputs.add((try? definition.applying(options)) ?? definition)
      } catch {
        failure = failure ?? error
      }
      failure = failure ?? summary.failure
      switch format {
      case .text where terminal.quiet: break
      case .text: try session.terminal.show(summary.text(file: file))
      case .json: forms.append(summary.json(file: file))
      }
    }
    if format == .json {
      let form = ReportJSON.members(["pipelines": .array(forms)])
      try session.terminal.show(String(form.pretty.dropLast()))
    }
    if let failure { throw failure }
  }
}
