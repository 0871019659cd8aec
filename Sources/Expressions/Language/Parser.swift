import Features

/// The state of a compilation, shared by the parsers of all its parts.
final class ParserState {
  let specification: PropertySpecification
  let globalState: [String: PropertyValue]
  var errors: [ExpressionError] = []
  var properties = PropertyNames()
  /// The number of expressions parsed so far; overloads are tried in turn, so this can exceed the
  /// text's size.
  var steps = 0

  /// Maximum number of steps; the largest style in use has a few thousand in one property.
  static let stepLimit = 50_000
  static let depthLimit = 100

  init(specification: PropertySpecification, globalState: [String: PropertyValue]) {
    self.specification = specification
    self.globalState = globalState
  }
}

/// The properties that an expression reads by name, numbered in order of first appearance.
struct PropertyNames {
  private(set) var names: [String] = []
  private var slots: [String: Int] = [:]

  mutating func slot(_ name: String) -> Int {
    if let slot = slots[name] { return slot }
    slots[name] = names.count
    names.append(name)
    return names.count - 1
  }
}

/// A parser and type checker of one JSON expression at one place.
///
/// It follows MapLibre's rules: an operand of unknown type gets an assertion or a conversion to the
/// expected type, operators on constants are folded, and every error has MapLibre's message and
/// place.
struct Parser {
  let state: ParserState
  /// The path in the JSON as written; `nil` inside parts converted from the legacy forms.
  var path: [KeyStep]?
  /// The place as MapLibre counts it.
  var key: [Int] = []
  var depth = 0
  /// The type that the context demands; `nil` if any is accepted.
  var expected: ExpressionType?
  var variables: [String: any Node] = [:]

  /// The way in which a value of unknown type is fitted to the expected one.
  enum Annotation { case automatic, coerce, omit }

  init(_ state: ParserState, path: [KeyStep]? = [], expected: ExpressionType? = nil) {
    self.state = state
    self.path = path
    self.expected = expected
  }

  /// This place, for errors that occur only with a feature.
  var place: ExpressionPlace { ExpressionPlace(key: key) }

  /// Reports an error here, or at a child.
  func fail(_ message: String, at steps: Int...) {
    report(message, key: key + steps, path: path.map { $0 + steps.map(KeyStep.index) })
  }

  private func report(_ message: String, key: [Int], path: [KeyStep]?) {
    let keyString = ExpressionPlace(key: key).text
    state.errors.append(
      ExpressionError(key: path ?? [], keyString: keyString, message: message))
  }

  /// Returns the parser for an operand at an index of this expression.
  ///
  /// - Parameter reportedAs: the index in MapLibre's errors of the operand, if different.
  func child(
    _ index: Int, expecting type: ExpressionType? = nil, reportedAs: Int? = nil,
    member: String? = nil
  ) -> Parser {
    var child = self
    child.path?.append(.index(index))
    if let member { child.path?.append(.member(member)) }
    child.key.append(reportedAs ?? index)
    child.depth += 1
    child.expected = type
    return child
  }

  /// Parses the operand at an index; returns `nil` after an error.
  func parse(
    _ items: [PropertyValue], _ index: Int, as type: ExpressionType? = nil, reportedAs: Int? = nil,
    annotation: Annotation = .automatic
  ) -> (any Node)? {
    child(index, expecting: type, reportedAs: reportedAs)
      .parse(items[index], annotation: annotation)
  }

  /// Parses an expression at this place; returns `nil` after an error.
  func parse(_ json: PropertyValue, annotation: Annotation = .automatic) -> (any Node)? {
    state.steps += 1
    guard depth <= ParserState.depthLimit, state.steps <= ParserState.stepLimit else {
      // One such error is enough, but it must not be lost among overloads.
      if state.errors.isEmpty {
        fail(
          "Expression is too large: at most \(ParserState.depthLimit) levels and "
            + "\(ParserState.stepLimit) parts are accepted.")
      }
      return nil
    }
    guard let parsed = operation(json), let fitted = fit(parsed, annotation) else { return nil }
    return folded(limited(fitted))
  }

  private func operation(_ json: PropertyValue) -> (any Node)? {
    switch json {
    case .null, .bool, .number, .whole, .string:
      return Literal(json)
    case .object:
      fail("Bare objects invalid. Use [\"literal\", {...}] instead.")
      return nil
    case .array(let items):
      guard let first = items.first else {
        fail(
          "Expected an array with at least one element. If you wanted a literal array, use "
            + "[\"literal\", []].")
        return nil
      }
      guard case .string(let name) = first else {
        fail(
          "Expression name must be a string, but found \(first.scriptTypeName) instead. "
            + "If you wanted a literal array, use [\"literal\", [...]].", at: 0)
        return nil
      }
      guard let parse = Operators.table[name] else {
        fail(
          "Unknown expression \"\(name)\". If you wanted a literal array, use "
            + "[\"literal\", [...]].", at: 0)
        return nil
      }
      return parse(name, items, self)
    }
  }

  /// Wraps the expression so that it has the expected type, or reports why that is impossible.
  private func fit(_ parsed: any Node, _ annotation: Annotation) -> (any Node)? {
    guard let expected else { return parsed }
    let actual = parsed.type
    let isConversion: Bool
    switch (expected, actual) {
    case (.string, .value), (.number, .value), (.boolean, .value), (.object, .value),
      (.array, .value):
      isConversion = false
    case (.projectionDefinition, .string), (.projectionDefinition, .array),
      (.projectionDefinition, .value), (.color, .value), (.color, .string), (.formatted, .value),
      (.formatted, .string), (.resolvedImage, .value), (.resolvedImage, .string),
      (.padding, .value), (.padding, .number), (.padding, .array), (.numberArray, .value),
      (.numberArray, .number), (.numberArray, .array), (.colorArray, .value),
      (.colorArray, .string), (.colorArray, .array), (.variableAnchorOffsetCollection, .value),
      (.variableAnchorOffsetCollection, .array), (.verticalGradient, .value),
      (.verticalGradient, .boolean), (.verticalGradient, .array):
      isConversion = true
    default:
      guard let message = expected.mismatch(actual) else { return parsed }
      fail(message)
      return nil
    }
    switch annotation {
    case .omit: return parsed
    case .automatic where !isConversion: return Assertion([parsed], type: expected, at: place)
    case .automatic, .coerce: return Coercion([parsed], type: expected, at: place)
    }
  }

  /// Rejects expressions that would take too long or nest too deeply when evaluated.
  private func limited(_ node: any Node) -> (any Node)? {
    guard node.traits.cost < Traits.costLimit, node.traits.height <= Traits.heightLimit else {
      fail("Expression is too complex: its variables repeat too much of it.")
      return nil
    }
    return node
  }

  /// Folds a constant node, unless its value is a long text.
  private func folded(_ node: (any Node)?) -> (any Node)? {
    guard let node, !(node is Literal), node.traits.isConstant else { return node }
    do {
      let value = try node.value(EvaluationContext(zoom: 0))
      // A converted constant is no longer than the one that the style has.
      let isConversion = node.children.count == 1 && node.children[0] is Literal
      guard value.byteCount <= TextLimit.foldedBytes || isConversion else { return node }
      return Literal(value, type: node.type)
    } catch {
      fail(error.message)
      return nil
    }
  }
}

extension PropertyValue {
  /// The result of JavaScript's `typeof`, which occurs in MapLibre's messages.
  var scriptTypeName: String {
    switch self {
    case .null, .array, .object: "object"
    case .bool: "boolean"
    case .number, .whole: "number"
    case .string: "string"
    }
  }
}
