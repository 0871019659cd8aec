import JSON

// Access to a column's bytes as values: this is where a CSV field gets its type.
extension PropertyColumn {
  /// Returns the value of a row, `nil` if the record lacks the property.
  ///
  /// Text is a number where it follows the ``NumberGrammar``, otherwise a string. JSON that is
  /// malformed or nested too deeply is null: readers never store such texts.
  package func value(_ row: Int) -> PropertyValue? {
    switch kinds[row] {
    case .missing: nil
    case .null: .null
    case .false: .bool(false)
    case .true: .bool(true)
    case .number: number(row).map(PropertyValue.number)
    case .string: .string(rawText(row))
    case .text: number(row).map(PropertyValue.number) ?? .string(rawText(row))
    case .json: withBytes(row) { PropertyValue(storedJSON: $0) ?? .null }
    }
  }

  /// Returns the number of a row, `nil` if its value is anything else.
  package func number(_ row: Int) -> Double? {
    switch kinds[row] {
    case .number: withBytes(row) { $0.count == 8 ? $0.loadUnaligned(as: Double.self) : nil }
    case .text: withBytes(row) { NumberGrammar.parse($0) }
    default: nil
    }
  }

  /// Returns the text of a number in a field without a type of its own, as the file spells it; `nil`
  /// for any other value.
  package func spelling(_ row: Int) -> String? {
    kinds[row] == .text && number(row) != nil ? rawText(row) : nil
  }

  /// Returns the digits of a whole number beyond ±2⁵³; `nil` for any other value.
  package func wholeNumber(_ row: Int) -> WholeNumber? {
    kinds[row] == .text ? WholeNumber(rawText(row)) : nil
  }

  /// Returns the string of a row, `nil` if its value is anything else (including a number).
  package func string(_ row: Int) -> String? {
    switch kinds[row] {
    case .string: rawText(row)
    case .text: number(row) == nil ? rawText(row) : nil
    default: nil
    }
  }

  /// Returns a row as text, as spelled in the file: `01234` and `1.50` stay as they are.
  ///
  /// Numbers of typed files are in their shortest form, whole ones without a decimal point; `nil`
  /// for null and missing values.
  package func text(_ row: Int) -> String? {
    switch kinds[row] {
    case .missing, .null: nil
    case .false: "false"
    case .true: "true"
    case .number: number(row).map(\.shortestText)
    case .string, .text, .json: rawText(row)
    }
  }

  /// Whether a row has no value: null or missing.
  @inlinable
  package func isNull(_ row: Int) -> Bool {
    kinds[row] == .null || kinds[row] == .missing
  }

  /// Whether a row is null or an empty text.
  package func isBlank(_ row: Int) -> Bool { isNull(row) || text(row)?.isEmpty == true }

  private func rawText(_ row: Int) -> String {
    withBytes(row) { String(decoding: $0, as: UTF8.self) }
  }
}

extension Double {
  /// The shortest text of the number; whole numbers have no decimal point.
  package var shortestText: String {
    if let whole = Int(exactly: self), whole.magnitude < 1 << 53 { return String(whole) }
    return "\(self)"
  }
}
