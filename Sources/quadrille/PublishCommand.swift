import Archives
import ArgumentParser
import Pipeline
import Runs

/// The command `quadrille publish ARCHIVE FOLDER`.
struct PublishCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Bring a folder of tiles for a web server up to date.",
    discussion: """
      Writes only the files whose content changed, then tile.json, the manifest (manifest.md5, as \
      md5sum --check reads it) and a list of the urls that caches have to drop, and removes tiles \
      that are gone. The folder may be served meanwhile.

        quadrille publish city.mbtiles www
        quadrille publish city.mbtiles www --url https://tiles.example.org/city
      """)

  @Argument(
    help: "An MBTiles archive, a PMTiles file or a folder of tiles, of this or another program.",
    completion: .file())
  var archive: String

  @Argument(help: "The folder: a new one, or one that was published.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp("The url of the folder, for tile.json and the list.", valueName: "url"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "Where to write the list of changed urls (default: FOLDER.purge.txt).", valueName: "file"),
    completion: .file())
  var purge: String?

  @Flag(
    name: .shortAndLong,
    help: "Compare every file, not the manifest; also take over the folder of an export.")
  var force = false

  @OptionGroup var choice: TileChoice

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    guard let url else { return }
    guard url.contains("://"), url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      throw ValidationError(
        "--url: '\(url)' is no address. It looks like https://tiles.example.org/city.")
    }
  }

  func run(in session: Session) throws(PipelineError) {
    var publication = FolderPublication()
    publication.url = url.map { url in
      String(url.reversed().drop { $0 == "/" }.reversed())
    }
    publication.purgeList = purge
    publication.comparesFiles = force
    var options = choice.options(archive: archive, output: folder, container: .folder)
    options.publication = publication
    try session.export(options, quiet: terminal.quiet)
  }
}
