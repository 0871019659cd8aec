package import Features

/// The parts of the style specification on a paint or layout property that typing needs.
package struct PropertySpecification: Sendable {
  /// The inputs, apart from the feature, that an expression for the property may read.
  package struct Parameters: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let zoom = Parameters(rawValue: 1)
    package static let heatmapDensity = Parameters(rawValue: 2)
    package static let lineProgress = Parameters(rawValue: 4)
    package static let accumulated = Parameters(rawValue: 8)
  }

  /// The type of the property's value; `nil` for any.
  package var type: ExpressionType?
  /// The words that an enumerated property accepts; `nil` for all other properties.
  package var allowedValues: [String]?
  /// The substitute for a missing value and after an error during evaluation.
  package var `default`: PropertyValue?
  /// The smallest constant number, inclusive.
  package var minimum: Double?
  /// The largest constant number, inclusive.
  package var maximum: Double?
  /// Whether an expression may read the feature.
  package var isDataDriven: Bool
  /// Whether `interpolate` on the zoom is allowed.
  package var isInterpolated: Bool
  package var parameters: Parameters
  /// Whether `{name}` in a constant or a zoom function stands for a property of the feature.
  package var hasTokens: Bool
  /// Whether the value is the slices of a chart, each with expressions of its own.
  package var listsSlices = false

  package init(
    type: ExpressionType?, allowedValues: [String]? = nil, default: PropertyValue? = nil,
    minimum: Double? = nil, maximum: Double? = nil, isDataDriven: Bool = true,
    isInterpolated: Bool = true, parameters: Parameters = .zoom, hasTokens: Bool = false
  ) {
    self.type = type
    self.allowedValues = allowedValues
    self.default = `default`
    self.minimum = minimum
    self.maximum = maximum
    self.isDataDriven = isDataDriven
    self.isInterpolated = isInterpolated
    self.parameters = parameters
    self.hasTokens = hasTokens
  }

  /// Creates a property that accepts one of several words.
  package init(
    allowedValues: [String], default: PropertyValue? = nil, isDataDriven: Bool = true,
    parameters: Parameters = .zoom
  ) {
    self.init(
      type: .string, allowedValues: allowedValues, default: `default`, isDataDriven: isDataDriven,
      isInterpolated: false, parameters: parameters)
  }

  /// Whether values of other types are converted to text rather than rejected.
  var coercesToString: Bool { type == .string && allowedValues == nil }
}
