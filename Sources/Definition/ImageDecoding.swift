import Expressions
import Overlays
import Raster
import Runs

/// Decodes the keys of images; refuses contradictory values.
extension SourceDecoder {
  /// - Parameter frames: the list of frames that may contain their position; `nil` for one image.
  func image(
    _ keyed: KeyedNode, of frames: SeriesDefinition.Frames? = nil
  ) throws(PipelineError) -> ImageDefinition {
    var image = ImageDefinition(table: keyed.text("table"))
    var positions: [ImagePosition] = []
    if let corners = Self.corners(keyed) { positions.append(corners) }
    if let box = keyed.bounds("bounds") {
      positions.append(.box(box, bearing: try keyed.value("bearing")))
    }
    if let node = keyed.node["worldFile"] {
      positions.append(.worldFile(try paths.localFile(node, "world files")))
    }
    image.position = positions.first
    // A single image may have a world file beside it, and a list of frames may contain a box.
    guard positions.count == 1 || (positions.isEmpty && frames?.mayHoldBounds != false) else {
      throw keyed.fault(
        "bounds",
        frames != nil
          ? "an image series needs either 'coordinates' or 'bounds', and not both."
          : "an image has one of 'coordinates', 'bounds' and 'worldFile', and not two of them.")
    }
    if keyed.node["bounds"] == nil, keyed.node["bearing"] != nil {
      throw keyed.fault(
        "bearing", "'bearing' turns 'bounds'; corners and world files say it themselves.")
    }
    image.projection = try keyed.value("projection")
    image.resampling = keyed.choice("resampling", as: ResamplingKernel.self)
    image.nodata = try nodata(keyed)
    image.colorRamp = try colorRamp(keyed)
    image.zoom = keyed.integer("zoom")
    if frames == nil { image.selection = try selection(keyed, image) }
    return image
  }

  private static func corners(_ keyed: KeyedNode) -> ImagePosition? {
    guard let corners = keyed.node["coordinates"]?.items?.compactMap(\.position),
      corners.count == 4
    else { return nil }
    return .corners(
      topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
  }

  /// Decodes a colour or a sample, or a list of them.
  func nodata(_ keyed: KeyedNode) throws(PipelineError) -> [NoData] {
    guard let node = keyed.node["nodata"] else { return [] }
    var values: [NoData] = []
    for item in node.items ?? [node] {
      if let value = item.integer {
        values.append(.value(value))
        continue
      }
      if let number = item.number {
        values.append(.number(number))
        continue
      }
      let color = try Self.color(item, of: "nodata")
      func channel(_ value: Double) -> UInt8 { UInt8((min(max(value, 0), 1) * 255).rounded()) }
      values.append(
        .color(
          red: channel(color.red), green: channel(color.green), blue: channel(color.blue)))
    }
    return values
  }

  /// Decodes `[[value, colour], …]`, or that under `stops` with `blending`.
  private func colorRamp(_ keyed: KeyedNode) throws(PipelineError) -> ColorRamp? {
    guard let node = keyed.node["colorRamp"] else { return nil }
    let isList = node.items != nil
    var stops: [ColorRamp.Stop] = []
    for item in (isList ? node : node["stops"])?.items ?? [] {
      guard let pair = item.items, pair.count == 2, let value = pair[0].number else {
        throw item.place.fault(
          "a stop of 'colorRamp' is [value, colour], such as [20, \"#3060c0\"].")
      }
      stops.append(ColorRamp.Stop(value: value, color: try Self.color(pair[1], of: "colorRamp")))
    }
    let blending = node["blending"]?.text == "step" ? ColorRamp.Blending.step : .linear
    do {
      return try ColorRamp(stops: stops, blending: blending)
    } catch {
      throw keyed.fault("colorRamp", (error as? OverlayError)?.message ?? "\(error)")
    }
  }

  static func color(_ node: DocumentNode, of key: String) throws(PipelineError) -> Color {
    guard let color = node.text.flatMap({ CSSColor.parse($0) }) else {
      throw node.place.fault(
        "'\(key)' needs a CSS colour, but this is \(node.words); "
          + "\(ColorAdvice.remedy(for: node.propertyValue)).")
    }
    return color
  }
}
