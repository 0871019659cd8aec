/// A translator of a CQL2 filter into SQL, where SQLite has exactly the same meaning including the
/// three truth values.
///
/// Parts without such a form (arithmetic, case folding, instants, space) are omitted where that
/// only lets more records through: as a part of an `AND` that is not negated. Anything else makes
/// the whole part untranslatable.
struct SQLTranslation {
  /// A part as SQL.
  private struct Part {
    var text: String
    var parameters: [SQLCondition.Parameter] = []
    /// Whether the SQL is true for exactly the same records as the part, and neither null nor
    /// false where the part is not.
    var isExact = true
    /// The approximate nesting depth of operators, which SQLite limits.
    var depth = 8
  }

  /// Maximum nesting depth of operators: SQLite is limited to 64 for foreign files.
  private static let depthLimit = 48
  private static let parameterLimit = 500
  private static let textLimit = 1 << 16

  private let names: [String]
  private let column: (String) -> SQLColumn?

  /// - Parameter column: returns the column of a property's name; `nil` where records have no such
  ///   property.
  init(names: [String], column: @escaping (String) -> SQLColumn?) {
    self.names = names
    self.column = column
  }

  /// Returns the condition of a filter, `nil` if no part of it can be translated.
  func condition(_ predicate: any PredicateNode) -> SQLCondition? {
    guard let part = part(predicate, mayPassMore: true) else { return nil }
    return SQLCondition(text: part.text, parameters: part.parameters, isExact: part.isExact)
  }

  /// - Parameter mayPassMore: whether the part may be true for more records than the predicate; not
  ///   under `NOT`.
  private func part(_ predicate: any PredicateNode, mayPassMore: Bool) -> Part? {
    let part: Part? =
      switch predicate {
      case let junction as PredicateJunction: self.junction(junction, mayPassMore: mayPassMore)
      case let negation as PredicateNegation: self.negation(negation)
      case let comparison as ComparisonPredicate:
        self.comparison(comparison.left, comparison.comparison, comparison.right)
      case let range as RangePredicate: self.range(range)
      case let null as NullPredicate: self.null(null)
      case let membership as MembershipPredicate: self.membership(membership)
      case let pattern as PatternPredicate: self.pattern(pattern, mayPassMore: mayPassMore)
      case let value as PredicateValue: self.value(value)
      default: nil
      }
    guard let part, part.depth <= Self.depthLimit, part.text.utf8.count <= Self.textLimit,
      part.parameters.count <= Self.parameterLimit
    else { return nil }
    return part
  }

  // MARK: Logic

  private func junction(_ junction: PredicateJunction, mayPassMore: Bool) -> Part? {
    let isAnd = junction.decisive == .no
    var parts: [Part] = []
    for operand in junction.operands {
      if let part = part(operand, mayPassMore: mayPassMore) {
        parts.append(part)
      } else if !isAnd || !mayPassMore {
        return nil
      }
    }
    guard !parts.isEmpty else { return nil }
    let isWhole = parts.count == junction.operands.count
    var joined = Self.joined(parts[...], isAnd ? "AND" : "OR")
    joined.isExact = joined.isExact && isWhole
    return joined
  }

  /// Joins parts as a balanced tree, so that many of them do not nest deeply.
  private static func joined(_ parts: ArraySlice<Part>, _ operation: String) -> Part {
    guard parts.count > 1, let first = parts.first else { return parts.first ?? Part(text: "1") }
    if parts.count == 2, let last = parts.last {
      return Part(
        text: "(\(first.text) \(operation) \(last.text))",
        parameters: first.parameters + last.parameters,
        isExact: first.isExact && last.isExact, depth: max(first.depth, last.depth) + 1)
    }
    let middle = (parts.startIndex + parts.endIndex + 1) / 2
    return joined(
      [joined(parts[..<middle], operation), joined(parts[middle...], operation)], operation)
  }

  private func negation(_ negation: PredicateNegation) -> Part? {
    guard var part = part(negation.operand, mayPassMore: false) else { return nil }
    part.text = "(NOT \(part.text))"
    part.depth += 1
    return part
  }

  private func value(_ value: PredicateValue) -> Part? {
    if let literal = (value.operand as? ScalarLiteral)?.literal, case .bool(let bool) = literal {
      return Part(text: bool ? "1" : "0")
    }
    guard let property = value.operand as? ScalarProperty else { return nil }
    return Part(text: "(\(column(property)?.truth ?? "NULL") = 1)")
  }

  // MARK: Values

  private func column(_ property: ScalarProperty) -> SQLColumn? {
    names.indices.contains(property.slot) ? column(names[property.slot]) : nil
  }

  private func comparison(
    _ left: any ScalarNode, _ comparison: ScalarComparison, _ right: any ScalarNode
  ) -> Part? {
    switch (left, right) {
    // SQLite would compare them as Doubles.
    case (_, let literal as ScalarLiteral) where literal.digits != nil: nil
    case (let literal as ScalarLiteral, _) where literal.digits != nil: nil
    case (let property as ScalarProperty, let literal as ScalarLiteral):
      self.comparison(property, comparison, literal.literal)
    case (let literal as ScalarLiteral, let property as ScalarProperty):
      self.comparison(property, comparison.mirrored, literal.literal)
    case (let left as ScalarProperty, let right as ScalarProperty):
      self.comparison(left, comparison, right)
    default: nil
    }
  }

