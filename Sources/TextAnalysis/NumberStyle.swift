import CICU

/// A format of numbers in a language, as of `Intl.NumberFormat`.
package struct NumberStyle: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case decimal
    /// An amount of money; three letters of ISO 4217.
    case currency(String)
    /// A unit of measure, by its name in ECMA-402: `kilometer-per-hour`.
    case unit(String)
  }

  private let kind: Kind
  private let language: Language
  private let places: ClosedRange<Int>

  /// - Parameters:
  ///   - locale: a BCP 47 language tag; English without one, and if ICU has no data for it.
  ///   - places: the minimum and maximum number of decimal places; halves round away from zero.
  package init(_ kind: Kind, locale: String?, places: ClosedRange<Int>) {
    self.kind = kind
    self.places = places
    language = Language(tag: locale)
  }

  /// Returns the usual number of decimal places of a currency.
  package static func places(ofCurrency code: String) -> Int {
    Int(cicu_currency_places(Array(code.utf16) + [0]))
  }

  /// Whether a unit is one of those that ECMA-402 allows, or a ratio of two of them.
  package static func isUnit(_ name: String) -> Bool {
    let parts = name.split(separator: "-per-", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    return parts.allSatisfy(units.contains)
  }

  private static let units = Set(
    """
    acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte \
    gram hectare hour inch kilobit kilobyte kilogram kilometer liter megabit megabyte meter \
    microsecond mile mile-scandinavian milliliter millimeter millisecond minute month nanosecond \
    ounce percent petabyte pound second stone terabit terabyte week yard year
    """.split(separator: " ").map(String.init))

  /// Returns the text of a number.
  ///
  /// - Complexity: O(digits).
  package func text(of number: Double) throws(TextAnalysisError) -> String {
    try Self.formats.value(for: self) { () throws(TextAnalysisError) in
      try OpenedFormat(skeleton, language)
    }.text(of: number)
  }

  private static let formats = ICUObjects<NumberStyle, OpenedFormat>()

  /// The format in ICU's language of number skeletons.
  private var skeleton: String {
    let what =
      switch kind {
      case .decimal: ""
      case .currency(let code): "currency/\(code) "
      case .unit(let name): "unit/\(name) "
      }
    return what + "rounding-mode-half-up ."
      + String(repeating: "0", count: places.lowerBound)
      + String(repeating: "#", count: places.count - 1)
  }
}

/// A number format of ICU, which any number of threads may use at once.
private final class OpenedFormat: Sendable {
  nonisolated(unsafe) private let numbers: OpaquePointer

  init(_ skeleton: String, _ language: Language) throws(TextAnalysisError) {
    var status: Int32 = 0
    let units = Array(skeleton.utf16)
    guard let numbers = cicu_numbers_open(units, Int32(units.count), language.name, &status)
    else { throw TextAnalysisError(operation: "format numbers", status: status) }
    self.numbers = numbers
  }

  deinit { cicu_numbers_close(numbers) }

  func text(of number: Double) throws(TextAnalysisError) -> String {
    var status: Int32 = 0
    // Room for 309 digits, the decimal places, separators and a unit.
    let text = withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 1024) { buffer in
      let count = cicu_numbers_text(numbers, number, buffer.baseAddress, 1024, &status)
      return String(decoding: buffer.prefix(Int(count)), as: UTF16.self)
    }
    guard status == 0 else { throw TextAnalysisError(operation: "format numbers", status: status) }
    return text
  }
}
