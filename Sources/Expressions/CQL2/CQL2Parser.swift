/// A recursive-descent parser that turns CQL2 text into nodes and rejects invalid text.
///
/// The grammar is that of OGC 21-065 with `ILIKE`, with any expression where the standard demands a
/// property, and with Boolean properties as conditions. Values and conditions are parsed by one set
/// of rules, loosest first, and distinguished by their types, since both may be in parentheses.
struct CQL2Parser {
  /// A value or a condition, and the place where it begins.
  struct Operand {
    var node: any ScalarNode
    var place: CQL2Place
  }

  private let text: String
  private let tokens: [CQL2Token]
  private var index = 0
  private var depth = 0
  var properties = PropertyNames()

  static let depthLimit = 64

  init(_ text: String) throws(CQL2Error) {
    self.text = text
    tokens = try CQL2Tokenizer.tokens(of: text)
  }

  /// Parses the whole text as one condition.
  mutating func filter() throws(CQL2Error) -> any PredicateNode {
    if token.kind == .end { throw CQL2Error("a condition is expected.", at: token.place) }
    let operand = try condition()
    switch token.kind {
    case .end:
      if let quotedCondition { throw quotedCondition }
      return try Self.predicate(operand)
    case .sign(let sign) where ScalarComparison(sign) != nil:
      throw CQL2Error("comparisons do not chain; join two with AND.", at: token.place)
    default: throw unquotedText ?? expected("AND, OR or the end")
    }
  }

  /// The error for a text of several words without quotes: `name = New York`, `name = Store 1`; `nil`
  /// where there is none before the current token.
  private var unquotedText: CQL2Error? {
    guard index >= 2, tokens[index - 1].isPlainText, token.isPlainText,
      case .sign(let sign) = tokens[index - 2].kind, ScalarComparison(sign) != nil
    else { return nil }
    let rest = tokens[index...].prefix {
      $0.isPlainText && !["AND", "OR"].contains($0.keyword ?? "")
    }
    let end = tokens[rest.endIndex]
    // If anything else follows, an AND is missing first.
    guard end.kind == .end || end.keyword != nil || end.kind == .sign(.closeParenthesis) else {
      return nil
    }
    let words = CQL2Place.text(of: text, from: tokens[index - 1].place, to: end.place)
    return CQL2Error(
      "a text needs single quotes; write '\(words.prefix(60))'.", at: tokens[index - 1].place)
  }

  /// The error for a condition that is in quotes as a whole, so that it is a text; `nil` for any other.
  private var quotedCondition: CQL2Error? {
    guard tokens.count == 2, case .text(let inner) = tokens[0].kind, inner.contains(" ") else {
      return nil
    }
    do throws(CQL2Error) {
      var parser = try CQL2Parser(inner)
      _ = try parser.filter()
      return CQL2Error(
        "the whole condition is in quotes, which makes it a text; write \(inner.prefix(60))",
        at: tokens[0].place)
    } catch {
      guard inner.contains(where: { "=<>".contains($0) }) else { return nil }
      return CQL2Error(
        "the whole condition is in quotes, which makes it a text; leave them out. Then: "
          + error.message, at: tokens[0].place)
    }
  }

  // MARK: Tokens

  var token: CQL2Token { tokens[index] }

  /// The token after the current one.
  var following: CQL2Token { tokens[min(index + 1, tokens.count - 1)] }

  /// The number of arguments before the closing parenthesis, none of which may be a call.
  var argumentsAhead: Int {
    var count = 1
    for token in tokens[index...] {
      if token.kind == .sign(.comma) { count += 1 }
      if token.kind == .sign(.closeParenthesis) || token.kind == .end { break }
    }
    return count
  }

  mutating func advance() {
    if index < tokens.count - 1 { index += 1 }
  }

  mutating func take(_ sign: CQL2Token.Sign) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func take(keyword: String) -> Bool {
    guard token.keyword == keyword else { return false }
    advance()
    return true
  }

  mutating func require(_ sign: CQL2Token.Sign) throws(CQL2Error) {
    guard take(sign) else { throw expected("'\(sign.rawValue)'") }
  }

  mutating func require(keyword: String) throws(CQL2Error) {
    guard take(keyword: keyword) else { throw expected(keyword) }
  }

  func expected(_ wanted: String) -> CQL2Error {
    CQL2Error("\(wanted) is expected, but found \(token.words).", at: token.place)
  }

