/// A writer of strings and numbers as JSON text (RFC 8259).
package enum JSONWriter {
  /// The control characters that are written as a backslash and a letter; the others are written as
  /// `\u00XX`.
  ///
  /// Every kind of file keeps the forms that it began with, so that its bytes remain comparable.
  package struct Escapes: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let backspace = Escapes(rawValue: 1)
    package static let tab = Escapes(rawValue: 2)
    package static let lineFeed = Escapes(rawValue: 4)
    package static let formFeed = Escapes(rawValue: 8)
    package static let carriageReturn = Escapes(rawValue: 16)

    /// All short escapes of JSON, as `JSON.stringify` writes them.
    package static let all: Escapes = [.backspace, .tab, .lineFeed, .formFeed, .carriageReturn]
  }

  /// Returns a string in quotes.
  package static func text(_ string: String, escapes: Escapes = .all) -> String {
    var bytes: [UInt8] = []
    append(string: string, to: &bytes, escapes: escapes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a string in quotes, with escapes only where JSON requires them.
  package static func append(
    string: String, to bytes: inout [UInt8], escapes: Escapes = .all
  ) {
    var string = string
    string.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), to: &bytes, escapes: escapes) }
  }

  /// Appends UTF-8 as a string in quotes.
  package static func append(
    utf8: UnsafeRawBufferPointer, to bytes: inout [UInt8], escapes: Escapes = .all
  ) {
    bytes.append(JSONByte.quote)
    var start = 0
    for index in 0..<utf8.count {
      let byte = utf8[index]
      guard byte < 0x20 || byte == JSONByte.quote || byte == JSONByte.backslash else { continue }
      bytes.append(contentsOf: utf8[start..<index])
      appendEscape(byte, escapes, to: &bytes)
      start = index + 1
    }
    bytes.append(contentsOf: utf8[start...])
    bytes.append(JSONByte.quote)
  }

  /// Appends a number in JavaScript's shortest form that reads back as the same Double; `null` for
  /// infinity and NaN.
  package static func append(_ number: Double, to bytes: inout [UInt8]) {
    guard number.isFinite else {
      bytes.append(contentsOf: "null".utf8)
      return
    }
    NumberText.append(number, to: &bytes)
  }

  /// Appends a number with at most seven decimals, such as degrees.
  package static func append(rounded number: Double, to bytes: inout [UInt8]) {
    let steps = (number * 1e7).rounded()
    let magnitude = abs(steps)
    // Smaller ones have an exponent, and greater ones more digits than a Double holds exactly.
    guard magnitude >= 10, magnitude < 1e15 else { return append(steps / 1e7, to: &bytes) }
    if steps < 0 { bytes.append(JSONByte.minus) }
    var (rest, decimals) = (Int(magnitude), 7)
    while decimals > 0, rest % 10 == 0 { (rest, decimals) = (rest / 10, decimals - 1) }
    let start = bytes.count
    while rest > 0 || decimals >= 0 {
      bytes.append(JSONByte.zero + UInt8(rest % 10))
      (rest, decimals) = (rest / 10, decimals - 1)
      if decimals == 0 { bytes.append(UInt8(ascii: ".")) }
    }
    bytes[start...].reverse()
  }

  private static func appendEscape(
    _ byte: UInt8, _ escapes: Escapes, to bytes: inout [UInt8]
  ) {
    bytes.append(JSONByte.backslash)
    switch byte {
    case 0x08 where escapes.contains(.backspace): bytes.append(UInt8(ascii: "b"))
    case 0x09 where escapes.contains(.tab): bytes.append(UInt8(ascii: "t"))
    case 0x0A where escapes.contains(.lineFeed): bytes.append(UInt8(ascii: "n"))
    case 0x0C where escapes.contains(.formFeed): bytes.append(UInt8(ascii: "f"))
    case 0x0D where escapes.contains(.carriageReturn): bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      append("u00", to: &bytes)
      append(byte < 0x10 ? "0" : "1", to: &bytes)
      let low = byte & 0xF
      bytes.append(low < 10 ? JSONByte.zero + low : UInt8(ascii: "a") + low - 10)
    default: bytes.append(byte)
    }
  }

  private static func append(_ word: StaticString, to bytes: inout [UInt8]) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }
}
