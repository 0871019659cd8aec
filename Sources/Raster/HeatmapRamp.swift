/// The colours of a heatmap layer by density, including the layer's opacity.
package struct HeatmapRamp: Hashable, Sendable {
  /// Number of colours of a ramp: 16 per step of 1/255, so that a slow fade shows no bands.
  /// MapLibre has 256 and interpolates between them.
  package static let count = 16 * 255 + 1

  /// The premultiplied colours of the densities 0, 1/4080 … 1.
  package let colors: [PremultipliedColor]

  /// - Parameter color: returns the colour of a density of 0 … 1.
  package init(_ color: (Double) throws -> PremultipliedColor) rethrows {
    colors = try (0..<Self.count).map { try color(Double($0) / Double(Self.count - 1)) }
  }

  /// The index of the first colour that is not transparent; `nil` if all are.
  package var firstVisible: Int? {
    colors.firstIndex { $0 != .transparent }
  }

  /// Whether every density above a visible one is visible, too.
  package var staysVisible: Bool {
    colors.drop { $0 == .transparent }.allSatisfy { $0 != .transparent }
  }
}