  private func comparison(
    _ property: ScalarProperty, _ comparison: ScalarComparison, _ literal: ScalarValue
  ) -> Part? {
    let column = column(property)
    switch literal {
    case .number(let number):
      return Part(
        text: "(\(column?.number ?? "NULL") \(comparison.sql) ?)", parameters: [.number(number)])
    case .text(let text):
      // SQLite orders by UTF-8 and we by UTF-16. Below the surrogates these orders agree, and the
      // literal's first differing character decides.
      guard comparison.isEquality || text.unicodeScalars.allSatisfy({ $0.value < 0xD800 }) else {
        return nil
      }
      return Part(
        text: "(\(column?.string ?? "NULL") \(comparison.sql) ? COLLATE BINARY)",
        parameters: [.text(text)])
    case .bool(let bool):
      return Part(text: "(\(column?.truth ?? "NULL") \(comparison.sql) \(bool ? 1 : 0))")
    case .instant, .other: return nil
    }
  }

  /// Translates a comparison of two properties; only equal types compare, so at most one case
  /// applies.
  private func comparison(
    _ left: ScalarProperty, _ comparison: ScalarComparison, _ right: ScalarProperty
  ) -> Part? {
    guard let left = column(left), let right = column(right) else { return Part(text: "NULL") }
    guard comparison.isEquality else { return nil }
    let sign = comparison.sql
    return Part(
      text: "coalesce(\(left.numbers(sign, right)), "
        + "\(left.string) \(sign) \(right.string) COLLATE BINARY, "
        + "\(left.truth) \(sign) \(right.truth))", depth: 10)
  }

  private func range(_ range: RangePredicate) -> Part? {
    guard let above = comparison(range.operand, .greaterOrEqual, range.lower),
      let below = comparison(range.operand, .lessOrEqual, range.upper)
    else { return nil }
    return Self.joined([above, below], "AND")
  }

  private func null(_ null: NullPredicate) -> Part? {
    guard let property = null.operand as? ScalarProperty else { return nil }
    return Part(text: column(property)?.isMissing ?? "1")
  }

  /// Translates membership in lists of one type only: a number beside texts is neither in nor out.
  private func membership(_ membership: MembershipPredicate) -> Part? {
    guard let property = membership.operand as? ScalarProperty, membership.items.isEmpty,
      membership.wholes.isEmpty,
      membership.numbers.isEmpty != membership.texts.isEmpty
    else { return nil }
    let numbers = membership.numbers.sorted().map(SQLCondition.Parameter.number)
    let texts = membership.texts.values.joined().sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    .map(SQLCondition.Parameter.text)
    let column = column(property)
    let value = (numbers.isEmpty ? column?.string : column?.number) ?? "NULL"
    let parameters = numbers + texts
    let marks = repeatElement("?", count: parameters.count).joined(separator: ", ")
    return Part(
      text: "(\(value) COLLATE BINARY IN (\(marks)))", parameters: parameters)
  }

  /// Translates `LIKE` to `GLOB`, which is case-sensitive; it stops at a NUL in the text, so such
  /// texts pass.
  private func pattern(_ predicate: PatternPredicate, mayPassMore: Bool) -> Part? {
    guard let property = predicate.operand as? ScalarProperty,
      let glob = predicate.pattern.glob
    else { return nil }
    guard let text = column(property)?.string else { return Part(text: "NULL") }
    if glob.isPrefix {
      return Part(text: "(\(text) GLOB ?)", parameters: [.text(glob.text)])
    }
    guard mayPassMore else { return nil }
    return Part(
      text: "(\(text) GLOB ? OR instr(\(text), char(0)) > 0)", parameters: [.text(glob.text)],
      isExact: false, depth: 10)
  }
}

extension LikePattern {
  /// The pattern as one of SQLite's `GLOB`; `nil` where that would be slow or too long.
  ///
  /// `isPrefix` is true if only the beginning of a text decides.
  fileprivate var glob: (text: String, isPrefix: Bool)? {
    guard segments.count <= 5 else { return nil }
    var bytes: [UInt8] = []
    for (index, segment) in segments.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "*")) }
      for element in segment {
        switch element {
        case .anyScalar: bytes.append(UInt8(ascii: "?"))
        case .byte(0): return nil
        case .byte(let byte) where Array("*?[".utf8).contains(byte):
          bytes += [UInt8(ascii: "["), byte, UInt8(ascii: "]")]
        case .byte(let byte): bytes.append(byte)
        }
      }
    }
    guard bytes.count <= 240 else { return nil }
    let isPrefix =
      segments.count == 2 && segments[1].isEmpty && !segments[0].contains(.anyScalar)
    return (String(decoding: bytes, as: UTF8.self), isPrefix)
  }
}
