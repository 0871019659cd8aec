extension JSONTokenizer {
  /// The spelling of the number read last; valid until the next call.
  package var numberSpelling: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + (cursor - numberLength), count: numberLength)
  }

  /// Reads the number whose first byte ``peek()`` has just returned; infinite if it exceeds a
  /// Double.
  package mutating func readNumber() throws(JSONFailure) -> Double {
    while true {
      let window = UnsafeRawBufferPointer(start: base + cursor, count: end - cursor)
      if let number = NumberGrammar.parsePrefix(window), number.length < window.count,
        number.length <= limits.numberBytes
      {
        cursor += number.length
        numberLength = number.length
        awaited = .separator
        return number.value
      }
      // It touches the window's end, violates the grammar or exceeds a Double.
      let spelling = window.prefix(while: JSONByte.mayStandInNumber)
      guard spelling.count <= limits.numberBytes else {
        throw JSONFailure(.text, place(), "a number longer than \(limits.numberBytes) bytes")
      }
      if spelling.count == window.count, try refill(from: cursor) { continue }
      return try readLastNumber(spelling.count)
    }
  }

  /// Reads a number that is entirely in the window, given the count of bytes that may be part of
  /// it.
  private mutating func readLastNumber(_ count: Int) throws(JSONFailure) -> Double {
    let spelling = UnsafeRawBufferPointer(start: base + cursor, count: count)
    if let number = NumberGrammar.parsePrefix(spelling) {
      cursor += number.length
      numberLength = number.length
      awaited = .separator
      return number.value
    }
    let whole = Self.lengthOfNumber(spelling)
    cursor += abs(whole)
    numberLength = abs(whole)
    guard whole > 0 else { throw unexpected("a digit of a number") }
    awaited = .separator
    return .infinity
  }

  /// Returns the number of bytes that follow the grammar, negated or 0 if a digit is missing after
  /// them.
  private static func lengthOfNumber(_ spelling: UnsafeRawBufferPointer) -> Int {
    var index = spelling.first == JSONByte.minus ? 1 : 0
    func skipDigits() -> Bool {
      let start = index
      while index < spelling.count, spelling[index] &- JSONByte.zero < 10 { index += 1 }
      return index > start
    }
    guard skipDigits() else { return -index }
    if index < spelling.count, spelling[index] == JSONByte.point {
      index += 1
      guard skipDigits() else { return -index }
    }
    if index < spelling.count, spelling[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      let isSigned =
        index < spelling.count
        && (spelling[index] == JSONByte.minus || spelling[index] == JSONByte.plus)
      if isSigned { index += 1 }
      guard skipDigits() else { return -index }
    }
    return index
  }
}
