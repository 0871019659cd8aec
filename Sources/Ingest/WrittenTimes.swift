/// The order of day and month in a written date.
package enum DateOrder: String, CaseIterable, Hashable, Sendable {
  case dayFirst = "day-first"
  case monthFirst = "month-first"
}

/// Times as people and spreadsheets write them, `19/01/2014 06:00:10` or `1-9-2014 6:00 PM`: whether the
/// day or the month comes first, all values of a column decide together.
package struct WrittenTimes {
  /// A number for each time, ascending with the times; 0 where there is none. Not a count of seconds.
  package let keys: [Double]

  /// - Parameters:
  ///   - texts: the values in the order of the file; `nil` where there is none.
  ///   - order: the order of day and month, if it is known.
  /// - Returns: `nil` where a text is no such time, or the values contradict one another and no order is given.
  package init?(_ texts: [String?], order: DateOrder? = nil) {
    var times: [WrittenTime?] = []
    for text in texts {
      guard let text else {
        times.append(nil)
        continue
      }
      guard let time = WrittenTime(text) else { return nil }
      times.append(time)
    }
    let known = times.compactMap(\.self)
    let isDayFirst = order == .dayFirst || known.contains { $0.first > 12 }
    let isMonthFirst = order == .monthFirst || known.contains { $0.second > 12 }
    guard !known.isEmpty, order != nil || !isDayFirst || !isMonthFirst else { return nil }
    func keys(dayFirst: Bool) -> [Double] { times.map { $0?.key(dayFirst: dayFirst) ?? 0 } }
    let (days, months) = (keys(dayFirst: true), keys(dayFirst: false))
    if isDayFirst || isMonthFirst {
      self.keys = order.map { $0 == .dayFirst } ?? isDayFirst ? days : months
    } else {
      // A log is in order more often than not; points and hyphens stand in dates that begin with a day.
      let (back, other) = (Self.steps(back: days), Self.steps(back: months))
      self.keys =
        back < other || back == other && known[0].mark != UInt8(ascii: "/") ? days : months
    }
  }

  /// Returns how often a value is less than the one before.
  private static func steps(back keys: [Double]) -> Int {
    zip(keys, keys.dropFirst()).count { $0 > $1 }
  }
}

/// A day in digits, with or without a time of day.
package struct WrittenTime {
  /// The first two numbers of the day: day and month, or month and day.
  let first: Int
  let second: Int
  let mark: UInt8
  private let year: Int
  private let seconds: Int

  /// - Returns: `nil` for a text that is no such time; years come last.
  package init?(_ text: UnsafeRawBufferPointer) {
    guard text.count <= 40 else { return nil }
    var rest = text[...]
    /// Takes a number of one digit up to some.
    func number(_ digits: Int) -> (value: Int, digits: Int)? {
      let found = rest.prefix(digits).prefix(while: TextTraits.isDigit)
      guard !found.isEmpty else { return nil }
      rest = rest.dropFirst(found.count)
      return (found.reduce(0) { 10 * $0 + Int($1 & 0xF) }, found.count)
    }
    func take(_ marks: String) -> UInt8? {
      guard let byte = rest.first, marks.utf8.contains(byte) else { return nil }
      rest = rest.dropFirst()
      return byte
    }
    guard let first = number(2)?.value, let mark = take("/.-"), let second = number(2)?.value,
      take("/.-") == mark, let year = number(4), year.digits == 4 || year.digits == 2,
      (1...31).contains(first), (1...31).contains(second), min(first, second) <= 12
    else { return nil }
    (self.first, self.second, self.mark) = (first, second, mark)
    self.year = year.digits == 4 ? year.value : (year.value < 70 ? 2000 : 1900) + year.value
    guard !rest.isEmpty else {
      seconds = 0
      return
    }
    guard take("T ,") != nil else { return nil }
    while take(" ") != nil {}
    guard var hour = number(2)?.value, take(":") != nil, let minute = number(2)?.value else {
      return nil
    }
    let second60 = take(":") == nil ? 0 : number(2)?.value ?? 0
    // Parts of a second do not change the order of what is logged once a second.
    if take(".") != nil { _ = number(9) }
    while take(" ") != nil {}
    if let half = take("AaPp") {
      hour = hour % 12 + (half | 0x20 == UInt8(ascii: "p") ? 12 : 0)
      _ = take(".")
      guard take("Mm") != nil else { return nil }
      _ = take(".")
    }
    guard rest.isEmpty else { return nil }
    seconds = (hour * 60 + minute) * 60 + second60
  }

  package init?(_ text: String) {
    var text = text
    guard let time = text.withUTF8({ WrittenTime(UnsafeRawBufferPointer($0)) }) else { return nil }
    self = time
  }

  /// Whether the day can have been written in an order.
  package func fits(_ order: DateOrder) -> Bool { (order == .dayFirst ? second : first) <= 12 }

  /// A number that grows with the time.
  func key(dayFirst: Bool) -> Double {
    let (day, month) = dayFirst ? (first, second) : (second, first)
    return Double((year * 12 + month) * 32 + day) * 100_000 + Double(seconds)
  }
}
