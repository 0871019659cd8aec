/// The use of a property as a number or a time, by the texts that have no effect in it.
package enum QuantityUse: UInt8, CaseIterable, Comparable, Sendable {
  /// Compared for equality, or with a fallback for other values: a text is a mistake only if it
  /// looks like a number.
  case equality
  /// Converted by `to-number`, which also reads texts such as `+5`.
  case conversion
  /// Compared for order, calculated with or drawn: only numbers have an effect.
  case value
  /// Compared with an instant: only times have an effect.
  case time
  /// An order of all values: as numbers if all are numbers, as times if all are times, otherwise as
  /// texts.
  case order

  package static func < (lhs: QuantityUse, rhs: QuantityUse) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A property and its use as a number or a time.
package struct QuantityRequest: Hashable, Comparable, Sendable {
  package var name: String
  package var use: QuantityUse

  package init(_ name: String, _ use: QuantityUse) {
    self.name = name
    self.use = use
  }

  package static func < (lhs: QuantityRequest, rhs: QuantityRequest) -> Bool {
    (lhs.name, lhs.use) < (rhs.name, rhs.use)
  }
}

/// A count of the values of a property that is used as a number or a time, and of the texts among
/// them that have no effect.
package struct QuantityCensus: Hashable, Sendable {
  /// The number of values, without null.
  package var values: Int

  /// The number of texts that have no effect.
  package var texts: Int

  /// The first of these texts, with its place.
  package var first: LedgerNote?

  /// The number of values that are no times, and the first of them; counted for ``QuantityUse/order``.
  package var untimed = 0
  package var firstUntimed: LedgerNote?

  /// Whether one of the first of these texts has a comma that can only be a decimal one: `12,5`.
  package var hasDecimalComma: Bool

  package init(
    values: Int = 0, texts: Int = 0, first: LedgerNote? = nil, hasDecimalComma: Bool = false
  ) {
    self.values = values
    self.texts = texts
    self.first = first
    self.hasDecimalComma = hasDecimalComma
  }
}
