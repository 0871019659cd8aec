import Calendar
import Features

/// Parsing of calls: names with arguments.
extension CQL2Parser {
  /// Parses a call; the current token is its name.
  mutating func call(_ name: String, named word: String) throws(CQL2Error) -> Operand {
    let place = token.place
    if let relation = SpatialRelation(rawValue: name) { return try spatial(relation) }
    if let relation = TemporalRelation(rawValue: name) { return try temporal(relation) }
    if let folding = TextFolding(function: name) {
      advance()
      try require(.openParenthesis)
      let operand = try nested { parser throws(CQL2Error) in try parser.sum() }
      guard operand.node.kind == nil || operand.node.kind == .text else {
        throw CQL2Error(
          "\(name) is for texts, but this is \(Self.words(operand)).", at: operand.place)
      }
      try require(.closeParenthesis)
      return Operand(node: ScalarFolding(operand.node, folding), place: place)
    }
    if name == "DATE" || name == "TIMESTAMP" { return try instant(name) }
    throw CQL2Error(Self.refusal(of: name, named: word), at: place)
  }

  private static func refusal(of name: String, named word: String) -> String {
    if name == "INTERVAL" {
      return "INTERVAL is only for T_INTERSECTS, T_DURING and the like."
    }
    if name == "BBOX" || PlanarText.types.contains(name) {
      return "\(name) is no condition; write S_INTERSECTS(geometry, \(name)(…))."
    }
    if name.hasPrefix("A_") {
      return "\(name) is not supported: this version has no predicates of lists."
    }
    if SpatialRelation.refused.contains(name) {
      return "\(name) is not supported; the spatial predicates are "
        + SpatialRelation.allCases.map(\.rawValue).joined(separator: ", ") + "."
    }
    let hint = nearest(to: name).map { "did you mean \($0)?" } ?? "functions are not supported."
    return "there is no '\(word.prefix(60))'; \(hint)"
  }

  /// Returns the name in this language for one that other dialects spell differently: `ST_Within`,
  /// `INTERSECTS`.
  private static func nearest(to name: String) -> String? {
    func stem(_ name: String) -> String {
      let parts = name.split(separator: "_", maxSplits: 1)
      return String(parts.count == 2 && parts[0].count <= 2 ? parts[1] : Substring(name))
        .replacing("_", with: "")
    }
    switch name {
    case "LOWER", "UPPER", "LCASE", "UCASE", "STRTOLOWERCASE", "STRTOUPPERCASE": return "CASEI"
    case "UNACCENT": return "ACCENTI"
    case "ENVELOPE", "ST_MAKEENVELOPE": return "BBOX"
    case "DATETIME", "TO_TIMESTAMP": return "TIMESTAMP"
    default: break
    }
    let known =
      SpatialRelation.allCases.map(\.rawValue) + TemporalRelation.allCases.map(\.rawValue)
    return known.first { stem($0) == stem(name) }
  }

  // MARK: Instants

  /// Parses `DATE('2014-01-19')` or `TIMESTAMP('2014-01-19T06:00:00Z')`.
  private mutating func instant(_ name: String) throws(CQL2Error) -> Operand {
    let place = token.place
    advance()
    try require(.openParenthesis)
    let form: Instant.Form = name == "DATE" ? .date : .timestamp
    let wanted = form == .date ? "'2014-01-19'" : "'2014-01-19T06:00:00Z'"
    guard case .text(let text) = token.kind else { throw expected("a text such as \(wanted)") }
    guard let parsed = Instant.parse(text), parsed.form == form else {
      throw CQL2Error(
        "\(name) takes a text such as \(wanted), but found '\(text.prefix(60))'.", at: token.place)
    }
    advance()
    try require(.closeParenthesis)
    return Operand(node: ScalarLiteral(.instant(parsed.instant)), place: place)
  }

  private mutating func temporal(_ relation: TemporalRelation) throws(CQL2Error) -> Operand {
    let place = token.place
    advance()
    try require(.openParenthesis)
    let left = try temporalOperand()
    try require(.comma)
    let right = try temporalOperand()
    try require(.closeParenthesis)
    return Self.operand(TemporalPredicate(relation, left, right), at: place)
  }

  private mutating func temporalOperand() throws(CQL2Error) -> TemporalOperand {
    let place = token.place
    guard token.keyword == "INTERVAL", following.kind == .sign(.openParenthesis) else {
      let node = try temporalValue()
      return TemporalOperand(start: node, end: node)
    }
    advance()
    try require(.openParenthesis)
    let start = try intervalEnd()
    try require(.comma)
    let end = try intervalEnd()
    try require(.closeParenthesis)
    if case .instant(let first)? = (start as? ScalarLiteral)?.literal,
      case .instant(let last)? = (end as? ScalarLiteral)?.literal, first > last
    {
      throw CQL2Error("this interval ends before it begins.", at: place)
    }
    return TemporalOperand(start: start, end: end)
  }

  private mutating func temporalValue() throws(CQL2Error) -> any ScalarNode {
    let operand = try nested { parser throws(CQL2Error) in try parser.sum() }
    guard operand.node.kind == nil || operand.node.kind == .instant else {
      throw CQL2Error(
        "an instant is expected, but this is \(Self.words(operand)); write TIMESTAMP('…') or "
          + "DATE('…').", at: operand.place)
    }
    return operand.node
  }

  /// Parses a date or time in quotes, `'..'` for an open end, or a property.
  private mutating func intervalEnd() throws(CQL2Error) -> (any ScalarNode)? {
    guard case .text(let text) = token.kind else { return try temporalValue() }
    guard text != ".." else {
      advance()
      return nil
    }
    guard let parsed = Instant.parse(text) else {
      throw CQL2Error(
        "an interval ends at an instant such as '2014-01-19T06:00:00Z' or is open as '..', but "
          + "found '\(text.prefix(60))'.", at: token.place)
    }
    advance()
    return ScalarLiteral(.instant(parsed.instant))
  }
}
