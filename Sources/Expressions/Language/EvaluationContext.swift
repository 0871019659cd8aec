package import Features

/// The inputs of an evaluation: a zoom, a feature, and the special inputs of a few properties.
package struct EvaluationContext {
  package var zoom: Double
  /// The feature, bound to the expression's `propertyNames`; `nil` for expressions without one.
  package var feature: (any PropertySource)?
  /// The value reduced so far, for the second expression of `clusterProperties`.
  package var accumulated: ExpressionValue
  /// The density, 0 … 1, for `heatmap-color`.
  package var heatmapDensity: Double
  /// The progress along the line, 0 … 1, for `line-gradient`.
  package var lineProgress: Double
  /// Whether a text can be drawn; `nil` for all.
  package var isSupportedScript: (@Sendable (String) -> Bool)?
  /// Whether there is an image of a name; `nil` without images.
  package var isImage: (@Sendable (String) -> Bool)?
  /// The number of steps across the world to which `within` and `distance` first round positions,
  /// as MapLibre rounds to the 8,192 steps of a tile; `nil` for exact positions.
  package var positionSteps: Double?

  package init(
    zoom: Double, feature: (any PropertySource)? = nil, accumulated: ExpressionValue = .null,
    heatmapDensity: Double = 0, lineProgress: Double = 0,
    isSupportedScript: (@Sendable (String) -> Bool)? = nil,
    isImage: (@Sendable (String) -> Bool)? = nil, positionSteps: Double? = nil
  ) {
    self.zoom = zoom
    self.feature = feature
    self.accumulated = accumulated
    self.heatmapDensity = heatmapDensity
    self.lineProgress = lineProgress
    self.isSupportedScript = isSupportedScript
    self.isImage = isImage
    self.positionSteps = positionSteps
  }
}
