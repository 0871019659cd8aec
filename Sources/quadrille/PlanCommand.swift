import ArgumentParser
import Definition
import JSON
import Pipeline
import Reports
import Runs
import Shards

/// The command `quadrille plan FILE…`.
struct PlanCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what a build would make: exact tiles, estimated bytes and time.",
    discussion: """
        quadrille plan city.yml
        quadrille plan city.yml --shards 64 -o plan
      """)

  @Argument(help: ArgumentHelp("Pipeline files.", valueName: "file"), completion: .file())
  var files: [String]

  @Flag(help: "Print the plan as JSON.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Divide the build into this many shards, and write what painting them needs into a folder.",
      valueName: "count"))
  var shards: Int?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder for --shards.", valueName: "dir"), completion: .directory)
  var output: String?

  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var replacement: ReplacementOptions
  @OptionGroup var pipeline: TileRangeOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  /// The maximum number of shards.
  private static let shardLimit = 1_000_000

  func validate() throws {
    guard shards != nil || output != nil else { return }
    guard let shards, output != nil else {
      throw ValidationError("--shards and --output go together: a number of shards and a folder.")
    }
    guard (1...Self.shardLimit).contains(shards) else {
      throw ValidationError("\(shards) shards is not between 1 and \(Self.shardLimit).")
    }
    guard files.count == 1 else {
      throw ValidationError("--shards divides one pipeline, but there are \(files.count).")
    }
  }

  /// Writes the folder of a plan with shards.
  private func writeShards(
    _ count: Int, _ folder: String, _ session: Session
  ) throws(PipelineError) {
    let summary = try PipelineRunner.plan(
      try session.definition(
        files[0], including: inclusion, replacing: replacement.source,
        options: BuildOptions(nil, machine)),
      shards: count, into: folder, options: BuildOptions(pipeline, machine),
      cancellation: session.cancellation, progress: session.progress)
    if json || !terminal.quiet {
      try session.terminal.show(json ? summary.json.line : summary.summary)
    }
  }

  func run(in session: Session) throws(PipelineError) {
    if let shards, let output { return try writeShards(shards, output, session) }
    for file in files.sorted() {
      let definition = try session.definition(
        file, including: inclusion, replacing: replacement.source,
        options: BuildOptions(nil, machine))
      let plan = try PipelineRunner.plan(
        definition, options: BuildOptions(pipeline, machine),
        cancellation: session.cancellation, progress: session.progress)
      if terminal.quiet, !json { continue }
      try session.terminal.show(json ? plan.json.line : plan.summary)
    }
  }
}
