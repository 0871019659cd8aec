/// A column's values by type, as SQL: null where the value has another type.
///
/// SQLite compares across types and converts by the columns' affinity; a `CASE` has no affinity,
/// and its branch depends on the stored type. Numbers have the values of the record's properties,
/// doubles, even for integers beyond 2⁵³. Blobs, infinite numbers and null count as missing.
extension SQLColumn {
  var number: String {
    let isTruth = isBoolean ? "CASE WHEN \(quoted) NOT IN (0, 1) THEN " : ""
    return "CASE typeof(\(quoted)) WHEN 'integer' THEN \(isTruth)CAST(\(quoted) AS REAL)"
      + (isBoolean ? " END" : "")
      // Infinity minus infinity is null.
      + " WHEN 'real' THEN CASE WHEN \(quoted) - \(quoted) = 0 THEN \(quoted) END END"
  }

  /// Returns the comparison of the numbers of two columns: integers exactly, others as Doubles.
  func numbers(_ sign: String, _ other: SQLColumn) -> String {
    let doubles = "\(number) \(sign) \(other.number)"
    guard !isBoolean, !other.isBoolean else { return doubles }
    return "CASE WHEN typeof(\(quoted)) = 'integer' AND typeof(\(other.quoted)) = 'integer' "
      + "THEN \(quoted) \(sign) \(other.quoted) ELSE \(doubles) END"
  }

  var string: String { "CASE WHEN typeof(\(quoted)) = 'text' THEN \(quoted) END" }

  /// The truth value, 0 or 1.
  var truth: String {
    guard isBoolean else { return "NULL" }
    return "CASE WHEN typeof(\(quoted)) = 'integer' AND \(quoted) IN (0, 1) THEN \(quoted) END"
  }

  /// Whether the record has no value; never null itself.
  var isMissing: String {
    "(typeof(\(quoted)) IN ('null', 'blob') OR (typeof(\(quoted)) = 'real' AND "
      + "\(quoted) - \(quoted) IS NULL))"
  }
}

extension ScalarComparison {
  /// The operator in SQL.
  var sql: String {
    switch self {
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .greater: ">"
    case .lessOrEqual: "<="
    case .greaterOrEqual: ">="
    }
  }

  /// The equivalent comparison with its sides exchanged.
  var mirrored: ScalarComparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .greater: .less
    case .lessOrEqual: .greaterOrEqual
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether the comparison is for equality rather than order.
  var isEquality: Bool { self == .equal || self == .notEqual }
}
