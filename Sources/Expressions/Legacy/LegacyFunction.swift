import Features
import OrderedCollections

/// A function with `stops` or `property` from before expressions, as an expression.
struct LegacyFunction {
  typealias Members = OrderedDictionary<String, PropertyValue>
  private typealias Stop = (input: PropertyValue, output: PropertyValue)

  /// The placeholder if a function has no fallback; it leads to the error for a missing operand.
  static let absent = "\u{0}absent"

  private let members: Members
  private let specification: PropertySpecification

  init(_ members: Members, _ specification: PropertySpecification) {
    self.members = members
    self.specification = specification
  }

  /// Returns the expression that yields the function's values.
  func convert() throws(ExpressionError) -> PropertyValue {
    guard members["stops"] != nil else { return try identity() }
    let stops = try stops()
    if case .object? = stops.first?.input { return try zoomAndProperty(stops) }
    let fitted = stops.map { stop -> Stop in
      if members["property"] == nil, specification.hasTokens, case .string(let text) = stop.output {
        return (stop.input, LegacyTokens.expression(for: text) ?? stop.output)
      }
      return (stop.input, Self.literal(stop.output))
    }
    return try members["property"] == nil ? zoom(fitted) : property(fitted)
  }

  private func stops() throws(ExpressionError) -> [Stop] {
    guard case .array(let items)? = members["stops"] else {
      throw error("stops must be a list of pairs", at: "stops")
    }
    guard !items.isEmpty else { throw error("stops must have at least one stop", at: "stops") }
    var stops: [Stop] = []
    for item in items {
      guard case .array(let pair) = item, pair.count == 2 else {
        throw error("stops must be a list of pairs", at: "stops")
      }
      stops.append((pair[0], pair[1]))
    }
    return stops
  }

  private func error(_ message: String, at member: String) -> ExpressionError {
    ExpressionError(key: [.member(member)], keyString: "", message: message)
  }

  private static func literal(_ value: PropertyValue) -> PropertyValue {
    switch value {
    case .array, .object: .array([.string("literal"), value])
    default: value
    }
  }

  private func get() throws(ExpressionError) -> PropertyValue {
    guard case .string(let name)? = members["property"] else {
      throw error("function must have a property name or stops", at: "property")
    }
    return .array([.string("get"), .string(name)])
  }

  private func kind(_ declared: PropertyValue?) throws(ExpressionError) -> String {
    guard let declared else { return specification.isInterpolated ? "exponential" : "interval" }
    guard case .string(let name) = declared,
      ["exponential", "interval", "categorical", "identity"].contains(name)
    else {
      throw error(
        "Unknown function type; the types are exponential, interval, categorical and identity",
        at: "type")
    }
    return name
  }

  private var interpolation: String {
    switch members["colorSpace"] {
    case .string("hcl"): "interpolate-hcl"
    case .string("lab"): "interpolate-lab"
    default: "interpolate"
    }
  }

  private func identity() throws(ExpressionError) -> PropertyValue {
    let get = try get()
    guard let fallback = members["default"] else {
      return specification.coercesToString ? .array([.string("string"), get]) : get
    }
    if let words = specification.allowedValues {
      return .array([
        .string("match"), get, .array(words.map(PropertyValue.string)), get, fallback,
      ])
    }
    switch specification.type {
    case .color: return .array([.string("to-color"), get, Self.literal(fallback)])
    case .array(let item, let count):
      let length = count.map { PropertyValue.number(Double($0)) } ?? .null
      return .array([
        .string("array"), .string(item.name), length, get, Self.literal(fallback),
      ])
    case let type?: return .array([.string(type.name), get, Self.literal(fallback)])
    case nil: return .array([.string("coalesce"), get, Self.literal(fallback)])
    }
  }
}

extension LegacyFunction {
  private func zoom(_ stops: [Stop]) throws(ExpressionError) -> PropertyValue {
    let zoom = PropertyValue.array([.string("zoom")])
    try requireNumbers(stops)
    switch try kind(members["type"]) {
    case "interval": return Self.step(zoom, stops)
    case "exponential": return curve(zoom, stops)
    default:
      throw error("a function of the zoom must be exponential or interval", at: "type")
    }
  }

