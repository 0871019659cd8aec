/// A pattern of `LIKE`: `%` matches any text, `_` one Unicode scalar, `\` makes the next character
/// literal.
struct LikePattern: Sendable {
  /// An element of a pattern between two `%`.
  enum Element: Hashable, Sendable {
    /// A literal byte of UTF-8.
    case byte(UInt8)
    /// Any one scalar, however many bytes it has.
    case anyScalar
  }

  /// The elements before, between and after the `%`; one segment if there is no `%`.
  let segments: [[Element]]

  /// Compiles a pattern; `nil` if it ends with a lone backslash.
  init?(_ pattern: String) {
    var segments: [[Element]] = [[]]
    var isEscaped = false
    for byte in pattern.utf8 {
      if isEscaped || ![UInt8(ascii: "\\"), UInt8(ascii: "%"), UInt8(ascii: "_")].contains(byte) {
        segments[segments.count - 1].append(.byte(byte))
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "_") {
        segments[segments.count - 1].append(.anyScalar)
      } else {
        segments.append([])
      }
    }
    guard !isEscaped else { return nil }
    self.segments = segments
  }

  /// Whether the whole text matches the pattern.
  ///
  /// Each segment takes its first possible position, which loses no match, since only `%` stands
  /// between segments.
  /// - Complexity: O(text × pattern) at worst, O(text) for usual patterns.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches($0) }
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var position = Self.end(of: segments[0], in: text, at: 0) else { return false }
    if segments.count == 1 { return position == text.count }
    for segment in segments.dropFirst().dropLast() {
      guard let end = Self.firstEnd(of: segment, in: text, from: position) else { return false }
      position = end
    }
    return Self.isEnd(segments[segments.count - 1], of: text, after: position)
  }

  /// Returns the position after a segment that matches at a position, or `nil`.
  private static func end(
    of segment: [Element], in text: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> Int? {
    var position = start
    for element in segment {
      guard position < text.count else { return nil }
      switch element {
      case .byte(let byte):
        guard text[position] == byte else { return nil }
        position += 1
      case .anyScalar: position = next(text, after: position)
      }
    }
    return position
  }

  private static func firstEnd(
    of segment: [Element], in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    var position = start
    while true {
      if let end = end(of: segment, in: text, at: position) { return end }
      guard position < text.count else { return nil }
      position = next(text, after: position)
    }
  }

  /// Whether the text ends with a segment that begins at or after a position.
  private static func isEnd(
    _ segment: [Element], of text: UnsafeBufferPointer<UInt8>, after start: Int
  ) -> Bool {
    var position = text.count
    for element in segment.reversed() {
      guard position > start else { return false }
      position -= 1
      switch element {
      case .byte(let byte): guard text[position] == byte else { return false }
      case .anyScalar: while position > start, text[position] & 0xC0 == 0x80 { position -= 1 }
      }
    }
    return true
  }

  /// Returns the beginning of the next scalar.
  private static func next(_ text: UnsafeBufferPointer<UInt8>, after position: Int) -> Int {
    var position = position + 1
    while position < text.count, text[position] & 0xC0 == 0x80 { position += 1 }
    return position
  }
}
