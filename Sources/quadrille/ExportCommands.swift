import Archives
import ArgumentParser
import JSON
import Pipeline
import Runs
import Tiling

/// The selection of an archive's tiles, and the folder for temporary files.
struct TileChoice: ParsableArguments {
  @OptionGroup var range: TileRangeOptions

  @Option(
    help: ArgumentHelp("Only tiles that meet a polygon of this file.", valueName: "name.geojson"),
    completion: .file())
  var polygon: String?

  @Option(help: "The folder for temporary files.", completion: .directory)
  var tmpdir: String?

  func validate() throws {
    if range.bbox != nil, polygon != nil {
      throw ValidationError("--bbox and --polygon exclude one another.")
    }
  }

  /// Returns the options of a run with this selection.
  func options(
    archive: String, output: String, container: TileContainer
  ) -> ExportOptions {
    var options = ExportOptions(archive: archive, output: output, container: container)
    options.minZoom = range.minzoom
    options.maxZoom = range.maxzoom
    options.bounds = range.bbox
    options.polygonFile = polygon
    options.temporaryFolder = tmpdir
    return options
  }
}

/// The command `quadrille extract ARCHIVE -o SMALL`.
struct ExtractCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: "Copy zooms or an area of an archive to a smaller one.",
    discussion: """
      The result is an archive of the same layout, or a PMTiles file by the ending of its name. It \
      was not made by a build, so it has neither ledger nor fingerprint.

        quadrille extract city.mbtiles -o centre.mbtiles --bbox=-74.02,40.70,-73.93,40.80 -z 14
      """)

  /// The format of the result.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case mbtiles
    case pmtiles
  }

  @Argument(help: "An MBTiles archive, of this or another program.", completion: .file())
  var archive: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "small.mbtiles"),
    completion: .file())
  var output: String

  @Option(help: "What to write, whatever the file is called: mbtiles or pmtiles.")
  var format: Format?

  @OptionGroup var choice: TileChoice

  @OptionGroup var terminal: TerminalOptions

  func run(in session: Session) throws(PipelineError) {
    let container =
      format.flatMap { TileContainer(rawValue: $0.rawValue) } ?? TileContainer(ofPath: output)
    guard container == .mbtiles || container == .pmtiles else {
      throw PipelineError(
        .usage,
        "--output: '\(output)' ends neither in .mbtiles nor in .pmtiles. Name it so, say "
          + "--format, or use 'quadrille export'.")
    }
    try session.export(
      choice.options(archive: archive, output: output, container: container), quiet: terminal.quiet)
  }
}

/// The command `quadrille export ARCHIVE TARGET`.
struct ExportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copy the tiles of an archive to another container.",
    discussion: """
      The ending of the target decides: name.pmtiles, name.gpkg, name.mbtiles (of PMTiles or a \
      folder), or else a folder with z/x/y.png and a tile.json.

        quadrille export city.mbtiles city.pmtiles
        quadrille export city.mbtiles tiles/
        quadrille export city.pmtiles city.mbtiles
      """)

  /// The format of the result.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case folder
    case pmtiles
    case gpkg
    case mbtiles
  }

  @Argument(
    help: "An MBTiles archive, a PMTiles file or a folder of tiles, of this or another program.",
    completion: .file())
  var archive: String

  @Argument(
    help: ArgumentHelp("The file or folder to write.", valueName: "target"), completion: .file())
  var target: String

  @Option(help: "What to write, whatever the target is called: folder, pmtiles or gpkg.")
  var format: Format?

  @Option(help: "How the rows of a folder are counted: xyz, southward, or tms.")
  var scheme = TileScheme.xyz

  @Flag(help: "Store equal tiles of a folder as hard links to one file.")
  var link = false

  @Flag(name: .shortAndLong, help: "Replace the folder of an earlier export.")
  var force = false

  @OptionGroup var choice: TileChoice

  @OptionGroup var terminal: TerminalOptions

  func run(in session: Session) throws(PipelineError) {
    let container =
      format.flatMap { TileContainer(rawValue: $0.rawValue) } ?? TileContainer(ofPath: target)
    guard container != .mbtiles || ArchiveView.isNeeded(of: archive) else {
      throw PipelineError(
        .usage,
        "to make an archive of an archive use 'quadrille extract \(archive) -o \(target)'.")
    }
    if container != .folder, link || force || scheme != .xyz {
      throw PipelineError(.usage, "--link, --force and --scheme are for a folder only.")
    }
    var options = choice.options(archive: archive, output: target, container: container)
    options.isFolderChosen = format == .folder
    options.scheme = scheme
    options.linksEqualTiles = link
    options.replacesFolder = force
    options.changeTime = try SourceDate.seconds()
    try session.export(options, quiet: terminal.quiet)
  }
}

extension Session {
  /// Runs an export and prints its summary.
  func export(_ options: ExportOptions, quiet: Bool) throws(PipelineError) {
    let summary = try PipelineRunner.export(
      options, cancellation: cancellation, progress: progress)
    for note in summary.notes { terminal.note(note) }
    if !quiet { try terminal.show(summary.text) }
  }
}

extension TileScheme: ExpressibleByArgument {}