  private func property(_ stops: [Stop]) throws(ExpressionError) -> PropertyValue {
    let get = try get()
    let number = PropertyValue.array([.string("number"), get])
    let kind = try kind(members["type"])
    if kind != "categorical" { try requireNumbers(stops) }
    switch kind {
    case "categorical": return categorical(get, stops)
    case "interval": return guarded(Self.step(number, stops), get)
    case "exponential": return guarded(curve(number, stops), get)
    default: throw error("a function with stops cannot be of type identity", at: "type")
    }
  }

  /// Refuses stops at anything but numbers, in MapLibre's words.
  private func requireNumbers(_ stops: [Stop]) throws(ExpressionError) {
    for (index, stop) in stops.enumerated() {
      if case .number = stop.input { continue }
      let isUntyped = members["property"] != nil && members["type"] == nil
      throw ExpressionError(
        key: [.member("stops"), .index(index), .index(0)], keyString: "",
        message: "number expected, \(stop.input.typeName) found"
          + (isUntyped
            ? ". If you intended to use a categorical function, specify \"type\": \"categorical\""
            : ""))
    }
  }

  private func categorical(_ get: PropertyValue, _ stops: [Stop]) -> PropertyValue {
    // An image without a name is no image.
    let nothing = specification.type == .resolvedImage ? PropertyValue.string("") : nil
    let fallback =
      (members["default"] ?? specification.default ?? nothing).map(Self.literal)
      ?? .array([.string(Self.absent)])
    var items: [PropertyValue]
    if case .bool? = stops.first?.input {
      items = [.string("case")]
      for stop in stops {
        items += [.array([.string("=="), get, stop.input]), stop.output]
      }
    } else {
      items = [.string("match"), get]
      for stop in stops { Self.append(stop, to: &items) }
    }
    return .array(items + [fallback])
  }

  /// Returns a curve over a property, with the function's default where the property is not a
  /// number.
  private func guarded(_ curve: PropertyValue, _ get: PropertyValue) -> PropertyValue {
    guard let fallback = members["default"] else { return curve }
    let isNumber = PropertyValue.array([
      .string("=="), .array([.string("typeof"), get]), .string("number"),
    ])
    return .array([.string("case"), isNumber, curve, Self.literal(fallback)])
  }

  private func curve(_ input: PropertyValue, _ stops: [Stop]) -> PropertyValue {
    let base = members["base"] ?? .number(1)
    let easing: [PropertyValue] =
      base == .number(1) ? [.string("linear")] : [.string("exponential"), base]
    var items: [PropertyValue] = [.string(interpolation), .array(easing), input]
    for stop in stops { Self.append(stop, to: &items) }
    return .array(items)
  }

  private static func step(_ input: PropertyValue, _ stops: [Stop]) -> PropertyValue {
    var items: [PropertyValue] = [.string("step"), input]
    for (index, stop) in stops.enumerated() {
      if index == 0 { items.append(stop.output) } else { append(stop, to: &items) }
    }
    // A single stop is a constant; `step` needs two.
    if items.count == 3 { items += [.number(0), stops[0].output] }
    return .array(items)
  }

  /// Adds a stop unless it repeats the input of the one before.
  private static func append(_ stop: Stop, to items: inout [PropertyValue]) {
    if items.count > 3, items[items.count - 2] == stop.input { return }
    items += [stop.input, stop.output]
  }

  /// Returns a function of a property at each zoom among the stops, and a curve over the zoom.
  private func zoomAndProperty(_ stops: [Stop]) throws(ExpressionError) -> PropertyValue {
    var groups: OrderedDictionary<PropertyValue, [PropertyValue]> = [:]
    for stop in stops {
      guard case .object(let input) = stop.input, let zoom = input["zoom"],
        let value = input["value"]
      else {
        throw error("each stop must have zoom and value", at: "stops")
      }
      groups[zoom, default: []].append(.array([value, stop.output]))
    }
    var outer: [Stop] = []
    for (zoom, group) in groups {
      // MapLibre passes neither base nor colour space on to the functions of the property.
      var inner = members.filter { ["type", "property", "default"].contains($0.key) }
      inner["stops"] = .array(group)
      outer.append((zoom, try LegacyFunction(inner, specification).convert()))
    }
    let zoom = PropertyValue.array([.string("zoom")])
    guard specification.isInterpolated else { return Self.step(zoom, outer) }
    var items: [PropertyValue] = [.string(interpolation), .array([.string("linear")]), zoom]
    for stop in outer { Self.append(stop, to: &items) }
    return .array(items)
  }
}
