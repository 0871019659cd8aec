import Features
import Ingest
import OrderedCollections

/// The advice on a value that its key does not take: what to write instead.
struct ValueAdvice {
  let key: String
  let value: ValueSpecification

  /// Returns a sentence with the value that was probably meant, otherwise with an example; `nil`
  /// where the valid values are all listed.
  func sentence(for node: DocumentNode) -> String? {
    // A condition has advice of its own: quotes around a value would not make it one.
    if key == "where" {
      return "Write a condition as in 'where: floors > 3'; without one all records are used."
    }
    // The value of a variable may be secret, and is not shown in another spelling.
    if !node.holdsVariable {
      for meant in Self.meant(by: node) + wrapped(node) where KeyCheck.takes(meant, value) {
        return "Write '\(line(FlowYAML.text(meant.propertyValue)))'."
      }
    }
    if case .choice = value { return nil }
    if case .numberChoice = value { return nil }
    return Self.example(of: value).map { "Write it as in '\(line($0))'." }
  }

  /// Returns a value after its key; alone for an item of a list, which has none.
  private func line(_ text: String) -> String {
    let short = text.count > 120 ? String(text.prefix(119)) + "…" : text
    return key.contains("[") ? short : "\(FlowYAML.key(key)): \(short)"
  }

  // MARK: What was meant

  /// Returns the values that a value may stand for, the likeliest first.
  private static func meant(by node: DocumentNode) -> [DocumentNode] {
    func made(_ value: DocumentNode.Value) -> DocumentNode { DocumentNode(value, at: node.place) }
    switch node.value {
    case .string(let text):
      let items = text.split { ", ;".contains($0) }.map(String.init)
      let numbers = items.compactMap { number(in: $0) }
      return [
        boolean(in: text).map { made(.bool($0)) }, number(in: text).map { made(.number($0)) },
      ]
      .compactMap(\.self)
        + (numbers.count > 1 && numbers.count == items.count
          ? [made(.array(numbers.map { made(.number($0)) }))] : [])
        + (text.contains(",")
          ? [
            made(
              .array(
                text.split(separator: ",").map { made(.string(String($0.drop { $0 == " " }))) }))
          ] : [])
    case .number(let number):
      let rounded = number.rounded()
      return (number == 0 || number == 1 ? [made(.bool(number == 1))] : [])
        + (rounded == number ? [] : [made(.number(rounded))])
        + [made(.string(DocumentNode.words(of: number)))]
    case .whole(let whole): return [made(.string(whole.text))]
    case .bool(let bool): return [made(.string("\(bool)"))]
    case .array(let items): return items.count == 1 ? items : []
    case .null, .object: return []
    }
  }

  /// Returns the truth value that YAML 1.1 and people mean by a text.
  private static func boolean(in text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "y", "on", "true", "1", "enabled": true
    case "no", "n", "off", "false", "0", "none", "disabled": false
    default: nil
    }
  }

  /// Returns the number of a text such as `"5"`, `12px`, `z5` or `0,5`.
  private static func number(in text: String) -> Double? {
    guard let match = text.wholeMatch(of: /\s*[zZ]?([+-]?[0-9]*[.,]?[0-9]+)\s*[A-Za-z°%]{0,3}\s*/)
    else { return nil }
    return Double(match.1.replacing(",", with: "."))
  }

  /// Returns the value as the only item of a list, and under the key of an object that it is for.
  private func wrapped(_ node: DocumentNode) -> [DocumentNode] {
    switch value {
    case .list:
      return node.items == nil ? [DocumentNode(.array([node]), at: node.place)] : []
    case .object(let object):
      return ([node] + Self.meant(by: node)).flatMap { node in
        Self.mainKeys(of: object).map { name in
          DocumentNode(
            .object([DocumentMember(key: name, keyPlace: node.place, node: node)]), at: node.place)
        }
      }
    case .oneOf(let choices):
      return choices.flatMap { ValueAdvice(key: key, value: $0).wrapped(node) }
    default: return []
    }
  }

  /// Returns the keys whose value stands for the whole object.
  private static func mainKeys(of object: ObjectSpecification) -> [String] {
    let known = [
      "output": ["path"], "tiles": ["maxzoom"], "view": ["center", "zoom"], "onError": ["max"],
      "line": ["by"], "interactivity": ["format", "fields"], "a state": ["default"],
      "features": ["min"], "changedTiles": ["max"],
    ]
    return known[object.title] ?? object.keys.filter(\.isRequired).map(\.name)
  }

  // MARK: Examples

  /// Returns an example of the values; `nil` where any value is valid.
  private static func example(of value: ValueSpecification) -> String? {
    switch value {
    case .anything: nil
    case .string: "text"
    case .boolean: "true"
    case .integer(let range): "\(range.contains(10) ? 10 : range.lowerBound)"
    case .number(let range):
      DocumentNode.words(of: range.contains(1) ? 1 : range.lowerBound)
    case .percentage: "20%"
    case .choice(let choices): choices.first
    case .numberChoice(let choices): choices.first.map { "\($0)" }
    case .list(let item, let count): example(of: item, count)
    case .object(let object):
      "{" + members(of: object).joined(separator: ", ") + "}"
    case .typed(let types): types.example
    case .map(let item): "{name: \(example(of: item) ?? "value")}"
    case .zoomMap(let item): "{0: \(example(of: item) ?? "1")}"
    case .oneOf(let choices): choices.lazy.compactMap { example(of: $0) }.first
    }
  }

  private static func example(of item: ValueSpecification, _ count: ClosedRange<Int>) -> String {
    if case .number(-360...360) = item {
      return count == 2...2 ? "[8.5, 47.4]" : "[5.9, 45.8, 10.5, 47.8]"
    }
    let one = example(of: item) ?? "value"
    return "[" + repeatElement(one, count: min(max(count.lowerBound, 1), 4)).joined(separator: ", ")
      + "]"
  }

  private static func members(of object: ObjectSpecification) -> [String] {
    let main = mainKeys(of: object)
    let keys = object.keys.filter { $0.isRequired || $0.name == main.first }
    return (keys.isEmpty ? Array(object.keys.prefix(1)) : keys).compactMap { key in
      example(of: key.value).map { "\(key.name): \($0)" }
    }
  }
}

extension DocumentNode {
  /// Whether a variable was replaced in the value or in a part of it.
  fileprivate var holdsVariable: Bool {
    isSubstituted || (items ?? []).contains { $0.holdsVariable }
      || (members ?? []).contains { $0.node.holdsVariable }
  }
}
