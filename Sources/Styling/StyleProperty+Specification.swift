import Expressions
import Features

extension PropertySpecification {
  /// A colour with a CSS default.
  static func color(_ css: String, isDataDriven: Bool = true) -> PropertySpecification {
    PropertySpecification(type: .color, default: .string(css), isDataDriven: isDataDriven)
  }

  /// A number, its default and the range of constants.
  static func number(
    _ fallback: Double?, in range: ClosedRange<Double>? = nil, isDataDriven: Bool = true
  ) -> PropertySpecification {
    PropertySpecification(
      type: .number, default: fallback.map { .number($0) }, minimum: range?.lowerBound,
      maximum: range?.upperBound, isDataDriven: isDataDriven)
  }

  /// A number without an upper limit.
  static func number(
    _ fallback: Double?, in range: PartialRangeFrom<Double>, isDataDriven: Bool = true
  ) -> PropertySpecification {
    PropertySpecification(
      type: .number, default: fallback.map { .number($0) }, minimum: range.lowerBound,
      isDataDriven: isDataDriven)
  }

  /// Two numbers, eastward and southward.
  static func offset(isDataDriven: Bool = true) -> PropertySpecification {
    PropertySpecification(
      type: .array(of: .number, count: 2), default: .array([.number(0), .number(0)]),
      isDataDriven: isDataDriven)
  }

  /// One of some words.
  static func enumeration(_ fallback: String?, _ words: [String], isDataDriven: Bool = true)
    -> PropertySpecification
  {
    PropertySpecification(
      allowedValues: words, default: fallback.map { .string($0) }, isDataDriven: isDataDriven)
  }

  /// A list of words, of which ``StyleProperty/listedWords`` says the allowed ones.
  static var words: PropertySpecification {
    PropertySpecification(
      type: .array(of: .string, count: nil), isDataDriven: false, isInterpolated: false)
  }

  /// Anchors, each with an offset in ems.
  static var anchorOffsets: PropertySpecification {
    PropertySpecification(type: .variableAnchorOffsetCollection)
  }

  /// Whether something follows the map or the viewport when the map is turned or pitched.
  static func orientation(_ fallback: String) -> PropertySpecification {
    PropertySpecification(
      allowedValues: ["map", "viewport"], default: .string(fallback), isDataDriven: false)
  }

  /// True or false.
  static func flag(_ fallback: Bool) -> PropertySpecification {
    PropertySpecification(
      type: .boolean, default: .bool(fallback), isDataDriven: false, isInterpolated: false)
  }

  /// A text, `{name}` standing for a property.
  static var formatted: PropertySpecification {
    PropertySpecification(
      type: .formatted, default: .string(""), isInterpolated: false, hasTokens: true)
  }

  /// A list of font names.
  static var fonts: PropertySpecification {
    PropertySpecification(
      type: .array(of: .string, count: nil),
      default: .array([.string("Open Sans Regular"), .string("Arial Unicode MS Regular")]),
      isInterpolated: false)
  }
}
