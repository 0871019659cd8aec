import ArgumentParser
import Baking
import Definition
import Pipeline
import Publication
import Runs

/// The command `quadrille rollback FILE`.
struct RollbackCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Replace the current archive by the last kept one.",
    discussion: """
      The present archive stays beside it as NAME.mbtiles.bad, and no build replaces what was \
      restored before one has --accept-changes. A second rollback goes one archive further back.

        quadrille rollback city.yml
      """)

  @Argument(help: "A pipeline file, or an archive.", completion: .file())
  var file: String

  @Option(
    name: .shortAndLong, help: "The archive, instead of the pipeline's own.", completion: .file())
  var output: String?

  @OptionGroup var signing: SigningOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var replacement: ReplacementOptions
  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if isArchive, output != nil {
      throw ValidationError("--output is for pipelines; \(file) is an archive.")
    }
  }

  private var isArchive: Bool {
    (OutputDefinition.suffixes + [OutputDefinition.manifestSuffix]).contains { file.hasSuffix($0) }
  }

  func run(in session: Session) throws(PipelineError) {
    var options = BuildOptions()
    options.output = output
    try signing.apply(to: &options)
    options.whenLocked = lock.ifLocked
    do throws(PipelineError) {
      for summary in try rollback(session, options) where !terminal.quiet {
        try session.terminal.show(summary.text)
      }
    } catch {
      guard error.code == .locked, lock.ifLocked == .skip else { throw error }
      session.terminal.say(error.message)
    }
  }

  private func rollback(
    _ session: Session, _ options: BuildOptions
  ) throws(PipelineError) -> [RollbackSummary] {
    guard !isArchive else {
      return try PipelineRunner.rollback(
        archives: [file], options: options, cancellation: session.cancellation,
        progress: session.progress)
    }
    return try PipelineRunner.rollback(
      try session.definition(
        file, including: inclusion, replacing: replacement.source, options: options),
      options: options,
      cancellation: session.cancellation, progress: session.progress)
  }
}

/// The options for waiting while another run holds an archive's lock.
struct LockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "While another run holds the archive: fail with status 75, skip it with status 0, or wait.",
      valueName: "fail|skip|wait"))
  var ifLocked = LockPolicy.fail
}

extension LockPolicy: ExpressibleByArgument {}
