import ArgumentParser
import Definition
import FlyingFox
import Foundation
import Platform
import Preview
import Runs

/// The program behind `quadrille preview`: a page that shows tilesets, or the same as a folder.
@main
struct QuadrillePreview: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quadrille preview",
    abstract: "Show archives in the browser, or export the page as a folder.",
    discussion: """
      Without --export the page is served on this machine only, until the program is stopped \
      (Ctrl-C). With --export the page and its tiles are written as files for any web server. \
      Files of data, such as CSV or GeoJSON, are baked into a temporary folder first.

        quadrille preview city.mbtiles
        quadrille preview stores.csv
        quadrille preview city.yml --export page
      """,
    version: PipelineVersion.current)

  @Argument(
    help: ArgumentHelp(
      "Archives, manifests of series (NAME.frames.json), pipeline files, or data.",
      valueName: "file"))
  var files: [String]

  @Option(help: "The port to serve on; 0 takes any that is free.")
  var port: UInt16 = 8080

  @Flag(inversion: .prefixedNo, help: "Open the page in the browser.")
  var open = true

  @Option(help: ArgumentHelp("Write the page as files into a folder.", valueName: "dir"))
  var export: String?

  @OptionGroup var limits: ExportOptions

  /// Runs the command that the arguments name.
  static func main() async {
    do throws(PipelineError) {
      try ReceivedArguments.check()
    } catch {
      Console.error("error: \(error)")
      exit(withError: ExitCode(error.exitCode))
    }
    await main(nil)
  }

  func run() async throws {
    do {
      let tilesets = try PreviewTileset.find(files) { file throws(PipelineError) in
        try PipelineDefinition(
          contentsOf: file, environment: { name in getenv(name).map { String(cString: $0) } }
        ).outputPaths
      }
      let leaflet = try LeafletFiles()
      if let export {
        try limits.run(tilesets, leaflet, to: export)
      } else {
        try await serve(PreviewRouter(tilesets, leaflet: leaflet))
      }
    } catch let error as PipelineError {
      Console.error("error: \(error)")
      throw ExitCode(error.exitCode)
    }
  }

  private func serve(_ router: PreviewRouter) async throws {
    // Broken archives are reported now rather than in the browser.
    try router.check()
    let server = try await PreviewServer.start(router, port: port)
    Console.say(server.url)
    if open { Browser.open(server.url) }
    try await server.run()
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
