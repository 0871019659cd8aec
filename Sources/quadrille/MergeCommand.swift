import ArgumentParser
import Definition
import Pipeline
import Reports
import Runs

/// The command `quadrille merge DIR`.
struct MergeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Publish the archives of a plan whose shards are painted.",
    discussion: """
      Checks that every part is there, complete and of this plan, then writes the archives as \
      'build' does: with the same bytes as on one machine, verified, and renamed into place.

        quadrille merge plan
      """)

  @Argument(
    help: ArgumentHelp("A folder that 'plan --shards' wrote.", valueName: "dir"),
    completion: .directory)
  var folder: String

  @Option(
    name: .shortAndLong, help: "The archive to write instead of the pipeline's own.",
    completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Write the archives even if nothing has changed.")
  var force = false

  @Flag(help: "Also write deltas from the archive that is replaced and from those that are kept.")
  var delta = false

  @OptionGroup var signing: SigningOptions

  @Flag(
    help: ArgumentHelp(
      "Publish even if more tiles change than 'expect.changedTiles' allows, or after a rollback."))
  var acceptChanges = false

  @OptionGroup var lock: LockOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  func run(in session: Session) throws(PipelineError) {
    var options = BuildOptions(nil, machine)
    options.output = output
    options.force = force
    try signing.apply(to: &options)
    options.writesDeltas = delta || signing.asksForList
    options.acceptsChanges = acceptChanges
    options.whenLocked = lock.ifLocked
    session.terminal.beginRun()
    let reports = try PipelineRunner.merge(
      folder, options: options, cancellation: session.cancellation, progress: session.progress)
    try session.terminal.show(reports)
  }
}
