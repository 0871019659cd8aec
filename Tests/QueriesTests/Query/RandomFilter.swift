import TestSupport

/// A random condition in CQL2 and in the SQL of SQLite, over the columns of ``FilterRows``.
///
/// SQLite computes with doubles here, and compares with heed of case by `GLOB`; its `LIKE` heeds no
/// case of ASCII letters, which is what `ILIKE` is asked about.
struct RandomFilter {
  let cql2: String
  let sql: String
}

/// Makes conditions; equal seeds make equal ones.
struct RandomFilterMaker {
  private typealias Part = (cql2: String, sql: String)

  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// - Parameter depth: how deep `AND`, `OR` and `NOT` may nest.
  mutating func filter(depth: Int = 3) -> RandomFilter {
    let part = condition(depth)
    return RandomFilter(cql2: part.cql2, sql: part.sql)
  }

  private mutating func below(_ limit: Int) -> Int { random.below(limit) }

  private mutating func one<Item>(of items: [Item]) -> Item { random.pick(items) }

  private mutating func condition(_ depth: Int) -> Part {
    let choice = depth > 0 ? below(10) : 0
    if choice < 4 { return predicate() }
    let first = condition(depth - 1)
    if choice < 6 { return ("NOT (\(first.cql2))", "(NOT \(first.sql))") }
    let second = condition(depth - 1)
    let word = one(of: ["AND", "OR"])
    return ("(\(first.cql2) \(word) \(second.cql2))", "(\(first.sql) \(word) \(second.sql))")
  }

  private mutating func predicate() -> Part {
    let not = one(of: ["", "NOT "])
    let sign = one(of: ["=", "<>", "<", ">", "<=", ">="])
    switch below(9) {
    case 0, 1: return joined([number(2), number(2)], [" \(sign) "])
    case 2: return joined([text(), text()], [" \(sign) "])
    case 3: return joined([number(1), number(1), number(1)], [" \(not)BETWEEN ", " AND "])
    case 4: return joined([text(), text(), text()], [" \(not)BETWEEN ", " AND "])
    case 5: return membership(not)
    case 6: return pattern(not)
    case 7:
      let name = one(of: ["n", "r", "s", "t", "b", "n / r", "r - n"])
      return ("\(name) IS \(not)NULL", "((\(name)) IS \(not)NULL)")
    default:
      let truth = one(of: ["b", "b = TRUE", "b <> true", "FALSE = b"])
      return (truth, "(\(truth))")
    }
  }

  /// Operands with words between, the same in both languages.
  private func joined(_ operands: [Part], _ words: [String]) -> Part {
    let between = [""] + words
    return (
      zip(between, operands).map { $0 + $1.cql2 }.joined(),
      "(" + zip(between, operands).map { $0 + $1.sql }.joined() + ")"
    )
  }

  private mutating func number(_ depth: Int) -> Part {
    let choice = below(10)
    if choice < 3 {
      let number = one(of: ["-5", "-1", "0", "1", "2", "3", "2.5", "-0.25", "1e6", "1E-3"])
      return (number, "CAST(\(number) AS REAL)")
    }
    if choice < 7 || depth == 0 { return twice(one(of: ["n", "r"])) }
    if choice == 7 {
      let divisor = 1 + below(4)
      let (word, sign) = one(of: [("%", "%"), ("DIV", "/")])
      return (
        "(n \(word) \(divisor))", "CAST(CAST(n AS INTEGER) \(sign) \(divisor) AS REAL)"
      )
    }
    let sign = one(of: ["+", "-", "*", "/"])
    let sum = joined([number(depth - 1), number(depth - 1)], [" \(sign) "])
    return ("(\(sum.cql2))", sum.sql)
  }

  private mutating func text() -> Part {
    twice(below(5) < 3 ? one(of: ["s", "t"]) : Self.quoted(one(of: FilterRows.texts)))
  }

  private func twice(_ text: String) -> Part { (text, text) }

  private mutating func membership(_ not: String) -> Part {
    let isNumber = below(2) == 0
    let column = isNumber ? one(of: ["n", "r"]) : one(of: ["s", "t"])
    let items = (0...below(4)).map { _ in
      isNumber ? one(of: ["-5", "0", "1", "2.5", "1e6"]) : Self.quoted(one(of: FilterRows.texts))
    }
    let condition = "\(column) \(not)IN (\(items.joined(separator: ", ")))"
    return (condition, "(\(condition))")
  }

  private mutating func pattern(_ not: String) -> Part {
    let column = one(of: ["s", "t"])
    let pattern = one(of: [
      "a%", "%b", "_", "%", "%ü%", "a_b", #"%\%%"#, #"\_%"#, "%*%", "[a]", "_rich", "%i%", "ab%",
      "?", "__%", "", "A%B", #"x\_y"#, "%'%", "z%H",
    ])
    let literal = Self.quoted(pattern)
    return below(3) > 0
      ? ("\(column) \(not)LIKE \(literal)", "(\(column) \(not)GLOB \(Self.glob(pattern)))")
      : (
        "\(column) \(not)ILIKE \(literal)", #"(\#(column) \#(not)LIKE \#(literal) ESCAPE '\')"#
      )
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// The pattern of a `LIKE` as one of `GLOB`, quoted.
  private static func glob(_ pattern: String) -> String {
    var glob = ""
    var isEscaped = false
    for letter in pattern {
      switch letter {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "%" where !isEscaped: glob += "*"
      case "_" where !isEscaped: glob += "?"
      case "*", "?", "[": glob += "[\(letter)]"
      default: glob.append(letter)
      }
      isEscaped = false
    }
    return quoted(glob)
  }
}
