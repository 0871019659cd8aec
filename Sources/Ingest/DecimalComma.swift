import Features
import JSON

/// Numbers as most of the world's spreadsheets write them: `52,52`, `-1.234,56`, `1 234`.
///
/// The comma stands before the decimals, and digits may be grouped in threes by one mark: a point,
/// a space (also a no-break one) or an apostrophe.
package enum DecimalComma {
  /// The maximum number of bytes of a number.
  private static let limit = 48

  /// The marks between groups of digits, in UTF-8: point, apostrophes and spaces.
  private static let groupMarks: [[UInt8]] = [".", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}"]
    .map { Array($0.utf8) }

  /// Returns the number that the bytes spell with a decimal comma or with groups of digits; `nil` for
  /// any other text, also for a plain number.
  package static func parse(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard bytes.count <= limit, let last = bytes.last, isDigit(last) else { return nil }
    var plain: [UInt8] = []
    var index = 0
    if bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "+") {
      plain.append(bytes[0])
      index = 1
    }
    let first = index
    takeDigits(bytes, &index, &plain)
    let leading = index - first
    guard leading > 0 else { return nil }
    let isGrouped = takeGroups(bytes, &index, &plain, leading: leading)
    // A zero before a group is the beginning of a code or of a fraction.
    guard !isGrouped || bytes[first] != UInt8(ascii: "0") else { return nil }
    let hasComma = index < bytes.count && bytes[index] == UInt8(ascii: ",")
    if hasComma {
      plain.append(UInt8(ascii: "."))
      index += 1
      takeDigits(bytes, &index, &plain)
    }
    guard hasComma || isGrouped, index == bytes.count else { return nil }
    return plain.withUnsafeBytes(NumberGrammar.parseCoordinate)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func takeDigits(
    _ bytes: UnsafeRawBufferPointer, _ index: inout Int, _ plain: inout [UInt8]
  ) {
    while index < bytes.count, isDigit(bytes[index]) {
      plain.append(bytes[index])
      index += 1
    }
  }

  /// Takes the groups of three digits behind the leading ones, all divided by the same mark.
  ///
  /// - Returns: whether there are any.
  private static func takeGroups(
    _ bytes: UnsafeRawBufferPointer, _ index: inout Int, _ plain: inout [UInt8], leading: Int
  ) -> Bool {
    let mark = groupMarks.first { bytes[index...].starts(with: $0) }
    guard leading <= 3, let mark else { return false }
    var groups = 0
    while bytes[index...].starts(with: mark) {
      let start = index + mark.count
      guard start + 3 <= bytes.count, bytes[start..<(start + 3)].allSatisfy(isDigit),
        start + 3 == bytes.count || !isDigit(bytes[start + 3])
      else { return groups > 0 }
      plain.append(contentsOf: bytes[start..<(start + 3)])
      index = start + 3
      groups += 1
    }
    return groups > 0
  }
}
