import ArgumentParser
import Preview

/// The options of an export.
struct PreviewExportOptions: ParsableArguments {
  @Option(
    name: [.customShort("Z", allowingJoined: true), .long], help: "With --export: the first zoom.")
  var minzoom: Int = 0

  @Option(
    name: [.customShort("z", allowingJoined: true), .long], help: "With --export: the last zoom.")
  var maxzoom: Int = 22

  @Option(help: "With --export: the most tiles.")
  var maxFiles: Int = 200_000

  func validate() throws {
    guard (0...22).contains(minzoom), (minzoom...22).contains(maxzoom) else {
      throw ValidationError("the zooms \(minzoom) to \(maxzoom) are not in 0 … 22 and ascending.")
    }
    guard maxFiles > 0 else { throw ValidationError("--max-files is at least 1.") }
  }

  /// Writes the page as files and prints the totals.
  func run(
    _ tilesets: [PreviewTileset], _ leaflet: LeafletFiles, under: UnderMap?, to folder: String
  ) throws {
    var export = StaticExport(tilesets, leaflet: leaflet)
    export.under = under
    export.zooms = minzoom...maxzoom
    export.maxFiles = maxFiles
    let summary = try export.write(to: folder)
    Console.say(
      "\(folder): \(summary.files) files, \(summary.bytes) bytes; \(folder).zip has the same")
  }
}
