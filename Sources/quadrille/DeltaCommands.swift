import Archives
import ArgumentParser
import JSON
import Pipeline
import Runs
import Tiling

/// The command `quadrille diff OLD NEW`.
struct DiffCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "List the tiles that differ between two archives.",
    discussion: """
      First every tile with what became of it (added, changed, removed), in the archive's order, then \
      the counts by zoom. Of ndjson each line is an object, the last one with the counts.

      With --output it also writes a delta: a small SQLite file by which 'quadrille apply', or an \
      app with some statements of SQL, makes the old archive into the new one. With --merge the two \
      are deltas, and --output leads from the start of the first to the end of the second.

        quadrille diff old.mbtiles new.mbtiles -o changes.delta
        quadrille diff --merge monday.delta tuesday.delta -o both.delta
      """)

  /// The format of the result on standard output.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
    case ndjson
  }

  @Argument(help: "The archive before; with --merge the first delta.", completion: .file())
  var old: String

  @Argument(help: "The archive after; with --merge the delta that follows.", completion: .file())
  var new: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the delta from OLD to NEW.", valueName: "name.delta"),
    completion: .file())
  var output: String?

  @Flag(help: "Merge two deltas into one; no archive is read.")
  var merge = false

  @Option(help: "The form of the result: \(Format.allValueStrings.joined(separator: ", ")).")
  var format = Format.text

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if merge, output == nil {
      throw ValidationError("--merge needs the name of the merged delta: -o NAME.delta.")
    }
    if merge, format != .text {
      throw ValidationError("--format is for archives: --merge finds no tiles.")
    }
  }

  func run(in session: Session) throws(PipelineError) {
    if merge { return try runMerge(session) }
    var tiles: [(kind: String, tile: TileCoord)] = []
    var lines: [UInt8] = []
    let summary = try PipelineRunner.diff(
      old: old, new: new, output: output, cancellation: session.cancellation,
      progress: session.progress
    ) { (kind, tile) throws(PipelineError) in
      if terminal.quiet, format == .text { return }
      switch format {
      case .text: lines += Array("\(kind) \(tile)\n".utf8)
      case .ndjson: lines += Array(DifferenceSummary.line(kind, tile).utf8)
      case .json: return tiles.append((kind, tile))
      }
      // A write per tile would take longer than finding it.
      if lines.count > 1 << 16 {
        try session.terminal.write(lines)
        lines = []
      }
    }
    try session.terminal.write(lines)
    if terminal.quiet, format == .text { return }
    switch format {
    case .text: try session.terminal.show(summary.text)
    case .json: try session.terminal.write(Array(summary.json(tiles: tiles).pretty.utf8))
    case .ndjson: try session.terminal.show(summary.json().line)
    }
  }
}

extension DiffCommand {
  private func runMerge(_ session: Session) throws(PipelineError) {
    let summary = try PipelineRunner.merge(
      delta: old, with: new, output: output ?? "", cancellation: session.cancellation,
      progress: session.progress)
    if !terminal.quiet { try session.terminal.show(summary) }
  }
}

/// The command `quadrille apply DELTA ARCHIVE`.
struct ApplyCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Apply a delta to an archive.",
    discussion: """
      The archive becomes the new one, byte for byte, or stays as it is: the new file is made beside \
      it, proved, and put in its place. An archive that is the new one already is left alone.

        quadrille apply changes.delta city.mbtiles
      """)

  @Argument(help: "The delta, as 'diff --output' or 'build --delta' wrote it.", completion: .file())
  var delta: String

  @Argument(help: "The archive.", completion: .file())
  var archive: String

  @Option(help: "The folder for temporary files.", completion: .directory)
  var tmpdir: String?

  @OptionGroup var terminal: TerminalOptions

  func run(in session: Session) throws(PipelineError) {
    let summary = try PipelineRunner.apply(
      delta: delta, archive: archive, scratch: tmpdir, cancellation: session.cancellation,
      progress: session.progress)
    if !terminal.quiet { try session.terminal.show(summary.text) }
  }
}
