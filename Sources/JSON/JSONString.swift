import CScan

// Strings are a range of the window where possible, and the scratch buffer if they have escapes.

extension JSONTokenizer {
  /// Reads the string whose quote ``peek()`` has just returned into ``text``.
  package mutating func readString() throws(JSONFailure) {
    var index = cursor + 1
    while true {
      index = plainEnd(from: index)
      if index < end {
        switch base[index] {
        case JSONByte.quote:
          guard index - cursor - 1 <= limits.stringBytes else { throw tooLong(place()) }
          setText((cursor + 1)..<index)
          cursor = index + 1
          awaited = .separator
          return
        case JSONByte.backslash:
          return try readEscapedString(plainEnd: index)
        case 0x80...:
          let length = UTF8Sequence.length(base + index, available: end - index)
          if length > 0 {
            index += length
            continue
          }
          if length == 0 { throw notUTF8(at: index) }
        default:
          throw controlCharacter(at: index)
        }
      }
      let read = index - cursor
      guard read - 1 <= limits.stringBytes else { throw tooLong(place()) }
      guard try refill(from: cursor) else { throw unterminated(place()) }
      index = cursor + read
    }
  }

  /// Returns the index of the first byte from `index` on that is not plain ASCII within a string,
  /// or `end`.
  @inline(__always)
  private func plainEnd(from index: Int) -> Int {
    var index = index
    while end &- index >= 16 {
      let ends = cscan_string_ends(base + index)
      if ends != 0 { return index &+ ends.trailingZeroBitCount }
      index &+= 16
    }
    while index < end {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
      let special = Self.specialBytes(word)
      if special != 0 { return min(index + special.trailingZeroBitCount >> 3, end) }
      index += 8
    }
    return end
  }

  /// Returns a word with the top bit set in the lowest byte that is a quote, a backslash, a control
  /// character or not ASCII; higher bytes may be wrong.
  ///
  /// The test for a zero byte is Mycroft's: `(x - 1) & ~x` has a top bit where x is 0.
  @inline(__always)
  private static func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(JSONByte.quote))
    let backslashes = word ^ (ones &* UInt64(JSONByte.backslash))
    let controls = (word &- ones &* 0x20) & ~word
    let hits = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | controls
    return (hits | word) & (ones &* 0x80)
  }

  /// Continues from the first backslash, collecting the unescaped bytes in ``scratch``.
  private mutating func readEscapedString(plainEnd index: Int) throws(JSONFailure) {
    let opening = place()
    scratch.removeAll()
    scratch.append(from: base + cursor + 1, count: index - cursor - 1)
    cursor = index
    while true {
      let plain = plainEnd(from: cursor)
      scratch.append(from: base + cursor, count: plain - cursor)
      cursor = plain
      guard scratch.count <= limits.stringBytes else { throw tooLong(opening) }
      guard try ensure(1) else { throw unterminated(opening) }
      if plain > cursor { continue }
      switch base[cursor] {
      case JSONByte.quote:
        cursor += 1
        awaited = .separator
        setTextFromScratch()
        return
      case JSONByte.backslash:
        try readEscape(opening)
      case 0x80...:
        try copySequence()
      case 0..<0x20:
        throw controlCharacter(at: cursor)
      default:
        continue
      }
    }
  }

  private mutating func copySequence() throws(JSONFailure) {
    _ = try ensure(4)
    let length = UTF8Sequence.length(base + cursor, available: end - cursor)
    guard length > 0 else { throw notUTF8(at: cursor) }
    scratch.append(from: base + cursor, count: length)
    cursor += length
  }

  private mutating func readEscape(_ opening: JSONPlace) throws(JSONFailure) {
    guard try ensure(2) else { throw unterminated(opening) }
    let byte: UInt8
    switch base[cursor + 1] {
    case JSONByte.quote, JSONByte.backslash, UInt8(ascii: "/"): byte = base[cursor + 1]
    case UInt8(ascii: "b"): byte = 0x08
    case UInt8(ascii: "f"): byte = 0x0C
    case UInt8(ascii: "n"): byte = 0x0A
    case UInt8(ascii: "r"): byte = 0x0D
    case UInt8(ascii: "t"): byte = 0x09
    case UInt8(ascii: "u"): return try readUnicodeEscape()
    default:
      throw JSONFailure(
        .text, place(),
        "a backslash in a string begins one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
    }
    scratch.append(byte)
    cursor += 2
  }

  /// Reads `\uXXXX`, or two of them that form a surrogate pair.
  private mutating func readUnicodeEscape() throws(JSONFailure) {
    var value = try codeUnit(at: 0)
    var length = 6
    if value >= 0xD800, value < 0xE000 {
      guard value < 0xDC00, try ensure(12), base[cursor + 6] == JSONByte.backslash,
        base[cursor + 7] == UInt8(ascii: "u")
      else { throw loneSurrogate() }
      let low = try codeUnit(at: 6)
      guard low >= 0xDC00, low < 0xE000 else { throw loneSurrogate() }
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      length = 12
    }
    guard let scalar = Unicode.Scalar(value) else { throw loneSurrogate() }
    for byte in UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter {
      scratch.append(byte)
    }
    cursor += length
  }

  /// Returns the value of the escape `\uXXXX` that begins `distance` bytes after the cursor.
  private mutating func codeUnit(at distance: Int) throws(JSONFailure) -> UInt32 {
    var value: UInt32 = 0
    let isWhole = try ensure(distance + 6)
    for index in (cursor + distance + 2)..<(cursor + distance + 6) {
      guard isWhole || index < end,
        let digit = Character(Unicode.Scalar(base[index])).hexDigitValue, base[index] < 0x80
      else { throw JSONFailure(.text, place(), "\\u in a string needs four hexadecimal digits") }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private mutating func loneSurrogate() -> JSONFailure {
    JSONFailure(
      .text, place(), "a surrogate escape without its other half is no character; remove it")
  }

  private mutating func controlCharacter(at index: Int) -> JSONFailure {
    JSONFailure(
      .text, place(at: index),
      "\(JSONByte.described(base[index])) in a string must be written as an escape, "
        + "or a closing quote is missing")
  }

  private mutating func notUTF8(at index: Int) -> JSONFailure {
    JSONFailure(.text, place(at: index), "the string is not UTF-8; convert the file to UTF-8")
  }

  private func unterminated(_ opening: JSONPlace) -> JSONFailure {
    JSONFailure(.text, opening, "the string has no closing quote before the end of the text")
  }

  private func tooLong(_ opening: JSONPlace) -> JSONFailure {
    JSONFailure(.text, opening, "the string is longer than \(limits.stringBytes) bytes")
  }
}
