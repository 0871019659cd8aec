/// Statistics of the values of one property over all examined records.
package struct ColumnProfile: Sendable {
  /// The property's name.
  package let name: String

  /// Records whose value is null, empty or missing.
  package internal(set) var nulls = 0
  package internal(set) var booleans = 0
  package internal(set) var numbers = 0
  package internal(set) var texts = 0
  /// Arrays and objects.
  package internal(set) var nested = 0

  /// The range of the numbers; infinite while there are none.
  package internal(set) var minimum = Double.infinity
  package internal(set) var maximum = -Double.infinity

  /// The lengths of texts in bytes.
  package internal(set) var shortestText = Int.max
  package internal(set) var longestText = 0

  package internal(set) var distinct = DistinctCounter()

  /// The first value as the file spells it, truncated to 40 bytes.
  package internal(set) var firstValue = ""

  /// Digit strings with a leading zero, which the grammar of numbers makes texts.
  var leadingZeros = Occurrences()
  /// Numbers with a decimal comma.
  var decimalCommas = Occurrences()
  /// Words that other programs write for null.
  var namedNulls = Occurrences()
  /// The distinct words among these, in the order of the file; at most eight.
  var nullNames: [String] = []
  /// Texts of a typed file that would be numbers without their quotes.
  var textNumbers = Occurrences()
  /// Text that was once decoded wrongly.
  var mojibake = Occurrences()
  /// Dates with a time that name their zone, and those that do not.
  var zonedTimes = 0
  var zonelessTimes = Occurrences()
  /// Dates with a time in an order that no parser reads as a time: `1/19/2014 06:00`.
  var unreadTimes = Occurrences()

  init(name: String) {
    self.name = name
  }

  /// Records that have a value.
  package var values: Int { booleans + numbers + texts + nested }

  /// The kinds of values that occur, most frequent first, for display: `number`, `text, null`.
  package var kinds: [(name: String, count: Int)] {
    let all = [
      ("number", numbers), ("text", texts), ("boolean", booleans), ("nested", nested),
      ("null", nulls),
    ]
    return all.enumerated().filter { $0.element.1 > 0 }
      .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
      .map { (name: $0.element.0, count: $0.element.1) }
  }
}