  /// Runs a rule one level deeper.
  mutating func nested<Result>(
    _ rule: (inout CQL2Parser) throws(CQL2Error) -> Result
  ) throws(CQL2Error) -> Result {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw CQL2Error(
        "a filter may be nested \(Self.depthLimit) levels deep at most.", at: token.place)
    }
    let result = try rule(&self)
    depth -= 1
    return result
  }

  // MARK: Conditions

  /// Parses `a OR b`.
  mutating func condition() throws(CQL2Error) -> Operand {
    try junction("OR", decidedBy: .yes) { parser throws(CQL2Error) in
      try parser.junction("AND", decidedBy: .no) { parser throws(CQL2Error) in
        try parser.negation()
      }
    }
  }

  private mutating func junction(
    _ keyword: String, decidedBy decisive: Truth,
    _ rule: (inout CQL2Parser) throws(CQL2Error) -> Operand
  ) throws(CQL2Error) -> Operand {
    let first = try rule(&self)
    guard token.keyword == keyword else { return first }
    var parts = [try Self.predicate(first)]
    while take(keyword: keyword) { parts.append(try Self.predicate(try rule(&self))) }
    return Self.operand(PredicateJunction(parts, decidedBy: decisive), at: first.place)
  }

  private mutating func negation() throws(CQL2Error) -> Operand {
    let place = token.place
    guard take(keyword: "NOT") else { return try comparison() }
    let operand = try nested { parser throws(CQL2Error) in try parser.negation() }
    return Self.operand(PredicateNegation(try Self.predicate(operand)), at: place)
  }

  /// Parses a value alone, or with a test of it.
  private mutating func comparison() throws(CQL2Error) -> Operand {
    let left = try sum()
    if case .sign(let sign) = token.kind, let comparison = ScalarComparison(sign) {
      advance()
      let right = try sum()
      try Self.requireComparable(left, right)
      return Self.operand(
        ComparisonPredicate(left.node, comparison, right.node), at: left.place)
    }
    if take(keyword: "IS") {
      let isNegated = take(keyword: "NOT")
      try require(keyword: "NULL")
      return Self.operand(NullPredicate(left.node), at: left.place, isNegated: isNegated)
    }
    let isNegated = token.keyword == "NOT"
    if isNegated { advance() }
    if let predicate = try test(of: left) {
      return Self.operand(predicate, at: left.place, isNegated: isNegated)
    }
    if isNegated { throw expected("BETWEEN, IN, LIKE or ILIKE") }
    return left
  }

  /// Parses `BETWEEN`, `IN`, `LIKE` or `ILIKE`; returns `nil` where there is none.
  private mutating func test(of left: Operand) throws(CQL2Error) -> (any PredicateNode)? {
    switch token.keyword {
    case "BETWEEN":
      advance()
      let lower = try sum()
      try require(keyword: "AND")
      let upper = try sum()
      try Self.requireComparable(left, lower)
      try Self.requireComparable(left, upper)
      try Self.requireComparable(lower, upper)
      return RangePredicate(left.node, from: lower.node, to: upper.node)
    case "IN":
      advance()
      return MembershipPredicate(left.node, in: try list(of: left))
    case "LIKE", "ILIKE":
      let ignoresCase = token.keyword == "ILIKE"
      advance()
      return try pattern(of: left, ignoresCase: ignoresCase)
    default: return nil
    }
  }

  private mutating func list(of left: Operand) throws(CQL2Error) -> [any ScalarNode] {
    try require(.openParenthesis)
    var items: [any ScalarNode] = []
    repeat {
      let item = try sum()
      try Self.requireComparable(left, item)
      items.append(item.node)
    } while take(.comma)
    guard take(.closeParenthesis) else { throw expected("',' or ')'") }
    return items
  }

  private mutating func pattern(
    of left: Operand, ignoresCase: Bool
  ) throws(CQL2Error) -> any PredicateNode {
    guard left.node.kind == nil || left.node.kind == .text else {
      throw CQL2Error("LIKE is for texts, but this is \(Self.words(left)).", at: left.place)
    }
    let place = token.place
    var text = try patternText()
    if ignoresCase { text = TextFolding.letterCase.fold(text) }
    guard let pattern = LikePattern(text) else {
      throw CQL2Error(
        #"the pattern ends with a lone backslash; write '\\' for one."#, at: place)
    }
    return PatternPredicate(
      ignoresCase ? ScalarFolding(left.node, .letterCase) : left.node, pattern)
  }

  /// Parses a text, optionally in `CASEI` or `ACCENTI`.
  private mutating func patternText() throws(CQL2Error) -> String {
    if case .text(let text) = token.kind {
      advance()
      return text
    }
    guard let folding = TextFolding(function: token.keyword) else {
      throw expected("a pattern such as 'A%'")
    }
    advance()
    try require(.openParenthesis)
    let text = try nested { parser throws(CQL2Error) in try parser.patternText() }
    try require(.closeParenthesis)
    return folding.fold(text)
  }
}

extension TextFolding {
  init?(function name: String?) {
    switch name {
    case "CASEI": self = .letterCase
    case "ACCENTI": self = .accents
    default: return nil
    }
  }
}
