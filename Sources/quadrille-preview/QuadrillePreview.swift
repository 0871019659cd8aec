import ArgumentParser
import Definition
import Drafts
import Foundation
import Pipeline
import Preview
import Runs
import SystemPackage

/// The program behind `quadrille preview`: a page that shows tilesets, or the same as a folder.
@main
struct QuadrillePreview: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quadrille preview",
    abstract: "Show archives in the browser, or export the page as a folder.",
    discussion: """
      Without --export the page is served on this machine only, until the program is stopped \
      (Ctrl-C). With --export the page and its tiles are written as files for any web server. \
      The tiles of data, such as CSV or GeoJSON, are painted as the page asks for them, and a \
      pipeline that is not built yet is built.

        quadrille preview city.mbtiles
        quadrille preview stores.csv
        quadrille preview city.yml --watch
        quadrille preview city.yml --under https://tile.example.org/{z}/{x}/{y}.png
        quadrille preview city.yml --export page
      """,
    version: PipelineVersion.current)

  @Argument(
    help: ArgumentHelp(
      "Archives, lists of packs (NAME.packs.json), manifests of series (NAME.frames.json), pipeline "
        + "files, or data.",
      valueName: "file"), completion: .file())
  var files: [String]

  @Option(help: "The port to serve on, or the next that is free; 0 takes any.")
  var port: UInt16 = 8080

  @Flag(inversion: .prefixedNo, help: "Open the page in the browser.")
  var open = true

  @Option(
    help: ArgumentHelp("Write the page as files into a folder.", valueName: "dir"),
    completion: .directory)
  var export: String?

  @Flag(help: "Build again and reload when a pipeline or its data change.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "Your own map under the tiles: an archive (.mbtiles, .pmtiles), vector tiles, a TileJSON, a style "
        + "or pipeline, GeoJSON, or an address with {z}, {x} and {y}. The variable QUADRILLE_GROUND "
        + "names one for all previews.", valueName: "file|url"), completion: .file())
  var under: String?

  @Option(help: ArgumentHelp("Who made the map under the tiles.", valueName: "text"))
  var underAttribution: String?

  @Option(
    help: ArgumentHelp(
      "The data of a source of a pipeline in place of the file's own, as in 'build'. May be given more "
        + "than once.", valueName: "NAME=FILE"))
  var source: [String] = []

  @Flag(help: .hidden)
  var painted = false

  /// The pipeline is a draft in a temporary folder, which is kept in the current one.
  @Flag(help: .hidden)
  var draft = false

  /// The data of the draft, and the looks that its clusters can have instead.
  @Option(help: .hidden)
  var draftOf: [String] = []

  @Option(help: .hidden)
  var draftLook: [String] = []

  @OptionGroup var limits: PreviewExportOptions

  func validate() throws {
    if watch, export != nil {
      throw ValidationError("--watch and --export exclude each other.")
    }
    if underAttribution != nil, under == nil {
      throw ValidationError("--under-attribution belongs to --under.")
    }
    for text in source where SourceReplacement(text) == nil {
      throw ValidationError("'\(text)' is not NAME=FILE: the name of a source and its data.")
    }
  }

  /// Runs the command that the arguments name.
  static func main() {
    do throws(PipelineError) {
      try ReceivedArguments.check()
    } catch {
      Console.error("error: \(error)")
      exit(withError: ExitCode(error.exitCode))
    }
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard let refusal = ReceivedArguments.refusal(fullMessage(for: error)) else {
        exit(withError: error)
      }
      Console.error("error: \(refusal)")
      exit(withError: exitCode(for: error))
    }
  }

  /// The pipelines among the files.
  private var pipelines: Pipelines { Pipelines(source) }

  func run() throws {
    do {
      EndingSignals.handle()
      let leaflet = try LeafletFiles()
      let map = try underMap()
      if painted { return try serve(try paintedRouter(leaflet), under: map) }
      let tilesets = try PreviewTileset.find(
        files,
        outputs: { file throws(PipelineError) in try pipelines.definition(file).outputPaths },
        build: build)
      if let export {
        try limits.run(tilesets, leaflet, under: map, to: export)
      } else {
        try serve(PreviewRouter(tilesets, leaflet: leaflet), under: map)
      }
    } catch let error as PipelineError {
      Console.error("error: \(error)")
      throw ExitCode(error.exitCode)
    }
  }

  /// The map under the tiles: that of `--under`, or else of the variable. An export has no server that
  /// paints, so there the variable, which is meant for all previews, does not count.
  private func underMap() throws(PipelineError) -> UnderMap? {
    let common = ProcessInfo.processInfo.environment["QUADRILLE_GROUND"]
    guard let name = under ?? (export == nil ? common : nil), !name.isEmpty else { return nil }
    if let ground = try PaintedGround.open(name, pipelines) {
      return UnderMap(ground, attribution: underAttribution)
    }
    return try UnderMap(name, attribution: underAttribution)
  }

  /// Builds a pipeline that is not built yet; the child has said what failed.
  private func build(_ pipeline: String) throws(PipelineError) {
    Console.error("\(pipeline) is not built yet; building it.")
    let status = try BuildChild.build(pipeline, pipelines.arguments)
    if status != 0 { Foundation.exit(status) }
  }

  /// Reads the data of pipelines, whose tiles are painted when they are asked for.
  private func paintedRouter(_ leaflet: LeafletFiles) throws -> PreviewRouter {
    var tilesets: [PreviewTileset] = []
    var painted: [String: any PaintedTiles] = [:]
    var sources: [String: String] = [:]
    var inputs: [String: Set<String>] = [:]
    for file in files where !PreviewTileset.isOutput(file) {
      let definition = try pipelines.definition(file)
      let queue = try PaintingQueue(definition)
      if definition.hasSeries {
        Console.error(
          "\(definition.name) is a series; the page shows its last frame until it is built.")
      }
      let tileset = PreviewTileset(painted: queue.description.name, others: tilesets)
      tilesets.append(tileset)
      painted[tileset.id] = queue
      (sources[tileset.id], inputs[tileset.id]) = (file, definition.inputFiles)
    }
    let archives = files.filter { PreviewTileset.isOutput($0) }
    tilesets += try PreviewTileset.find(archives, others: tilesets) { _ in [] }
    var router = PreviewRouter(tilesets, leaflet: leaflet)
    router.painted = painted
    let looks = desk(sources)
    for (id, tiles) in painted {
      if let file = sources[id] { looks.add(tiles, of: file, files: inputs[id] ?? []) }
    }
    router.looks = looks
    return router
  }

  /// The looks that the page changes.
  ///
  /// - Parameter sources: the pipelines of painted tilesets, by the tilesets' identifiers.
  private func desk(_ sources: [String: String] = [:]) -> LookDesk {
    var drafts: [String: LookDesk.Draft] = [:]
    let current = FileManager.default.currentDirectoryPath
    for file in files where draft && !PreviewTileset.isOutput(file) {
      let target = FilePath(file).lastComponent?.string ?? file
      let folder = FilePath(current).pushing(FilePath(file).removingLastComponent())
      let paths = DraftPaths(pipeline: "\(current)/\(target)", current: folder.string)
      drafts[file] = LookDesk.Draft(
        target: target, looks: draftLook, spell: { paths.spelled($0) },
        redraft: { [draftOf] in try Self.draft(draftOf, as: file, look: $0, in: current) })
    }
    return LookDesk(files: sources, drafts: drafts) { [pipelines] file in
      let definition = try pipelines.definition(file)
      return (try PaintingQueue(definition), definition.inputFiles)
    }
  }

  /// Returns the text of a draft in a look; `nil` for the drafter's choice.
  private static func draft(
    _ files: [String], as pipeline: String, look: String?, in folder: String
  ) throws(PipelineError) -> String {
    var request = PipelineDraft.Request(files: files, pipeline: pipeline, currentFolder: folder)
    request.isBaked = false
    request.choices.look = look.flatMap(PipelineDraft.Look.init)
    return try PipelineRunner.draft(
      request, cancellation: Cancellation(), progress: { _ in }
    ).text
  }

  private func serve(_ router: PreviewRouter, under map: UnderMap?) throws {
    var router = router
    router.under = map
    if router.looks == nil { router.looks = desk() }
    // Broken archives are reported now rather than in the browser.
    try router.check()
    if watch { router.watch = startWatching(router.tilesets) }
    let server = try PreviewServer(router, port: port)
    Console.say(server.url)
    if open { Browser.open(server.url) }
    server.run()
  }

  private func startWatching(_ tilesets: [PreviewTileset]) -> PreviewWatch {
    let state = PreviewWatch()
    let archives = tilesets.flatMap(\.files).map(\.path)
    let files = files.filter { !PreviewTileset.isOutput($0) }
    WatchLoop(state, pipelines, files, archives: archives).start()
    return state
  }
}

/// The system's browser.
enum Browser {
  /// Opens an address, if the system provides a way to; the result is not awaited.
  static func open(_ url: String) {
    #if canImport(Darwin)
      let programs = ["/usr/bin/open"]
    #else
      // Without a display xdg-open would start a text browser in the terminal.
      let environment = ProcessInfo.processInfo.environment
      guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
      let programs = ["/usr/bin/xdg-open", "/usr/bin/sensible-browser"]
    #endif
    guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) })
    else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [url]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }
}
