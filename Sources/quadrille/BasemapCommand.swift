import ArgumentParser
import Definition
import Files
import Inputs
import Pipeline
import Runs
import SystemPackage
import Tiling

/// The command `quadrille basemap -o REGION.pmtiles --bbox w,s,e,n SOURCE`.
struct BasemapCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "basemap",
    abstract: "Copy a region of a large PMTiles file, over http or from here.",
    discussion: """
      Of a file on a server only the directories on the way and the tiles of the box are read, by \
      range requests; neighbouring tiles come in one. A run that was stopped goes on with what it has \
      (.quadrille-cache beside the file), and a run without a change on the server reads its first \
      bytes. NAME.lock.json keeps what was read; --locked refuses anything else.

        quadrille basemap -o berlin.pmtiles --bbox 13.1,52.3,13.8,52.7 https://example.org/planet.pmtiles
        quadrille basemap -o centre.pmtiles --bbox 13.3,52.4,13.5,52.6 -z 12 berlin.pmtiles
        quadrille preview stores.csv --under berlin.pmtiles
      """)

  @Argument(
    help: ArgumentHelp("A PMTiles file, or its http or https url.", valueName: "file|url"),
    completion: .file())
  var source: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The PMTiles file to write.", valueName: "region.pmtiles"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "The most bytes of tiles, such as 500MB or 2GB: a region with more is refused before they are "
        + "read.", valueName: "size"), transform: Self.bytes)
  var maxBytes = 1_000_000_000

  @Flag(help: "Use no network: only what was read before.")
  var offline = false

  @Flag(help: "Refuse what differs from the lock file.")
  var locked = false

  @OptionGroup var range: TileRangeOptions

  @OptionGroup var terminal: TerminalOptions

  private static func bytes(_ text: String) throws -> Int {
    guard let bytes = TileBudget.bytes(of: text) else {
      throw ValidationError("'\(text)' is no size. It looks like 500MB or 2GB.")
    }
    return bytes
  }

  func validate() throws {
    guard range.bbox != nil else { throw ValidationError("--bbox is missing: w,s,e,n in degrees.") }
    guard output.hasSuffix(".pmtiles") else {
      throw ValidationError("--output: '\(output)' does not end in .pmtiles. Name it so.")
    }
    let (first, last) = (range.minzoom ?? 0, range.maxzoom ?? TileCoord.maxZoom)
    guard first <= last else { throw ValidationError("the first zoom is greater than the last.") }
  }

  func run(in session: Session) throws(PipelineError) {
    if let fault = TargetFault(FilePath(output)) {
      throw PipelineError(.cannotCreate, fault.sentence(FilePath(output)))
    }
    guard !FilePlace.areSame(source, output) else {
      throw PipelineError(.usage, "'\(output)' is the file to read. Name another with --output.")
    }
    var options = BuildOptions()
    (options.offline, options.locked) = (offline, locked)
    let extract = BasemapExtract(
      source, output: output, bounds: range.bbox ?? .world,
      zooms: (range.minzoom ?? 0)...(range.maxzoom ?? TileCoord.maxZoom), maxBytes: maxBytes)
    let text = try PipelineRunner.basemap(
      extract, options: options, cancellation: session.cancellation, progress: session.progress)
    session.terminal.endProgress()
    if !terminal.quiet { try session.terminal.show(text) }
  }
}
