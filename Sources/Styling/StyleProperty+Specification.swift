import Expressions
import Features

extension PropertySpecification {
  /// Returns the specification of a colour with a CSS default.
  static func color(_ css: String, isDataDriven: Bool = true) -> PropertySpecification {
    PropertySpecification(type: .color, default: .string(css), isDataDriven: isDataDriven)
  }

  /// Returns the specification of a number with its default and the range of constants.
  static func number(
    _ fallback: Double?, in range: ClosedRange<Double>? = nil, isDataDriven: Bool = true
  ) -> PropertySpecification {
    PropertySpecification(
      type: .number, default: fallback.map { .number($0) }, minimum: range?.lowerBound,
      maximum: range?.upperBound, isDataDriven: isDataDriven)
  }

  /// Returns the specification of a number without an upper limit.
  static func number(
    _ fallback: Double?, in range: PartialRangeFrom<Double>, isDataDriven: Bool = true
  ) -> PropertySpecification {
    PropertySpecification(
      type: .number, default: fallback.map { .number($0) }, minimum: range.lowerBound,
      isDataDriven: isDataDriven)
  }

  /// Returns the specification of two numbers, eastward and southward.
  static func offset(isDataDriven: Bool = true) -> PropertySpecification {
    PropertySpecification(
      type: .array(of: .number, count: 2), default: .array([.number(0), .number(0)]),
      isDataDriven: isDataDriven)
  }

  /// Returns the specification of a word from a list.
  static func enumeration(_ fallback: String?, _ words: [String], isDataDriven: Bool = true)
    -> PropertySpecification
  {
    PropertySpecification(
      allowedValues: words, default: fallback.map { .string($0) }, isDataDriven: isDataDriven)
  }

  /// Returns the specification of an image's name.
  ///
  /// - Parameter hasTokens: whether `{name}` in a constant is replaced by a property.
  static func image(isDataDriven: Bool = true, hasTokens: Bool = false) -> PropertySpecification {
    PropertySpecification(
      type: .resolvedImage, isDataDriven: isDataDriven, isInterpolated: false, hasTokens: hasTokens)
  }

  /// Returns the specification of lengths around a box, as in CSS.
  static func padding(_ fallback: Double) -> PropertySpecification {
    PropertySpecification(type: .padding, default: .array([.number(fallback)]))
  }

  /// The specification of lengths at the top, right, bottom and left.
  static var sides: PropertySpecification {
    PropertySpecification(
      type: .array(of: .number, count: 4),
      default: .array([.number(0), .number(0), .number(0), .number(0)]), isDataDriven: false)
  }

  /// The specification of `line-gradient`: an expression that reads only `line-progress`.
  static var lineGradient: PropertySpecification {
    PropertySpecification(type: .color, isDataDriven: false, parameters: .lineProgress)
  }

  /// The specification of a list of words; ``StyleProperty/listedWords`` contains the allowed ones.
  static var words: PropertySpecification {
    PropertySpecification(
      type: .array(of: .string, count: nil), isDataDriven: false, isInterpolated: false)
  }

  /// The specification of anchors, each with an offset in ems.
  static var anchorOffsets: PropertySpecification {
    PropertySpecification(type: .variableAnchorOffsetCollection)
  }

  /// Returns the specification of an alignment with the map or the viewport when the map is turned
  /// or pitched.
  static func orientation(_ fallback: String) -> PropertySpecification {
    PropertySpecification(
      allowedValues: ["map", "viewport"], default: .string(fallback), isDataDriven: false)
  }

  /// The specification of the slices of a chart: expressions for the value and colour of each.
  static var slices: PropertySpecification {
    var slices = PropertySpecification(
      type: .array(of: .value, count: nil), isInterpolated: false, parameters: [])
    slices.listsSlices = true
    return slices
  }

  /// Returns the specification of a boolean.
  static func flag(_ fallback: Bool) -> PropertySpecification {
    PropertySpecification(
      type: .boolean, default: .bool(fallback), isDataDriven: false, isInterpolated: false)
  }

  /// The specification of a text in which `{name}` is replaced by a property.
  static var formatted: PropertySpecification {
    PropertySpecification(
      type: .formatted, default: .string(""), isInterpolated: false, hasTokens: true)
  }

  /// The specification of a list of font names.
  static var fonts: PropertySpecification {
    PropertySpecification(
      type: .array(of: .string, count: nil),
      default: .array([.string("Open Sans Regular"), .string("Arial Unicode MS Regular")]),
      isInterpolated: false)
  }
}
