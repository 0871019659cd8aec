/// A reader of the tags and texts of XML, one after the other, in memory that does not grow.
///
/// Namespace prefixes are ignored. Only the five predefined entities and numeric references are
/// replaced: nothing is declared, nested or fetched. Bytes that are not XML give meaningless tags,
/// up to the end of the bytes.
struct XMLScanner {
  enum Event {
    case start, end, text
  }

  private let bytes: UnsafeRawBufferPointer
  private var index = 0
  private var name = 0..<0
  private var attributes = 0..<0
  private var content = 0..<0
  private var isLiteral = false
  /// Whether the end of an empty element (`<a/>`) is still to be returned.
  private var isEndPending = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The place of the tag or text that is read next.
  var offset: Int { index }

  /// Moves to the next tag or text; `nil` at the end of the bytes.
  mutating func next() -> Event? {
    if isEndPending {
      isEndPending = false
      return .end
    }
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        (content, isLiteral) = (index..<end, false)
        index = end
        return .text
      }
      if starts("<!--") {
        skip(past: "-->")
      } else if starts("<![CDATA[") {
        let begin = index + 9
        skip(past: "]]>")
        (content, isLiteral) = (begin..<max(begin, index - 3), true)
        return .text
      } else if starts("<?") || starts("<!") {
        skip(past: ">")
      } else {
        return tag()
      }
    }
    return nil
  }

  private mutating func tag() -> Event {
    let isEnd = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
    var begin = index + (isEnd ? 2 : 1)
    var place = begin
    while place < bytes.count, !Self.endsName(bytes[place]) {
      if bytes[place] == UInt8(ascii: ":") { begin = place + 1 }
      place += 1
    }
    name = begin..<max(begin, place)
    let first = place
    var quote: UInt8?
    while place < bytes.count, quote != nil || bytes[place] != UInt8(ascii: ">") {
      let byte = bytes[place]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      place += 1
    }
    attributes = first..<place
    isEndPending = !isEnd && place > first && bytes[place - 1] == UInt8(ascii: "/")
    index = min(place + 1, bytes.count)
    return isEnd ? .end : .start
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
  }

  private func starts(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[index...].starts(with: $0) }
  }

  private mutating func skip(past text: StaticString) {
    text.withUTF8Buffer { mark in
      while index < bytes.count, !bytes[index...].starts(with: mark) { index += 1 }
      index = min(index + mark.count, bytes.count)
    }
  }

  // MARK: Values

  /// Whether the tag that was read last has a name.
  func isNamed(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[name].elementsEqual($0) }
  }

  /// Returns the value of an attribute of the tag that was read last; `nil` without it.
  func attribute(_ wanted: StaticString) -> String? {
    var place = attributes.lowerBound
    while place < attributes.upperBound {
      guard let equals = bytes[place..<attributes.upperBound].firstIndex(of: UInt8(ascii: "="))
      else { return nil }
      let named = bytes[place..<equals].split { $0 <= 0x20 || $0 == UInt8(ascii: ":") }.last
      let rest = bytes[(equals + 1)..<attributes.upperBound]
      guard let open = rest.firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
        let close = bytes[(open + 1)..<attributes.upperBound].firstIndex(of: bytes[open])
      else { return nil }
      let isWanted = wanted.withUTF8Buffer { text in named?.elementsEqual(text) ?? false }
      if isWanted {
        var value: [UInt8] = []
        append((open + 1)..<close, to: &value)
        return String(decoding: value, as: UTF8.self)
      }
      place = close + 1
    }
    return nil
  }

  /// Appends the text that was read last.
  func appendText(to target: inout [UInt8]) {
    if isLiteral { target += bytes[content] } else { append(content, to: &target) }
  }

  /// Appends text with its entities replaced.
  private func append(_ range: Range<Int>, to target: inout [UInt8]) {
    var place = range.lowerBound
    while place < range.upperBound {
      guard bytes[place] == UInt8(ascii: "&"),
        let end = bytes[place..<min(range.upperBound, place + 12)].firstIndex(
          of: UInt8(ascii: ";")),
        let scalar = Self.scalar(bytes[(place + 1)..<end])
      else {
        target.append(bytes[place])
        place += 1
        continue
      }
      target += Array(String(scalar).utf8)
      place = end + 1
    }
  }

  private static func scalar(_ entity: Slice<UnsafeRawBufferPointer>) -> Unicode.Scalar? {
    switch String(decoding: entity, as: UTF8.self) {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    case let text where text.hasPrefix("#x"):
      UInt32(text.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case let text where text.hasPrefix("#"):
      UInt32(text.dropFirst()).flatMap(Unicode.Scalar.init)
    default: nil
    }
  }
}
