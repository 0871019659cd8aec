import JSON
import OrderedCollections

// Decoding of the bytes of a `.json` row. Readers write these bytes themselves, minimal and
// validated, so this needs no error messages; it still trusts nothing.
extension PropertyValue {
  /// Maximum nesting depth of arrays and objects.
  private static let depthLimit = 512

  /// Decodes one JSON text without surrounding space, or `nil` if it is malformed.
  ///
  /// - Complexity: O(n).
  package init?(storedJSON bytes: UnsafeRawBufferPointer) {
    var cursor = StoredJSONCursor(bytes: bytes)
    guard let value = cursor.value(depth: Self.depthLimit), cursor.isAtEnd else { return nil }
    self = value
  }
}

private struct StoredJSONCursor {
  let bytes: UnsafeRawBufferPointer
  var index = 0

  var isAtEnd: Bool { index == bytes.count }

  /// Consumes a byte if it comes next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func take(word: StaticString) -> Bool {
    let isNext = word.withUTF8Buffer { bytes[index...].starts(with: $0) }
    if isNext { index += word.utf8CodeUnitCount }
    return isNext
  }

  mutating func value(depth: Int) -> PropertyValue? {
    guard depth > 0, index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "\""): return string().map(PropertyValue.string)
    case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
    case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
    default:
      let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
      guard let number = NumberGrammar.parsePrefix(rest) else { return nil }
      index += number.length
      return .number(number.value)
    }
  }

  private mutating func array(depth: Int) -> PropertyValue? {
    var elements: [PropertyValue] = []
    guard take("[") else { return nil }
    if take("]") { return .array([]) }
    repeat {
      guard let element = value(depth: depth - 1) else { return nil }
      elements.append(element)
    } while take(",")
    return take("]") ? .array(elements) : nil
  }

  private mutating func object(depth: Int) -> PropertyValue? {
    var members: OrderedDictionary<String, PropertyValue> = [:]
    guard take("{") else { return nil }
    if take("}") { return .object([:]) }
    repeat {
      guard let name = string(), take(":"), let member = value(depth: depth - 1) else { return nil }
      members[name] = member
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return String(validating: text, as: UTF8.self) }
      if byte != UInt8(ascii: "\\") {
        text.append(byte)
      } else if let scalar = escaped() {
        text.append(contentsOf: String(Character(scalar)).utf8)
      } else {
        return nil
      }
    }
    return nil
  }

  /// Reads an escape from after its backslash and returns its scalar.
  private mutating func escaped() -> Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    let letter = bytes[index]
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let high = codeUnit() else { return nil }
      guard UTF16.isLeadSurrogate(high) else { return Unicode.Scalar(high) }
      guard take("\\"), take("u"), let low = codeUnit(), UTF16.isTrailSurrogate(low) else {
        return nil
      }
      return Unicode.Scalar(0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF)))
    default: return nil
    }
  }

  private mutating func codeUnit() -> UInt16? {
    guard bytes.count - index >= 4 else { return nil }
    defer { index += 4 }
    var unit: UInt16 = 0
    for byte in bytes[index..<(index + 4)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
