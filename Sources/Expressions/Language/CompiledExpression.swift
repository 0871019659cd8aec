package import Features
package import Raster

/// The value of a style property, ready to be evaluated for many features.
///
/// A constant, a legacy function or an expression; all are the same tree of operations once they
/// are compiled. Evaluation neither parses nor looks up names, and may run on any number of
/// threads.
package struct CompiledExpression: Sendable {
  /// The type of the values; that of the property unless the property accepts any.
  package let type: ExpressionType
  /// The properties that the expression reads by name, in order of first appearance.
  ///
  /// The index of a name is the slot by which it is requested from a ``PropertySource``.
  package let propertyNames: [String]
  /// The literals that properties are compared with, at most 64 per property, in the order of the
  /// text.
  ///
  /// They are the points where the expression's value can change.
  package let specimens: [String: [PropertyValue]]

  let root: any Node
  private let fallback: Fallback
  private let allowedValues: Set<String>?
  private let allowedList: [String]

  init(_ root: any Node, _ state: ParserState) {
    self.root = root
    type = root.type
    propertyNames = state.properties.names
    specimens = SampleInputs.collect(from: root)
    fallback = Fallback(state.specification)
    allowedList = state.specification.allowedValues ?? []
    allowedValues = state.specification.allowedValues.map(Set.init)
  }

  /// Whether the expression reads all properties at once, so that any of them can matter.
  package var usesAllProperties: Bool { root.traits.inputs.contains(.allProperties) }
  package var usesID: Bool { root.traits.inputs.contains(.id) }
  /// Whether the expression reads the feature's position.
  package var usesGeometry: Bool { root.traits.inputs.contains(.geometry) }
  /// Whether the expression asks for images by the operator `image`.
  package var usesImages: Bool { root.traits.inputs.contains(.images) }
  /// Whether the value is the same at every zoom.
  package var isZoomConstant: Bool { !root.traits.inputs.contains(.zoom) }
  /// Whether the value is the same for every feature.
  package var isFeatureConstant: Bool { !root.traits.inputs.contains(.feature) }
  /// The value if it is constant.
  package var constant: ExpressionValue? { (root as? Literal)?.value }
}

extension CompiledExpression {
  /// Evaluates the expression; throws the reason if it has no value.
  package func evaluateThrowing(
    _ context: EvaluationContext
  ) throws(EvaluationError) -> ExpressionValue {
    try root.value(context)
  }

  /// Returns the value, or the property's default if there is none.
  package func evaluate(_ context: EvaluationContext) -> ExpressionValue {
    usable(try? root.value(context))
  }

  /// Returns the value, or the property's default if there is none; nil for a number, or a list
  /// with one, that is not finite.
  package func finiteValue(_ context: EvaluationContext) -> ExpressionValue? {
    let value = try? root.value(context)
    if let value, !value.isFinite { return nil }
    return usable(value)
  }

  private func usable(_ value: ExpressionValue?) -> ExpressionValue {
    guard let value else { return fallback.value }
    switch value {
    case .null: return fallback.value
    case .number(let number) where number.isNaN: return fallback.value
    case .string(let string) where !(allowedValues?.contains(string) ?? true):
      return fallback.value
    default: return value
    }
  }

  /// Returns the reason why a feature gets the property's default; `nil` if the expression has a
  /// value.
  package func reasonForDefault(_ context: EvaluationContext) -> String? {
    do {
      switch try root.value(context) {
      case .null: return "The value is null."
      case .number(let number) where !number.isFinite:
        return "The value is \(number.isNaN ? "NaN" : "infinite")."
      case .string(let string) where !(allowedValues?.contains(string) ?? true):
        return "The value is \"\(string)\", but it must be one of "
          + "\(allowedList.joined(separator: ", "))."
      default: return nil
      }
    } catch {
      return error.message
    }
  }

  /// Returns the value of a numeric property; always finite.
  package func number(_ context: EvaluationContext) -> Double {
    guard let number = try? root.number(context), number.isFinite else { return fallback.number }
    return number
  }

  /// Returns the value of a colour property.
  package func color(_ context: EvaluationContext) -> Color {
    (try? root.color(context)) ?? fallback.color
  }

  /// Returns the value of a string or an enumerated property.
  package func string(_ context: EvaluationContext) -> String {
    guard let string = try? root.string(context), allowedValues?.contains(string) ?? true else {
      return fallback.string
    }
    return string
  }

  /// Returns the value of a formatted property such as `text-field`.
  package func formatted(_ context: EvaluationContext) -> FormattedText {
    if case .formatted(let text) = evaluate(context) { return text }
    return FormattedText(fallback.value.text)
  }
}

extension ExpressionValue {
  /// Whether the value, or each number in its list, is neither infinite nor NaN.
  fileprivate var isFinite: Bool {
    switch self {
    case .number(let number): number.isFinite
    case .padding(let numbers), .numberArray(let numbers): numbers.allSatisfy(\.isFinite)
    case .array(let items):
      items.allSatisfy { if case .number(let number) = $0 { number.isFinite } else { true } }
    default: true
    }
  }
}

/// The default of a property in all forms that accessors return.
private struct Fallback: Sendable {
  var value = ExpressionValue.null
  var number = 0.0
  var color = Color.transparent
  var string = ""

  init(_ specification: PropertySpecification) {
    guard let json = specification.default else { return }
    value = ExpressionValue(json)
    switch (specification.type, value) {
    case (.color, .string(let text)):
      color = CSSColor.parse(text) ?? .transparent
      value = .color(color)
    // The default of a heatmap's color is a ramp, not a colour.
    case (.color, _): value = .color(.transparent)
    case (.formatted, _): value = .formatted(FormattedText(value.text))
    case (let type?, _): value = value.converted(to: type) ?? value
    case (nil, _): break
    }
    switch value {
    case .number(let number): self.number = number
    case .string(let string): self.string = string
    default: break
    }
  }
}
