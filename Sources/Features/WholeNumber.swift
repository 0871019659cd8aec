import JSON

/// A whole number beyond ±2⁵³ by its decimal digits: identifiers that one Double would merge.
package struct WholeNumber: Hashable, Comparable, Sendable {
  /// The digits without leading zeros, after a minus if it is negative.
  package let text: String

  /// The nearest Double.
  package let double: Double

  /// - Returns: `nil` for a text that is no plain whole number, and for one within ±2⁵³.
  package init?(_ text: String) {
    guard text.utf8.count > 15 else { return nil }
    var text = text
    let number = text.withUTF8 { bytes -> Double? in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard let number = NumberGrammar.parse(bytes),
        NumberGrammar.isLargeInteger(bytes, value: number)
      else { return nil }
      return number
    }
    guard let number else { return nil }
    self.text = text
    double = number
  }

  private init(text: String, double: Double) {
    self.text = text
    self.double = double
  }

  package static prefix func - (number: WholeNumber) -> WholeNumber {
    let text = number.isNegative ? String(number.text.dropFirst()) : "-" + number.text
    return WholeNumber(text: text, double: -number.double)
  }

  /// Compares by value, exactly.
  package static func < (lhs: WholeNumber, rhs: WholeNumber) -> Bool {
    if lhs.isNegative != rhs.isNegative { return lhs.isNegative }
    return lhs.isNegative
      ? precedes(rhs.text, lhs.text) : precedes(lhs.text, rhs.text)
  }

  private var isNegative: Bool { text.utf8.first == UInt8(ascii: "-") }

  /// Compares digits after the same sign.
  private static func precedes(_ lhs: String, _ rhs: String) -> Bool {
    (lhs.utf8.count, lhs) < (rhs.utf8.count, rhs)
  }
}

extension Double {
  /// Whether the number is ±2⁵³ or beyond, where whole numbers share a Double.
  package var isBeyondExactWholes: Bool { magnitude >= 0x1p53 }
}
