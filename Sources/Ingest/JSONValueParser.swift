package import Features
package import JSON
import OrderedCollections

/// A parser of small JSON documents and values as a whole: inline data, properties that are arrays
/// or objects.
///
/// Stricter than the grammar in two points, both refused with their place: a name that occurs twice
/// in an object (canonically equivalent names count as equal), and a number beyond the range of a
/// Double.
package enum JSONValueParser {
  /// Parses a document.
  ///
  /// - Parameters:
  ///   - name: the name of the document in messages.
  ///   - keepsWholes: whether whole numbers beyond ±2⁵³ keep their digits.
  /// - Throws: ``SourceError`` `badData` with line and column.
  /// - Complexity: O(bytes).
  package static func parse(
    _ bytes: [UInt8], name: String = "JSON",
    limits: JSONTokenizer.Limits = JSONTokenizer.Limits(), keepsWholes: Bool = false
  ) throws(SourceError) -> PropertyValue {
    let chunk = min(bytes.count, ByteSource.defaultChunk)
    var json = JSONTokenizer(
      source: ByteSource(bytes: bytes, name: name, chunk: chunk), limits: limits)
    do {
      try json.skipByteOrderMark()
      let value = try value(from: &json, maximumBytes: .max, keepsWholes: keepsWholes)
      try json.finish()
      return value
    } catch {
      throw error.sourceError(file: name)
    }
  }

  /// Parses the next value.
  ///
  /// - Throws: a failure of kind `record` for a well-formed value that is refused: one of more than
  ///   `maximumBytes` bytes (`tooLarge`), a duplicate name, a number beyond a Double.
  package static func value(
    from json: inout JSONTokenizer, maximumBytes: Int, keepsWholes: Bool = false
  ) throws(JSONFailure) -> PropertyValue {
    let outer = json.depth
    let (limit, overflow) = json.offset.addingReportingOverflow(maximumBytes)
    let start = json.place()
    var open: [OpenContainer] = []
    var value = try scalarOrBegin(&json, &open, keepsWholes)
    while true {
      if !overflow, json.offset > limit {
        throw JSONFailure(
          .record(.tooLarge), start, "an array or object of more than \(maximumBytes) bytes")
      }
      if let complete = value {
        guard json.depth > outer else { return complete }
        open[open.count - 1].add(complete)
      }
      if try moveOn(&json, &open[open.count - 1]) {
        value = try scalarOrBegin(&json, &open, keepsWholes)
      } else {
        value = open.removeLast().value
      }
    }
  }

  /// Moves to the next value in the innermost container; returns false at the container's end.
  private static func moveOn(
    _ json: inout JSONTokenizer, _ container: inout OpenContainer
  ) throws(JSONFailure) -> Bool {
    guard container.isObject else { return try json.nextElement() }
    guard try json.nextName() else { return false }
    container.name = String(decoding: json.text, as: UTF8.self)
    if container.members[container.name] != nil {
      throw JSONFailure(
        .record(.invalidJSON), json.place(),
        "the name \(JSONFailure.quoted(container.name)) occurs twice in one object; "
          + "keep one of the two")
    }
    return true
  }

  /// Reads a scalar, or begins a container and returns `nil`.
  private static func scalarOrBegin(
    _ json: inout JSONTokenizer, _ open: inout [OpenContainer], _ keepsWholes: Bool
  ) throws(JSONFailure) -> PropertyValue? {
    switch try json.peek() {
    case JSONByte.openBrace:
      try json.beginObject()
      open.append(OpenContainer(isObject: true))
      return nil
    case JSONByte.openBracket:
      try json.beginArray()
      open.append(OpenContainer(isObject: false))
      return nil
    case JSONByte.quote:
      try json.readString()
      return .string(String(decoding: json.text, as: UTF8.self))
    case JSONByte.minus, JSONByte.zero...JSONByte.nine:
      let number = try json.readFiniteNumber(orReject: .invalidJSON)
      guard keepsWholes, number.isBeyondExactWholes else { return .number(number) }
      return WholeNumber(String(decoding: json.numberSpelling, as: UTF8.self)).map { .whole($0) }
        ?? .number(number)
    default:
      switch try json.readLiteral() {
      case .null: return .null
      case .false: return .bool(false)
      case .true: return .bool(true)
      }
    }
  }
}

/// An array or object whose end has not been read.
private struct OpenContainer {
  let isObject: Bool
  var name = ""
  private var elements: [PropertyValue] = []
  private(set) var members: OrderedDictionary<String, PropertyValue> = [:]

  init(isObject: Bool) { self.isObject = isObject }

  mutating func add(_ value: PropertyValue) {
    if isObject { members[name] = value } else { elements.append(value) }
  }

  var value: PropertyValue { isObject ? .object(members) : .array(elements) }
}

extension JSONTokenizer {
  /// Reads the number whose first byte ``peek()`` just saw; one beyond a Double makes the record
  /// invalid.
  mutating func readFiniteNumber(orReject reason: RejectReason) throws(JSONFailure) -> Double {
    let value = try readNumber()
    guard value.isFinite else {
      throw JSONFailure(.record(reason), place(), "a number beyond ±1.8e308, the range of a Double")
    }
    return value
  }
}
