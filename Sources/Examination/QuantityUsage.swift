package import Features
import Ingest
import JSON

/// A place in a pipeline where a property is used as a number or a time, and the words about values
/// that are neither.
package struct QuantityUsage: Hashable, Sendable {
  /// The form in which the pipeline could read such values.
  package enum Form: Hashable, Sendable {
    /// An expression.
    case expression
    /// A condition in CQL2, which cannot convert texts; the key of the expression that can.
    case condition(alternative: String)
    /// The name of a property and nothing else.
    case name
  }

  package var request: QuantityRequest

  /// The key or layer that uses the property, with its place in the pipeline file.
  package var user: String

  package var form: Form

  /// Whether all records count, since the use decides which of them are used.
  package var testsRecords: Bool

  package init(_ request: QuantityRequest, user: String, form: Form, testsRecords: Bool = false) {
    self.request = request
    self.user = user
    self.form = form
    self.testsRecords = testsRecords
  }

  /// Returns the sentence about the values that have no effect; `nil` if there are none.
  ///
  /// - Parameter file: the source's file, for the place of the example; `nil` leaves that out.
  package func message(_ census: QuantityCensus, file: String? = nil) -> String? {
    if request.use == .order { return orderMessage(census, file: file) }
    guard census.texts > 0, let first = census.first else { return nil }
    let place = (first.file ?? file).map { " (\($0):\(first.line))" } ?? ""
    let isOne = census.texts == 1
    let (verb, one, many) =
      switch request.use {
      case .equality: ("compares '\(request.name)' with numbers", "a text", "texts")
      case .time: ("uses '\(request.name)' as a time", "no time", "no times")
      default: ("uses '\(request.name)' as a number", "a text", "texts")
      }
    return "\(user) \(verb), but \(census.texts) of "
      + "\(census.values) value\(census.values == 1 ? "" : "s") \(isOne ? "is \(one)" : "are \(many)"), "
      + "such as '\(first.message)'\(place), which count\(isOne ? "s" : "") for nothing."
  }

  /// Returns the sentence about an order that falls back to texts, or rests on a guess; `nil` if all
  /// values are numbers or all are times.
  private func orderMessage(_ census: QuantityCensus, file: String?) -> String? {
    guard census.texts > 0, census.untimed > 0, let number = census.first,
      let time = census.firstUntimed
    else { return nil }
    if census.isWrittenDate {
      guard census.dayFirst + census.monthFirst == 0 else { return nil }
      let place = (time.file ?? file).map { " (\($0):\(time.line))" } ?? ""
      return
        "\(user) orders by '\(request.name)', where no value tells whether the day or the month comes "
        + "first, such as '\(time.message)'\(place): whichever keeps more rows in the order of the file is "
        + "taken. Set 'dates: day-first' or 'dates: month-first' in 'line'."
    }
    let isNumeric = census.texts <= census.untimed && census.texts < census.values
    let isTime = !isNumeric && census.untimed < census.values
    let first = isNumeric ? number : time
    let count = isNumeric ? census.texts : census.untimed
    let place = (first.file ?? file).map { " (\($0):\(first.line))" } ?? ""
    let what = isNumeric ? "no number" : isTime ? "no time" : "neither a number nor a time"
    return
      "\(user) orders by '\(request.name)' as texts, since \(count) of \(census.values) values "
      + "\(count == 1 ? "is" : "are") \(what), such as '\(first.message)'\(place)."
  }

  /// Returns the way to have the values count.
  ///
  /// - Parameter hasNullValues: whether the source has `nullValues`.
  package func advice(_ census: QuantityCensus, hasNullValues: Bool) -> String {
    switch request.use {
    case .time: return "Times are read as 2014-01-19T06:00:00Z."
    case .order:
      return "Numbers, and times such as 2014-01-19T06:00:00Z, are ordered by value if all are so."
    case .equality, .conversion, .value: break
    }
    guard let text = census.first?.message else { return "" }
    guard let spelling = NumberSpelling(text, decimalCommas: census.hasDecimalComma) else {
      return hasNullValues
        ? "If it means that there is no value, name it in 'nullValues'; otherwise write a number."
        : "Write a number or null."
    }
    let number = JSONWriter.text(.number(spelling.number))
    let expression = FlowYAML.text(spelling.expression(of: request.name))
    switch form {
    case .expression: return "\(expression) reads it as \(number); or write \(number) in the file."
    case .condition(let alternative):
      return "Write \(number) in the file, or test \(expression) with \(alternative)."
    case .name: return "Write \(number) in the file."
    }
  }
}
