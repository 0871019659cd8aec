import Archives
import ArgumentParser
import Definition
import JSON
import Pipeline
import Runs
import Tiling

/// The command `quadrille inspect ARCHIVE`.
struct InspectCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Describe an archive, or one of its tiles.",
    discussion: """
      Of an archive: metadata, zooms and sizes; of vector tiles also the layers with their features \
      and fields, and the largest tiles. Of a tile: its size, the layers in it, and their features.

        quadrille inspect city.mbtiles
        quadrille inspect city.pmtiles --tile 14/4823/6160
        quadrille inspect city.mbtiles --json
      """)

  @Argument(
    help: "An MBTiles archive, a PMTiles file, a folder of tiles or a TileJSON.",
    completion: .file())
  var archive: String

  @Option(
    help: ArgumentHelp(
      "Only this tile, its row counted southward (XYZ).", valueName: "z/x/y"),
    transform: TileCommand.tile)
  var tile: TileCoord?

  @Flag(help: "Print the description as JSON, with numbers in bytes and degrees.")
  var json = false

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if json, tile != nil {
      throw ValidationError(
        "--json and --tile exclude each other; 'query' prints features as GeoJSON.")
    }
  }

  func run(in session: Session) throws(PipelineError) {
    if json {
      let text = try PipelineRunner.inspectAsJSON(
        archive: archive, cancellation: session.cancellation)
      return try session.terminal.write(Array(text.utf8))
    }
    let text =
      if let tile {
        try PipelineRunner.inspect(tile, of: archive)
      } else {
        try PipelineRunner.inspect(archive: archive, cancellation: session.cancellation)
      }
    if !terminal.quiet { try session.terminal.show(text) }
  }
}

/// The command `quadrille verify ARCHIVE…`.
struct VerifyCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Recompute everything that an archive promises.",
    discussion: """
        quadrille verify city.mbtiles
      """)

  @Argument(
    help: ArgumentHelp("MBTiles archives or PMTiles files.", valueName: "archive"),
    completion: .file())
  var archives: [String]

  @OptionGroup var terminal: TerminalOptions

  func run(in session: Session) throws(PipelineError) {
    var faulty: [String] = []
    for archive in archives.sorted() {
      let summary = try PipelineRunner.verify(
        archive: archive, cancellation: session.cancellation, progress: session.progress)
      for warning in summary.warnings {
        session.terminal.say("\(archive): \(warning)", level: .warning)
      }
      for fault in summary.faults {
        session.terminal.say("\(archive): \(fault)", level: .error)
      }
      if !summary.faults.isEmpty { faulty.append(archive) }
      if !terminal.quiet { try session.terminal.show("\(archive): \(summary.conclusion)") }
    }
    guard faulty.isEmpty else {
      let names = faulty.joined(separator: ", ")
      throw PipelineError(.badData, "not sound: \(names). Build again to replace it.")
    }
  }
}

/// The command `quadrille schema`.
struct SchemaCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of the pipeline file.",
    discussion: """
        quadrille schema > pipeline.schema.json
      """)

  @OptionGroup var terminal: TerminalOptions

  func run(in session: Session) throws(PipelineError) {
    try session.terminal.write(Array(PipelineSchema.json.pretty.utf8))
  }
}
