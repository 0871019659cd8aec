package import Expressions
package import Features

extension PropertySpecification {
  /// The specification of `heatmap-color`: an expression that reads only `heatmap-density`.
  package static var heatmapColor: PropertySpecification {
    PropertySpecification(
      type: .color, default: heatmapRamp, isDataDriven: false, parameters: .heatmapDensity)
  }

  /// The default in the style specification: a ramp from transparent blue to red.
  package static var heatmapRamp: PropertyValue {
    let stops: [(density: Double, color: String)] = [
      (0, "rgba(0, 0, 255, 0)"), (0.1, "royalblue"), (0.3, "cyan"), (0.5, "lime"),
      (0.7, "yellow"), (1, "red"),
    ]
    return .array(
      [
        .string("interpolate"), .array([.string("linear")]), .array([.string("heatmap-density")]),
      ] + stops.flatMap { [.number($0.density), .string($0.color)] })
  }
}
