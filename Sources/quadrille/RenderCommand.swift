import ArgumentParser
import Baking
import Definition
import Pipeline
import Runs
import Tiling

/// The command `quadrille render FILE --bbox w,s,e,n -o out.png`.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw one view of any size without an archive.",
    discussion: """
      A view is a box, which is zoomed to fit, or a middle with a zoom and a size. Without either it is \
      that of a MapLibre style's 'center' and 'zoom', or of a pipeline's 'view'.

        quadrille render style.json --size 512x256 -o style.png
        quadrille render city.yml --bbox=-74.02,40.70,-73.93,40.80 -o city.png
        quadrille render city.yml --center=-73.98,40.75 --zoom 15.5 --size 800x600 -o centre.png
      """)

  @Argument(
    help: ArgumentHelp("A pipeline file or a MapLibre style.", valueName: "file"),
    completion: .file())
  var file: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The middle of the view in degrees.", valueName: "lng,lat"),
    transform: Self.position)
  var center: LngLat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The box of the view in degrees, instead of its middle; w > e crosses the antimeridian.",
      valueName: "w,s,e,n"),
    transform: TileRangeOptions.bounds)
  var bbox: GeoBounds?

  @Option(
    help: ArgumentHelp(
      "The zoom, as in a tile's z, 0 to 22; also between two, such as 11.5. With --bbox the one at "
        + "which the box fits, otherwise that of the file, by default."))
  var zoom: Double?

  @Option(
    help: ArgumentHelp(
      "The view's size in style px. By default the longer side has 1024 px: with --bbox in the box's "
        + "proportions, otherwise of a square.", valueName: "WxH"), transform: Self.size)
  var size: ViewSize?

  @Option(help: "Device px per style px: 1, 2, 3 or 4.")
  var ratio: Double = 1

  @OptionGroup var picture: PictureOptions

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
    guard [1, 2, 3, 4].contains(ratio) else { throw ValidationError("--ratio is 1, 2, 3 or 4.") }
    if let zoom, !(zoom >= 0 && zoom <= Double(TileCoord.maxZoom)) {
      throw ValidationError("--zoom is a number from 0 to \(TileCoord.maxZoom).")
    }
    if center != nil, bbox != nil {
      throw ValidationError("A view is either --bbox or --center.")
    }
  }

  /// The part of the map: that of the arguments, or what the file begins with.
  private func area(_ definition: PipelineDefinition) throws(PipelineError) -> MapView.Area {
    if let bbox { return .box(bbox, zoom: zoom) }
    // As in MapLibre a style without a place begins at 0° N 0° E, without a zoom at 0.
    let origin = definition.isStyle ? LngLat(longitude: 0, latitude: 0) : nil
    guard let center = center ?? definition.view.center ?? origin,
      let zoom = zoom ?? definition.view.exactZoom ?? (definition.isStyle ? 0 : nil)
    else {
      throw PipelineError(
        .usage,
        "a view needs a place. Give --bbox, or --center with --zoom, or 'view' in the pipeline file."
      )
    }
    return .center(center, zoom: zoom)
  }

  func run() throws {
    try picture.run(file) { definition, options, session throws(PipelineError) in
      try PipelineRunner.render(
        definition,
        view: try MapView(
          try area(definition), size: size.map { ($0.width, $0.height) }, ratio: Int(ratio),
          tileSize: definition.tiles.tileSize),
        options: options, cancellation: session.cancellation, progress: session.progress,
        note: session.note)
    }
  }
}
