/// A condition in the SQL of SQLite that holds for every record for which a filter is true.
package struct SQLCondition: Sendable {
  /// A value that stands for a `?`.
  package enum Parameter: Hashable, Sendable {
    case number(Double)
    case text(String)
  }

  /// The condition, in parentheses where it needs them; a name in it is one that
  /// ``SQLColumn/quoted`` gave.
  package var text: String

  /// The values of the question marks, in their order.
  package var parameters: [Parameter]

  /// Whether the condition is true for no other record than the filter is, so that nobody needs to
  /// ask the filter again.
  package var isExact: Bool

  package init(text: String, parameters: [Parameter], isExact: Bool) {
    self.text = text
    self.parameters = parameters
    self.isExact = isExact
  }
}

/// A column that a condition may read.
package struct SQLColumn: Sendable {
  /// The name as SQL text, quotes and all.
  package var quoted: String

  /// Whether 0 and 1 in it are truth values.
  package var isBoolean: Bool

  package init(quoted: String, isBoolean: Bool) {
    self.quoted = quoted
    self.isBoolean = isBoolean
  }
}
