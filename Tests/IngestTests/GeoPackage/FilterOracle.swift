import Features
import TestSupport

/// A condition that tests make up, with its CQL2 text and a plain evaluation of its own.
///
/// Truth is `true`, `false`, or `nil` for what cannot be known.
indirect enum FilterOracle {
  enum Literal {
    case number(Double)
    case text(String)
    case bool(Bool)

    var cql: String {
      switch self {
      case .number(let number): "\(number)"
      case .text(let text): "'\(text.replacing("'", with: "''"))'"
      case .bool(let bool): bool ? "TRUE" : "FALSE"
      }
    }

    var value: PropertyValue {
      switch self {
      case .number(let number): .number(number)
      case .text(let text): .string(text)
      case .bool(let bool): .bool(bool)
      }
    }
  }

  case compare(String, String, Literal)
  case compareMirrored(Literal, String, String)
  case properties(String, String, String)
  case between(String, Literal, Literal)
  case within(String, [Literal])
  case like(String, String)
  case isNull(String)
  case itself(String)
  case and([FilterOracle])
  case or([FilterOracle])
  case not(FilterOracle)

  var cql: String {
    switch self {
    case .compare(let name, let sign, let literal): "\(name) \(sign) \(literal.cql)"
    case .compareMirrored(let literal, let sign, let name): "\(literal.cql) \(sign) \(name)"
    case .properties(let left, let sign, let right): "\(left) \(sign) \(right)"
    case .between(let name, let low, let high): "\(name) BETWEEN \(low.cql) AND \(high.cql)"
    case .within(let name, let list): "\(name) IN (\(list.map(\.cql).joined(separator: ", ")))"
    case .like(let name, let pattern): "\(name) LIKE \(Literal.text(pattern).cql)"
    case .isNull(let name): "\(name) IS NULL"
    case .itself(let name): name
    case .and(let parts): "(" + parts.map(\.cql).joined(separator: " AND ") + ")"
    case .or(let parts): "(" + parts.map(\.cql).joined(separator: " OR ") + ")"
    case .not(let part): "NOT (\(part.cql))"
    }
  }

  func truth(_ record: [String: PropertyValue]) -> Bool? {
    switch self {
    case .compare(let name, let sign, let literal):
      return Self.compare(record[name], sign, literal.value)
    case .compareMirrored(let literal, let sign, let name):
      return Self.compare(literal.value, sign, record[name])
    case .properties(let left, let sign, let right):
      return Self.compare(record[left], sign, record[right])
    case .between(let name, let low, let high):
      return Self.all([
        Self.compare(record[name], ">=", low.value), Self.compare(record[name], "<=", high.value),
      ])
    case .within(let name, let list):
      return Self.any(list.map { Self.compare(record[name], "=", $0.value) })
    case .like(let name, let pattern):
      guard case .string(let text)? = record[name] else { return nil }
      return Self.matches(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
    case .isNull(let name): return record[name] == nil || record[name] == .null
    case .itself(let name):
      guard case .bool(let bool)? = record[name] else { return nil }
      return bool
    case .and(let parts): return Self.all(parts.map { $0.truth(record) })
    case .or(let parts): return Self.any(parts.map { $0.truth(record) })
    case .not(let part): return part.truth(record).map { !$0 }
    }
  }

  private static func all(_ truths: [Bool?]) -> Bool? {
    if truths.contains(false) { return false }
    return truths.contains(nil) ? nil : true
  }

  private static func any(_ truths: [Bool?]) -> Bool? {
    if truths.contains(true) { return true }
    return truths.contains(nil) ? nil : false
  }

  private static func compare(_ left: PropertyValue?, _ sign: String, _ right: PropertyValue?)
    -> Bool?
  {
    switch (left, right) {
    case (.number(let left)?, .number(let right)?): return holds(left < right, left == right, sign)
    case (.bool(let left)?, .bool(let right)?): return holds(!left && right, left == right, sign)
    case (.string(let left)?, .string(let right)?):
      let (left, right) = (Array(left.utf16), Array(right.utf16))
      return holds(left.lexicographicallyPrecedes(right), left == right, sign)
    default: return nil
    }
  }

  private static func holds(_ isLess: Bool, _ isEqual: Bool, _ sign: String) -> Bool {
    switch sign {
    case "=": isEqual
    case "<>": !isEqual
    case "<": isLess
    case "<=": isLess || isEqual
    case ">": !isLess && !isEqual
    default: !isLess
    }
  }

  private static func matches(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let sign = pattern.first else { return text.isEmpty }
    switch sign {
    case "%":
      return (text.startIndex...text.endIndex).contains {
        matches(text[$0...], pattern.dropFirst())
      }
    case "_": return !text.isEmpty && matches(text.dropFirst(), pattern.dropFirst())
    case "\\":
      let next = pattern.dropFirst()
      return text.first == next.first && matches(text.dropFirst(), next.dropFirst())
    default: return text.first == sign && matches(text.dropFirst(), pattern.dropFirst())
    }
  }
}

extension FilterOracle {
  static let names = ["a", "b", "flag", "\"select\"", "nothing"]
  private static let signs = ["=", "<>", "<", "<=", ">", ">="]
  private static let texts = [
    "", "a", "A", "ab", "aB", "a*c", "a?c", "[a]", "a%", "a_c", "50%", "é", "e\u{301}", "\u{FFFD}",
    "\u{1F600}", "a\u{0}b", "O'Neil", "1", "1.5", "true",
  ]
  private static let numbers = [
    -1.5, 0, -0.0, 1, 1.5, 2, 9_007_199_254_740_992, 9_007_199_254_740_994, 1e300,
  ]
  private static let patterns = [
    "a%", "%", "_", "a", "%b", "a_c", "a\\%", "%*%", "[a]%", "é%", "a%b", "%\\_%", "__", "A%c%",
    "a?c", "%a%b%c%d%e%f%",
  ]

  /// A random value as SQL, and as the property that it becomes.
  static func value(_ random: inout SplitMix64, isBoolean: Bool) -> (sql: String, PropertyValue) {
    switch random.next() % 8 {
    case 0: return ("NULL", .null)
    case 1: return (random.next() % 2 == 0 ? "X'6162'" : "9e999", .null)
    case 2, 3:
      let number = Int(random.next() % 4) - 1
      if isBoolean, number == 0 || number == 1 { return ("\(number)", .bool(number == 1)) }
      return ("\(number)", .number(Double(number)))
    case 4:
      let number = Int64(9_007_199_254_740_991) + Int64(random.next() % 5)
      return ("\(number)", .number(Double(number)))
    case 5:
      let number = numbers[Int(random.next() % UInt64(numbers.count))]
      // Whole numbers are stored as integers by the affinity of the column.
      let isTruth = isBoolean && (number == 0 || number == 1)
      return ("\(number)", isTruth ? .bool(number == 1) : .number(number))
    default:
      var text = texts[Int(random.next() % UInt64(texts.count))]
      // A column of truth values takes texts of digits for numbers.
      if isBoolean, Double(text) != nil { text = "yes" }
      let hex = text.utf8.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
      return ("CAST(X'\(hex)' AS TEXT)", .string(text))
    }
  }

  private static func pick<Element>(_ list: [Element], _ random: inout SplitMix64) -> Element {
    list[Int(random.next() % UInt64(list.count))]
  }

  private static func literal(_ random: inout SplitMix64) -> Literal {
    switch random.next() % 5 {
    case 0, 1: .number(pick(numbers, &random))
    case 2: .bool(random.next() % 2 == 0)
    // A zero cannot stand in a filter's text.
    default: .text(pick(texts.filter { !$0.utf8.contains(0) }, &random))
    }
  }

  /// A literal of the same type as another.
  private static func sibling(_ other: Literal, _ random: inout SplitMix64) -> Literal {
    while true {
      let literal = literal(&random)
      switch (other, literal) {
      case (.number, .number), (.text, .text), (.bool, .bool): return literal
      default: continue
      }
    }
  }

  static func random(_ random: inout SplitMix64, depth: Int = 3) -> FilterOracle {
    let name = pick(names, &random)
    switch random.next() % (depth > 0 ? 12 : 8) {
    case 0, 1: return .compare(name, pick(signs, &random), literal(&random))
    case 2: return .compareMirrored(literal(&random), pick(signs, &random), name)
    case 3: return .properties(name, pick(signs, &random), pick(names, &random))
    case 4:
      let low = literal(&random)
      return .between(name, low, sibling(low, &random))
    case 5:
      return .within(name, (0...random.next() % 4).map { _ in literal(&random) })
    case 6: return .like(name, pick(patterns, &random))
    case 7: return random.next() % 2 == 0 ? .isNull(name) : .itself(name)
    case 8, 9:
      return .and((0...1 + random.next() % 3).map { _ in Self.random(&random, depth: depth - 1) })
    case 10:
      return .or((0...1 + random.next() % 2).map { _ in Self.random(&random, depth: depth - 1) })
    default: return .not(Self.random(&random, depth: depth - 1))
    }
  }
}
