/// The reason why bytes are invalid: the end of a sentence that begins with what they should be.
package struct TapFault: Error, Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A reader of numbers and bytes that are not trusted.
///
/// Numbers have seven bits per byte, the lowest first, the highest bit set in all but the last
/// (LEB128). Signed numbers alternate: 0, −1, 1, −2 … are encoded as 0, 1, 2, 3 ….
struct TapByteReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of unread bytes.
  var remaining: Int { bytes.count - position }

  /// Reads a number below 2³⁵: at most five bytes.
  mutating func number() throws(TapFault) -> Int { try number(ofBytes: 5) }

  private mutating func number(ofBytes limit: Int) throws(TapFault) -> Int {
    var value = 0
    for shift in stride(from: 0, to: 7 * limit, by: 7) {
      guard position < bytes.count else { throw TapFault("ends too early") }
      let byte = bytes[position]
      position += 1
      value |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw TapFault("has a number of too many bytes")
  }

  /// Reads a number that must not exceed a limit.
  mutating func number(upTo limit: Int, _ what: String) throws(TapFault) -> Int {
    let value = try number()
    guard value <= limit else { throw TapFault("has \(value) as \(what)") }
    return value
  }

  /// Reads a signed number, |n| ≤ 2³⁴.
  mutating func signed() throws(TapFault) -> Int {
    let value = try number()
    return (value >> 1) ^ -(value & 1)
  }

  /// Reads an identifier, or the difference from a lower one: at most eight bytes, below 2⁵⁶.
  mutating func identifier() throws(TapFault) -> UInt64 { UInt64(try number(ofBytes: 8)) }

  /// Reads the difference between two identifiers, |n| ≤ 2⁵⁵.
  mutating func signedIdentifier() throws(TapFault) -> Int64 {
    let value = Int64(try number(ofBytes: 8))
    return (value >> 1) ^ -(value & 1)
  }

  /// Reads the number of items that follow, of at least one byte each.
  ///
  /// - Parameter zero: the number that is written for zero items.
  mutating func count(of what: String, zero: Int = 0) throws(TapFault) -> Int {
    let value = try number() - zero
    guard value <= remaining else { throw TapFault("has no room for \(value) \(what)") }
    return value
  }

  mutating func fixed() throws(TapFault) -> UInt64 {
    guard remaining >= 8 else { throw TapFault("ends too early") }
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(bytes[position + index]) << UInt64(8 * index) }
    position += 8
    return value
  }

  mutating func take(_ count: Int) throws(TapFault) -> ArraySlice<UInt8> {
    guard count <= remaining else { throw TapFault("ends too early") }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// - Throws: if there are unread bytes.
  func finish() throws(TapFault) {
    guard remaining == 0 else { throw TapFault("has \(remaining) bytes behind its end") }
  }
}
