/// A condition in SQLite's SQL that holds for every record for which a filter is true.
package struct SQLCondition: Sendable {
  /// The value of a `?`.
  package enum Parameter: Hashable, Sendable {
    case number(Double)
    case text(String)
  }

  /// The condition, in parentheses where it needs them; its names come from ``SQLColumn/quoted``.
  package var text: String

  /// The values of the question marks, in order.
  package var parameters: [Parameter]

  /// Whether the condition is true for exactly the records for which the filter is, so that the
  /// filter need not be evaluated again.
  package var isExact: Bool

  package init(text: String, parameters: [Parameter], isExact: Bool) {
    self.text = text
    self.parameters = parameters
    self.isExact = isExact
  }
}

/// A column that a condition may read.
package struct SQLColumn: Sendable {
  /// The name as SQL text, including quotes.
  package var quoted: String

  /// Whether 0 and 1 in the column are truth values.
  package var isBoolean: Bool

  package init(quoted: String, isBoolean: Bool) {
    self.quoted = quoted
    self.isBoolean = isBoolean
  }
}
