package import Features

import Calendar

/// Traits of a text, recognized by its bytes.
package enum TextTraits {
  /// A date with a time of day.
  package enum Time {
    /// It ends with `Z` or an offset.
    case zoned
    case zoneless
    /// In a form that ``ISOTimeReader`` does not read, with or without a zone.
    case unread
  }

  /// Whether all bytes are below 128.
  ///
  /// - Complexity: O(n), eight bytes per step.
  package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      offset &+= 8
    }
    while offset < bytes.count {
      if bytes[offset] >= 0x80 { return false }
      offset &+= 1
    }
    return true
  }

  /// Whether the first byte is a digit or a sign, so that a closer look is worth its time.
  @inline(__always)
  package static func mayBeNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first else { return false }
    return isDigit(first) || first == UInt8(ascii: "-")
  }

  @inline(__always)
  package static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Whether all bytes are digits, at least two, the first of them 0.
  package static func hasLeadingZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 2 && bytes.count <= 32 && bytes[0] == UInt8(ascii: "0")
      && bytes.allSatisfy(isDigit)
  }

  /// Whether the bytes are a number with a comma in place of the decimal point, perhaps with groups of
  /// digits: `52,52`, `1.234,5`.
  package static func isDecimalComma(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count <= 32 && bytes.contains(UInt8(ascii: ",")) && DecimalComma.parse(bytes) != nil
  }

  /// Whether the comma of a number is a decimal one whatever the other values are: `1,234` may also be
  /// a thousand.
  package static func isCertainDecimalComma(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return false }
    let whole = bytes[..<comma].filter(isDigit)
    return bytes.count - comma - 1 != 3 || whole.count > 3 || whole.first == UInt8(ascii: "0")
  }

  private static let nullNames: [[UInt8]] = [
    "NA", "N/A", "n/a", "na", "NULL", "null", "Null", "\\N", "-", "--", "?", "nan", "NaN", "NAN",
    "None", "none", "NONE", "#N/A",
  ].map { Array($0.utf8) }

  /// Whether the text is a word that other programs write for null.
  package static func isNamedNull(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count <= 4 && nullNames.contains { bytes.elementsEqual($0) }
  }

  /// Whether the text is UTF-8 that was once decoded as Latin-1 or Windows-1252 and encoded again:
  /// `Ã©` for é, `â€™` for ’.
  ///
  /// A lead byte C3 turns into Ã (C3 83), C2 into Â (C3 82), E2 into â (C3 A2); the byte after it,
  /// from 80 to BF, is now C2 80 … C2 BF, or one of the letters and signs that Windows-1252 has
  /// there, above U+0151. Portuguese and Vietnamese write Ã and Â too, but before other letters.
  package static func isMojibake(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 4 else { return false }
    var index = 0
    while index + 3 < bytes.count {
      defer { index += 1 }
      guard bytes[index] == 0xC3 else { continue }
      let second = bytes[index + 1]
      if second == 0x83 || second == 0x82 {
        if bytes[index + 2] == 0xC2, bytes[index + 3] >= 0x80 { return true }
      } else if second == 0xA2, bytes[index + 2] == 0xE2, bytes[index + 3] == 0x82 {
        return true
      } else if second == 0xA2, bytes[index + 2] == 0xC2, bytes[index + 3] == 0x80 {
        return true
      }
    }
    return false
  }

  /// Returns the form of the time if the text is a date with a time of day, or looks like one:
  /// `1/19/2014 06:00`.
  package static func time(_ bytes: UnsafeRawBufferPointer) -> Time? {
    guard bytes.count >= 12, bytes.count <= 40, bytes.contains(UInt8(ascii: ":")) else {
      return nil
    }
    if let reading = ISOTimeReader.read(bytes), reading.hasClock {
      return reading.hasZone ? .zoned : .zoneless
    }
    var index = 0
    var groups: [Int] = []
    groups.reserveCapacity(5)
    // Five groups of digits: three of the date, hours and minutes.
    while groups.count < 5 {
      let first = index
      while index < bytes.count, isDigit(bytes[index]) { index += 1 }
      guard (1...4).contains(index - first) else { return nil }
      groups.append(index - first)
      if groups.count == 5 { break }
      guard index < bytes.count, isSeparator(bytes[index], behind: groups.count) else { return nil }
      index += 1
    }
    guard groups[0] == 4 || groups[2] == 4, groups[3] <= 2, groups[4] == 2 else { return nil }
    return .unread
  }

  private static func isSeparator(_ byte: UInt8, behind group: Int) -> Bool {
    switch group {
    case 1, 2: "-/.".utf8.contains(byte)
    case 3: byte == UInt8(ascii: "T") || byte == UInt8(ascii: " ")
    default: byte == UInt8(ascii: ":")
    }
  }

  /// Returns the beginning of a text for a message, at most 40 bytes, with control characters,
  /// those that nobody sees, and spaces of other kinds as escapes.
  package static func excerpt(_ bytes: UnsafeRawBufferPointer) -> String {
    let text = String(decoding: bytes.prefix(40), as: UTF8.self).unicodeScalars
      .map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
          scalar.escaped(asASCII: true)
        case .spaceSeparator where scalar != " ": scalar.escaped(asASCII: true)
        default: String(scalar)
        }
      }
      .joined()
    return bytes.count > 40 ? text + "…" : text
  }
}

extension TextTraits {
  /// Returns the beginning of a value for a message.
  package static func excerpt(_ value: UnsafeRawBufferPointer, _ kind: PropertyColumn.Kind)
    -> String
  {
    switch kind {
    case .false: return "false"
    case .true: return "true"
    case .number:
      guard value.count == 8 else { return "" }
      var column = PropertyColumn(name: "")
      column.append(value.loadUnaligned(as: Double.self))
      return column.text(0) ?? ""
    default: return excerpt(value)
    }
  }
}
