import ArgumentParser
import Baking
import Definition
import Pipeline
import Reports
import Runs
import Tiling

/// The command `quadrille render FILE --center lng,lat --zoom Z --size WxH -o out.png`.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw one view of any size without an archive.")

  @Argument(help: ArgumentHelp("A pipeline file or a MapLibre style.", valueName: "file"))
  var file: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The middle of the view in degrees.", valueName: "lng,lat"),
    transform: Self.position)
  var center: LngLat

  @Option(help: "The zoom, as in a tile's z, 0 to 22; also between two, such as 11.5.")
  var zoom: Double

  @Option(
    help: ArgumentHelp("The view's size in style px.", valueName: "WxH"), transform: Self.size)
  var size: ViewSize

  @Option(help: "Device px per style px: 1, 2 or 4.")
  var ratio: Double = 1

  @Option(name: .shortAndLong, help: "The PNG file to write; standard output by default.")
  var output: String?

  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var frame: FrameOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  /// Width and height in style pixels.
  struct ViewSize: Equatable {
    var width: Int
    var height: Int
  }

  static func position(_ text: String) throws -> LngLat {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let longitude = numbers[0], let latitude = numbers[1],
      longitude.isFinite, abs(longitude) <= 360, abs(latitude) <= 90
    else { throw ValidationError("'\(text)' is not lng,lat in degrees.") }
    return LngLat(longitude: longitude, latitude: latitude)
  }

  static func size(_ text: String) throws -> ViewSize {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...8192).contains(width), (1...8192).contains(height)
    else { throw ValidationError("'\(text)' is not WxH, each from 1 to 8192.") }
    return ViewSize(width: width, height: height)
  }

  func validate() throws {
    guard [1, 2, 4].contains(ratio) else { throw ValidationError("--ratio is 1, 2 or 4.") }
    guard zoom >= 0, zoom <= Double(TileCoord.maxZoom) else {
      throw ValidationError("--zoom is a number from 0 to \(TileCoord.maxZoom).")
    }
  }

  func run() throws {
    try Session.run(terminal) { session throws(PipelineError) in
      if output == nil, session.terminal.showsOutput {
        throw PipelineError(.usage, "a picture cannot be shown here. Name a file with -o.")
      }
      let definition = try session.definition(
        file, including: inclusion, options: BuildOptions(nil, machine))
      if let output { try TargetGuard(definition).check(output) }
      let view = MapView(
        center: center, zoom: zoom, width: size.width, height: size.height,
        ratio: Int(ratio))
      let bytes = try PipelineRunner.render(
        definition, view: view,
        options: BuildOptions(nil, machine).showing(frame), cancellation: session.cancellation,
        progress: session.progress)
      if let output {
        try ReportFile.write(bytes, to: output)
      } else {
        try session.terminal.write(bytes)
      }
    }
  }
}
