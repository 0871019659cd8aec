import ArgumentParser
import Baking
import Definition
import Pipeline
import Queries
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
        quadrille render city.yml --title "Hotels" --legend --scale-bar --size 180x120mm -o figure.pdf
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
      "The size in style px, or in mm for print, with all that surrounds the map. By default the map's "
        + "longer side has 1024 px: with --bbox in the box's proportions, otherwise of a square.",
      valueName: "WxH[mm]"), transform: Self.size)
  var size: ViewSize?

  @Option(help: "Device px per style px: 1, 2, 3 or 4. By default 1, and with mm what --dpi needs.")
  var ratio: Double?

  @Option(help: "Dots per inch of a size in mm, 72 to 400. (default: 300)")
  var dpi: Double?

  @Option(help: "A title above the map.")
  var title: String?

  @Flag(help: "The legend in the map's upper right corner.")
  var legend = false

  @Flag(help: "A scale bar in the map's lower left corner.")
  var scaleBar = false

  @Flag(help: "The sources' attribution in the map's lower right corner.")
  var attribution = false

  @Option(help: "A white border around map and title, in style px.")
  var margin: Int = 0

  @OptionGroup var picture: PictureOptions

  /// Width and height in style pixels, or in millimetres.
  struct ViewSize: Equatable {
    var width: Double
    var height: Double
    var isMetric = false
  }

  /// The dots per inch of a size in millimetres without --dpi.
  private static let standardDensity = 300.0

  /// The style pixels per inch that the device pixels per style pixel are chosen by, as in CSS.
  private static let styleDensity = 96.0

  static func position(_ text: String) throws -> LngLat {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let longitude = numbers[0], let latitude = numbers[1],
      longitude.isFinite, abs(longitude) <= 360, abs(latitude) <= 90
    else { throw ValidationError("'\(text)' is not lng,lat in degrees.") }
    return LngLat(longitude: longitude, latitude: latitude)
  }

  static func size(_ text: String) throws -> ViewSize {
    let isMetric = text.hasSuffix("mm")
    let sides = text.dropLast(isMetric ? 2 : 0).split(
      separator: "x", omittingEmptySubsequences: false
    ).map { isMetric ? Double($0) : Int($0).map { Double($0) } }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...8192).contains(width), (1...8192).contains(height)
    else { throw ValidationError("'\(text)' is not WxH or WxHmm, each from 1 to 8192.") }
    return ViewSize(width: width, height: height, isMetric: isMetric)
  }

  func validate() throws {
    if let ratio, ![1, 2, 3, 4].contains(ratio) {
      throw ValidationError("--ratio is 1, 2, 3 or 4.")
    }
    if let zoom, !(zoom >= 0 && zoom <= Double(TileCoord.maxZoom)) {
      throw ValidationError("--zoom is a number from 0 to \(TileCoord.maxZoom).")
    }
    if center != nil, bbox != nil {
      throw ValidationError("A view is either --bbox or --center.")
    }
    guard (0...Figure.widestMargin).contains(margin) else {
      throw ValidationError("--margin is a number from 0 to \(Figure.widestMargin).")
    }
    if let dpi {
      guard size?.isMetric == true else {
        throw ValidationError("--dpi is the density of a size in mm, such as --size 180x120mm.")
      }
      guard (72...400).contains(dpi) else {
        throw ValidationError("--dpi is a number from 72 to 400.")
      }
    }
  }

  /// The density of a size in millimetres, and device pixels per style pixel.
  private var density: (dotsPerInch: Double?, ratio: Int) {
    guard size?.isMetric == true else { return (nil, Int(ratio ?? 1)) }
    let dots = dpi ?? Self.standardDensity
    let own = min(max((dots / Self.styleDensity).rounded(), 1), 4)
    return (dots, Int(ratio ?? own))
  }

  /// The figure that the options ask for.
  private func request(_ definition: PipelineDefinition) throws(PipelineError) -> FigureRequest {
    let (dots, ratio) = density
    let scale = dots.map { $0 / 25.4 / Double(ratio) } ?? 1
    var figure = Figure()
    figure.title = title
    (figure.hasLegend, figure.hasScaleBar, figure.hasAttribution) = (legend, scaleBar, attribution)
    figure.margin = margin
    return FigureRequest(
      try area(definition),
      size: size.map { (Int(($0.width * scale).rounded()), Int(($0.height * scale).rounded())) },
      ratio: ratio, figure: figure)
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
    let check = { (name: String) throws(PipelineError) in _ = try FigureFormat(ofFile: name) }
    try picture.run(file, checking: check) { definition, options, session throws(PipelineError) in
      let format = try picture.output.map { name throws(PipelineError) in
        try FigureFormat(ofFile: name)
      }
      let drawn = try PipelineRunner.figure(
        try request(definition), definition, options: options,
        cancellation: session.cancellation, progress: session.progress, note: session.note)
      return try (format ?? .png).bytes(
        of: drawn, dotsPerInch: density.dotsPerInch, title: title)
    }
  }
}
