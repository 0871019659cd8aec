extension JSONTokenizer {
  /// Reads `true`, `false` or `null`; throws if no value begins here.
  package mutating func readLiteral() throws(JSONFailure) -> JSONLiteral {
    let literal: JSONLiteral
    switch try peek() {
    case UInt8(ascii: "t"): literal = .true
    case UInt8(ascii: "f"): literal = .false
    case UInt8(ascii: "n"): literal = .null
    default: throw unexpected("a value", followsComma: endsArray)
    }
    let word = literal.word
    guard try ensure(word.utf8CodeUnitCount),
      UnsafeRawBufferPointer(start: base + cursor, count: word.utf8CodeUnitCount).holds(word)
    else { throw unexpected("a value (true, false and null in lower case)") }
    cursor += word.utf8CodeUnitCount
    awaited = .separator
    return literal
  }
}

/// The three literals of JSON.
package enum JSONLiteral: Sendable {
  case null
  case `false`
  case `true`

  fileprivate var word: StaticString {
    switch self {
    case .null: "null"
    case .false: "false"
    case .true: "true"
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes spell the word.
  @inlinable @inline(__always)
  package func holds(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != word.utf8Start[index] { return false }
    return true
  }
}
