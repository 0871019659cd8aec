package import Features
package import JSON

extension ReportJSON {
  /// Creates the JSON of a value that was read; whole numbers that a Double represents exactly
  /// remain whole.
  ///
  /// - Complexity: O(values).
  package init(_ value: PropertyValue) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .number(let number):
      // By magnitude: the absolute value of Int.min does not fit an Int.
      let whole = number.magnitude <= 0x1p53 ? Int(exactly: number) : nil
      self = whole.map { .integer($0) } ?? .number(number)
    case .whole(let whole): self = .number(whole.double)
    case .string(let text): self = .string(text)
    case .array(let items): self = .array(items.map { ReportJSON($0) })
    case .object(let members): self = .object(members.map { Member($0.key, ReportJSON($0.value)) })
    }
  }
}
