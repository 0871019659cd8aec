import Failures
import Features
import JSON
import OrderedCollections

/// The advice on a part of an expression that is refused. MapLibre's messages, which errors keep, say
/// what was found and seldom what to write.
enum ExpressionAdvice {
  /// Returns what to write instead; `nil` where the message says it, or it is not known.
  ///
  /// - Parameter json: the expression in which the error is.
  static func remedy(for error: ExpressionError, in json: PropertyValue) -> String? {
    var way = [json]
    for step in error.key {
      guard let next = way.last?.part(at: step) else { return nil }
      way.append(next)
    }
    let (part, parent) = (way.last ?? json, way.dropLast().last)
    if error.message.lowercased().contains("color"), case .string = part {
      return ColorAdvice.remedy(for: part)
    }
    if error.message == "data expressions not supported" {
      return "this property is the same for all features of the layer: leave out what reads them"
    }
    if error.message == "zoom expressions not supported" {
      return "this property is the same at every zoom: leave out 'zoom'"
    }
    if case .array(let items) = part { return remedy(for: items, error.message) }
    guard case .array(let items)? = parent, error.key.last == .index(0) else { return nil }
    if case .array(let curve)? = way.dropLast(2).last, error.key.dropLast().last == .index(1),
      curve.first?.string?.hasPrefix("interpolate") == true
    {
      return "write how to interpolate before the input: \(usage["interpolate"] ?? "")"
    }
    return part.string.map { remedy(forOperator: $0, in: items) } ?? colors(items)
  }

  /// Returns the advice on an operator with wrong arguments.
  private static func remedy(for items: [PropertyValue], _ message: String) -> String? {
    guard let name = items.first?.string else { return nil }
    if message.hasPrefix("Expected an interpolation type") {
      return "write how to interpolate before the input: \(usage["interpolate"] ?? "")"
    }
    guard message.contains("argument") || message.contains("arity") else { return nil }
    let form = usage[name].map { "write \($0)" }
    let lacksRest: Bool =
      switch name {
      case "match": items.count >= 4 && items.count.isMultiple(of: 2)
      case "case": items.count >= 3 && !items.count.isMultiple(of: 2)
      default: false
      }
    guard lacksRest else { return form }
    let last = items.last.map { JSONWriter.text($0) } ?? ""
    let shown = last.count > 40 ? "…" : last
    return "it lacks the value for everything else, at its end: [\"\(name)\", …, \(shown), other]"
  }

  /// Returns the advice on a list that begins with a text that is no operator.
  private static func remedy(forOperator name: String, in items: [PropertyValue]) -> String? {
    guard Operators.table[name] == nil else { return nil }
    if items.count == 3, let sign = items[1].string, usage[sign] != nil || synonyms[sign] != nil {
      let sign = synonyms[sign] ?? sign
      let value = JSONWriter.text(items[2])
      return "the operator comes first: [\"\(sign)\", [\"get\", \(JSONWriter.text(items[0]))], "
        + "\(value.count > 40 ? "…" : value)]"
    }
    if let meant = synonyms[name.lowercased()] {
      return "write \(usage[meant] ?? "[\"\(meant)\", …]")"
    }
    return NameSuggestion.nearest(to: name, among: Operators.table.keys.sorted()).map {
      "did you mean \"\($0)\"?"
    }
  }

  private static func colors(_ items: [PropertyValue]) -> String? {
    let remedy = ColorAdvice.remedy(for: .array(items))
    return remedy.hasPrefix("write") ? "for a colour, \(remedy)" : nil
  }

