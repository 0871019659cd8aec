import ArgumentParser
import Definition
import Pipeline
import Runs
import Tiling

/// The command `quadrille tile FILE z/x/y -o out.png`.
struct TileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tile", abstract: "Draw one tile without an archive.",
    discussion: """
        quadrille tile city.yml 12/1205/1539 -o tile.png
      """)

  @Argument(help: ArgumentHelp("A pipeline file.", valueName: "file"), completion: .file())
  var file: String

  @Argument(
    help: ArgumentHelp("The tile, rows counted southward (XYZ).", valueName: "z/x/y"),
    transform: Self.tile)
  var tile: TileCoord

  @Option(help: "The pixel density: 1, 2 or 3.")
  var scale = 1

  @Option(help: "The side of the tile in px, 256 or 512, instead of the file's.")
  var tileSize: Int?

  @OptionGroup var picture: PictureOptions

  static func tile(_ text: String) throws -> TileCoord {
    guard let tile = TileCoord(text) else {
      throw ValidationError(
        "'\(text)' is not a tile: z/x/y with z from 0 to 22, x and y below 2^z.")
    }
    return tile
  }

  func validate() throws {
    guard (1...3).contains(scale) else { throw ValidationError("--scale is 1, 2 or 3.") }
    guard tileSize == nil || tileSize == 256 || tileSize == 512 else {
      throw ValidationError("--tile-size is 256 or 512.")
    }
  }

  func run() throws {
    try picture.run(file) { definition, options, session throws(PipelineError) in
      var options = options
      options.tileSize = tileSize
      return try PipelineRunner.tile(
        definition, tile: tile, scale: scale, options: options,
        cancellation: session.cancellation, progress: session.progress, note: session.note)
    }
  }
}
