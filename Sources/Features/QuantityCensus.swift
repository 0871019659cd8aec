/// The use of a property as a number or a time, by the texts that have no effect in it.
package enum QuantityUse: UInt8, CaseIterable, Comparable, Sendable {
  /// Compared for equality, or with a fallback for other values: a text is a mistake only if it
  /// looks like a number.
  case equality
  /// Converted by `to-number`, which also reads texts such as `+5`.
  case conversion
  /// Compared for order, used in a calculation, or drawn: only numbers have an effect.
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

  /// The number of values that are not times, and the first of these; counted for
  /// ``QuantityUse/order``.
  package var untimed = 0
  package var firstUntimed: LedgerNote?

  /// The number of values among ``untimed`` that are times with the day or the month first, such as
  /// `19/01/2014`; and how many of these can have only the day first, or only the month.
  package var written = 0
  package var dayFirst = 0
  package var monthFirst = 0

  /// Whether all values can be written with the day first, or all with the month first.
  package var isWrittenDate: Bool { written == values && (dayFirst == 0 || monthFirst == 0) }

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