  /// The operators that are often written with wrong arguments, as they are written.
  private static let usage: [String: String] = {
    var usage = [
      "match": "[\"match\", input, label, value, …, value for everything else]",
      "case": "[\"case\", condition, value, …, value for everything else]",
      "step": "[\"step\", input, value, limit, value from there on, …]",
      "interpolate": "[\"interpolate\", [\"linear\"], input, stop, value, stop, value, …]",
      "coalesce": "[\"coalesce\", value, …]", "let": "[\"let\", name, value, …, result]",
      "var": "[\"var\", name]", "get": "[\"get\", \"name\"]", "has": "[\"has\", \"name\"]",
      "at": "[\"at\", index, list]", "in": "[\"in\", value, [\"literal\", [value, …]]]",
      "index-of": "[\"index-of\", value, list]", "slice": "[\"slice\", text, start, end]",
      "length": "[\"length\", text or list]", "literal": "[\"literal\", [value, …]]",
      "!": "[\"!\", condition]", "all": "[\"all\", condition, …]",
      "any": "[\"any\", condition, …]", "concat": "[\"concat\", value, …]",
      "zoom": "[\"zoom\"]", "id": "[\"id\"]", "geometry-type": "[\"geometry-type\"]",
      "to-string": "[\"to-string\", value]", "to-number": "[\"to-number\", value]",
      "upcase": "[\"upcase\", text]", "downcase": "[\"downcase\", text]",
      "rgb": "[\"rgb\", red, green, blue]", "rgba": "[\"rgba\", red, green, blue, alpha]",
      "format": "[\"format\", text, {}, …]", "image": "[\"image\", name]",
    ]
    for sign in ["==", "!=", "<", "<=", ">", ">=", "-", "/", "%", "^"] {
      usage[sign] = "[\"\(sign)\", a, b]"
    }
    for sign in ["+", "*", "min", "max"] { usage[sign] = "[\"\(sign)\", a, b, …]" }
    return usage
  }()

  /// What other languages call an operator.
  private static let synonyms = [
    "if": "case", "when": "case", "ternary": "case", "cond": "case", "switch": "match",
    "map": "match", "choose": "match", "and": "all", "&&": "all", "or": "any", "||": "any",
    "not": "!", "=": "==", "===": "==", "eq": "==", "equals": "==", "<>": "!=", "!==": "!=",
    "ne": "!=", "neq": "!=", "gt": ">", "gte": ">=", "ge": ">=", "=>": ">=", "lt": "<",
    "lte": "<=", "le": "<=", "=<": "<=", "property": "get", "prop": "get", "field": "get",
    "attribute": "get", "exists": "has", "linear": "interpolate", "exponential": "interpolate",
    "ramp": "interpolate", "lerp": "interpolate", "interval": "step", "steps": "step",
    "contains": "in", "indexof": "index-of", "substring": "slice", "substr": "slice",
    "len": "length", "count": "length", "string": "to-string", "str": "to-string",
    "float": "to-number", "int": "to-number", "integer": "to-number", "upper": "upcase",
    "uppercase": "upcase", "lower": "downcase", "lowercase": "downcase", "add": "+", "sum": "+",
    "sub": "-", "mul": "*", "times": "*", "multiply": "*", "div": "/", "divide": "/",
    "pow": "^", "power": "^", "**": "^", "mod": "%", "default": "coalesce", "ifnull": "coalesce",
    "nvl": "coalesce", "??": "coalesce", "type": "geometry-type", "join": "concat",
    "list": "literal", "array-of": "literal", "icon": "image",
  ]
}

extension PropertyValue {
  /// The text of a string; `nil` for anything else.
  fileprivate var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// Returns the item or member of this name.
  fileprivate func part(at step: KeyStep) -> PropertyValue? {
    switch (self, step) {
    case (.array(let items), .index(let index)) where items.indices.contains(index): items[index]
    case (.object(let members), .member(let name)): members[name]
    default: nil
    }
  }
}

extension ExpressionErrors {
  /// Returns the errors with what to write instead, where it is known.
  func advised(in json: PropertyValue) -> ExpressionErrors {
    ExpressionErrors(
      errors.map { error in
        var error = error
        error.remedy = error.remedy ?? ExpressionAdvice.remedy(for: error, in: json)
        return error
      })
  }
}
