import Expressions
import Overlays
import Raster
import Runs

/// Decodes the keys of images; refuses contradictory values.
extension SourceDecoder {
  func image(_ keyed: KeyedNode, isSeries: Bool) throws(PipelineError) -> ImageDefinition {
    let corners = keyed.node["coordinates"]?.items?.map { $0.items?.compactMap(\.number) ?? [] }
    let bounds = keyed.numbers("bounds")
    let worldFile = try keyed.node["worldFile"].map { node throws(PipelineError) in
      try paths.localFile(node, "world files")
    }
    let given = [corners != nil, bounds != nil, worldFile != nil].count { $0 }
    let series = isSeries ? try self.series(keyed) : nil
    // A single image may have a world file beside it, and a list of frames may contain a box.
    guard given == 1 || (given == 0 && series?.mayHoldBounds != false) else {
      throw keyed.fault(
        "bounds",
        isSeries
          ? "an image series needs either 'coordinates' or 'bounds', and not both."
          : "an image has one of 'coordinates', 'bounds' and 'worldFile', and not two of them.")
    }
    if bounds == nil, keyed.node["bearing"] != nil {
      throw keyed.fault(
        "bearing", "'bearing' turns 'bounds'; corners and world files say it themselves.")
    }
    return ImageDefinition(
      coordinates: corners, bounds: bounds, bearing: keyed.number("bearing") ?? 0,
      worldFile: worldFile,
      projection: keyed.choice("projection", as: ImageProjection.self) ?? .mercator,
      resampling: keyed.choice("resampling", as: ResamplingKernel.self),
      nodata: try nodata(keyed), colorRamp: try colorRamp(keyed),
      table: keyed.text("table"), zoom: keyed.integer("zoom"), series: series)
  }

  /// Decodes a colour or a sample, or a list of them.
  private func nodata(_ keyed: KeyedNode) throws(PipelineError) -> [NoData] {
    guard let node = keyed.node["nodata"] else { return [] }
    var values: [NoData] = []
    for item in node.items ?? [node] {
      if let value = item.integer {
        values.append(.value(value))
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
        throw PipelineError(
          .definition, "a stop of 'colorRamp' is [value, colour], such as [20, \"#3060c0\"].",
          at: item.place)
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

  private static func color(_ node: DocumentNode, of key: String) throws(PipelineError) -> Color {
    guard let color = node.text.flatMap({ CSSColor.parse($0) }) else {
      throw PipelineError(
        .definition, "'\(key)' needs a CSS colour such as \"#3060c0\", but this is \(node.words).",
        at: node.place)
    }
    return color
  }
}
