package import Columns
package import Features
import JSON

/// The texts and lists that the values of one aggregate refer to.
package struct AggregateTable: Sendable {
  /// The texts of the points, each once, ascending.
  package var texts: PropertyColumn

  /// The values of all lists, one list after the other.
  package var lists: Column<AggregateValue>

  /// The text between the values of a list that becomes one text; `nil` for lists that are arrays.
  package var separator: String?

  package init(
    texts: PropertyColumn = PropertyColumn(name: ""), lists: Column<AggregateValue> = [],
    separator: String? = nil
  ) {
    self.texts = texts
    self.lists = lists
    self.separator = separator
  }

  /// Returns a value in the form that expressions read.
  package func property(_ value: AggregateValue) -> PropertyValue {
    switch value {
    case .null: return .null
    case .number(let number): return .number(number)
    case .boolean(let bool): return .bool(bool)
    case .text(let row): return texts.value(Int(row)) ?? .null
    case .list(let start, let count):
      let values = lists[Int(start)..<Int(start) + Int(count)].map(property)
      guard let separator else { return .array(values) }
      let words = values.map { value in
        if case .string(let text) = value { text } else { JSONWriter.text(value) }
      }
      return .string(words.joined(separator: separator))
    }
  }

  /// Whether a value refers to nothing that the table lacks.
  func holds(_ value: AggregateValue) -> Bool {
    switch value {
    case .null, .number, .boolean: true
    case .text(let row): row < texts.count
    case .list(let start, let count): Int(start) + Int(count) <= lists.count
    }
  }

  /// Whether no value of a list refers to another list or to a text that the table lacks.
  var isWhole: Bool {
    lists.allSatisfy { if case .list = $0 { false } else { holds($0) } }
  }
}
