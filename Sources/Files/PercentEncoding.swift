/// Percent-encoding of the parts of an address (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Whether a byte is a letter, a digit or one of `-._~`, which are never encoded (section 2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Whether a byte is allowed unencoded in a path and a query: `pchar`, `/` and `?` (section 3.3,
  /// 3.4).
  package static func isLegal(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || "!$&'()*+,;=:@/?".utf8.contains(byte)
  }

  /// Returns the text with every byte encoded that is not kept.
  package static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isKept(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a path with its query in which everything illegal is encoded; existing escapes are
  /// kept.
  package static func legalized(_ text: String) -> String {
    let input = Array(text.utf8)
    var bytes: [UInt8] = []
    for (index, byte) in input.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && index + 2 < input.count
        && digit(input[index + 1]) != nil && digit(input[index + 2]) != nil
      if isEscape || isLegal(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text with every escape replaced by its byte.
  package static func decoded(_ text: some StringProtocol) -> [UInt8] {
    let input = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < input.count {
      if input[index] == UInt8(ascii: "%"), index + 2 < input.count,
        let high = digit(input[index + 1]), let low = digit(input[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(input[index])
        index += 1
      }
    }
    return bytes
  }

  /// Returns the text with lower-case digits in its escapes.
  package static func withSmallDigits(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
      for next in index + 1..<min(index + 3, bytes.count) {
        if (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(bytes[next]) { bytes[next] |= 0x20 }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
