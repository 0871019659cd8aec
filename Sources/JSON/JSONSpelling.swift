/// The usual spelling of the beginning of a member: its name in quotes and the colon, or the whole
/// member. A reader that expects it compares two words instead of reading a string.
package struct JSONSpelling: BitwiseCopyable, Sendable {
  /// The number of bytes; 0 for a spelling that is never found.
  let count: Int
  /// Whether the value is part of it, rather than follows.
  let hasValue: Bool
  private let low: UInt64
  private let high: UInt64
  private let lowMask: UInt64
  private let highMask: UInt64

  /// The bytes that are compared.
  static let limit = 16

  /// Creates the spelling of a name; one that is too long, or needs escapes, is never found.
  package init(name: some Collection<UInt8>) {
    let isPlain = name.allSatisfy {
      $0 >= JSONByte.space && $0 != JSONByte.quote && $0 != JSONByte.backslash
    }
    let bytes = [JSONByte.quote] + name + [JSONByte.quote, JSONByte.colon]
    self.init(isPlain && bytes.count <= Self.limit ? bytes : [], hasValue: false)
  }

  /// Creates the spelling of a member whose value is a string; neither needs escapes.
  package init(name: String, value: String) {
    let bytes = Array("\"\(name)\":\"\(value)\"".utf8)
    self.init(bytes.count <= Self.limit ? bytes : [], hasValue: true)
  }

  private init(_ bytes: [UInt8], hasValue: Bool) {
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    let marks = bytes.map { _ in UInt8.max }
    count = bytes.count
    self.hasValue = hasValue
    low = word(bytes.prefix(8))
    high = word(bytes.dropFirst(8))
    lowMask = word(marks.prefix(8))
    highMask = word(marks.dropFirst(8))
  }

  /// Whether the bytes begin with this spelling.
  ///
  /// - Parameter bytes: at least ``limit`` readable bytes.
  @inline(__always)
  func begins(_ bytes: UnsafePointer<UInt8>) -> Bool {
    let words = UnsafeRawPointer(bytes)
    let first = UInt64(littleEndian: words.loadUnaligned(as: UInt64.self))
    let second = UInt64(littleEndian: words.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return (first ^ low) & lowMask | (second ^ high) & highMask == 0 && count > 0
  }
}

extension JSONTokenizer {
  /// Reads the beginning of the next member of an object if it is spelled so, without space, and
  /// lies in the window; otherwise reads nothing. ``text`` is not set.
  package mutating func take(_ spelling: JSONSpelling) -> Bool {
    var start = cursor
    if awaited != .first {
      guard start < end, base[start] == JSONByte.comma else { return false }
      start += 1
    }
    guard end - start >= JSONSpelling.limit, spelling.begins(base + start) else { return false }
    cursor = start + spelling.count
    awaited = spelling.hasValue ? .separator : .value
    return true
  }
}
