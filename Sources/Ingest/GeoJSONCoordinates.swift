import Features
import JSON
import Tiling

/// The value of a `coordinates` member, parsed without knowledge of the geometry's type, which may
/// come after it: positions, the lines they form, and the polygons that these form.
///
/// Positions of all geometries of one feature follow each other; lines and polygons are those of
/// the last value only.
struct GeoJSONCoordinates: ~Copyable {
  /// An array of positions: a line, a ring, or the positions of a MultiPoint.
  struct Line {
    /// The line's end in ``positions``; it begins where the one before ends.
    var end: Int
    /// Whether the last position equals the first; heights are ignored.
    var isClosed: Bool
  }

  /// The index in ``positions`` where the last value begins.
  private(set) var start = 0
  private(set) var positions = JSONBuffer<LngLat>(capacity: 1024)
  private(set) var lines = JSONBuffer<Line>()
  /// The end of each array of lines in ``lines``.
  private(set) var polygons = JSONBuffer<Int>()
  /// The nesting depth of arrays in the last value; 0 for an empty array.
  private(set) var levels = 0
  /// The place of the last value.
  private(set) var place = JSONPlace(line: 1, column: 1)

  private let maximumPositions: Int
  /// The index in ``positions`` where the line under construction begins.
  private var lineStart = 0

  init(maximumPositions: Int) { self.maximumPositions = maximumPositions }

  /// Drops the positions of the previous feature.
  mutating func removeAll() { positions.removeAll() }

  /// Reads the next value.
  ///
  /// - Throws: a failure of kind `record` for everything but arrays of positions, all equally deep.
  mutating func read(from json: inout JSONTokenizer) throws(JSONFailure) {
    lines.removeAll()
    polygons.removeAll()
    start = positions.count
    lineStart = start
    let isArray = try json.peek() == JSONByte.openBracket
    place = json.place()
    guard isArray else { throw refusal("'coordinates' must be an array", &json) }
    // Spares the first position of a value the general path.
    levels = json.plainLevels
    let outer = json.depth
    try json.beginArray()
    while json.depth > outer {
      let depth = json.depth - outer
      if try json.nextElement() {
        try readElement(&json, depth)
      } else {
        try closeArray(&json, depth)
      }
    }
  }

  /// Reads the contents of an array at this depth: an array, or the ordinates of a position.
  private mutating func readElement(_ json: inout JSONTokenizer, _ depth: Int) throws(JSONFailure) {
    switch try json.peek() {
    case JSONByte.openBracket:
      if depth == levels - 1, readPlainPositions(&json) { return }
      guard depth < (levels == 0 ? 4 : levels) else {
        throw refusal(
          levels == 0
            ? "'coordinates' is nested deeper than that of a MultiPolygon"
            : "an array stands where a number of a position is expected", &json)
      }
      try json.beginArray()
    case JSONByte.minus, JSONByte.zero...JSONByte.nine:
      if levels == 0 { levels = depth }
      guard depth == levels else {
        throw refusal("a number stands where an array of numbers is expected", &json)
      }
      try readOrdinates(&json)
      if depth == 1 { closeLine() }
    default:
      throw refusal("a position must be an array of numbers", &json)
    }
  }

  /// Reads a position from its first number to its bracket.
  private mutating func readOrdinates(_ json: inout JSONTokenizer) throws(JSONFailure) {
    let outer = json.depth - 1
    let longitude = try json.readFiniteNumber(orReject: .invalidGeometry)
    guard try json.nextElement() else {
      throw refusal("a position needs two numbers, longitude and latitude", &json)
    }
    let latitude = try readOrdinate(&json)
    while try json.nextElement() { _ = try readOrdinate(&json) }
    assert(json.depth == outer)
    positions.append(LngLat(longitude: longitude, latitude: latitude))
    guard positions.count <= maximumPositions else {
      throw JSONFailure(
        .record(.tooLarge), place, "a feature of more than \(maximumPositions) positions")
    }
  }

  private func readOrdinate(_ json: inout JSONTokenizer) throws(JSONFailure) -> Double {
    switch try json.peek() {
    case JSONByte.minus, JSONByte.zero...JSONByte.nine:
      return try json.readFiniteNumber(orReject: .invalidGeometry)
    default:
      throw refusal("every element of a position must be a number", &json)
    }
  }

  private mutating func closeArray(_ json: inout JSONTokenizer, _ depth: Int) throws(JSONFailure) {
    if levels == 0, depth == 1 { return }
    let isEmpty =
      switch levels - depth {
      case 1: positions.count == lineStart
      case 2: lines.count == (polygons.isEmpty ? 0 : polygons[polygons.count - 1])
      case 3: polygons.isEmpty
      default: true
      }
    guard !isEmpty else { throw refusal("an array inside 'coordinates' is empty", &json) }
    if levels - depth == 1 { closeLine() }
    if levels - depth == 2 { polygons.append(lines.count) }
  }

  private mutating func closeLine() {
    let isClosed = positions[lineStart] == positions[positions.count - 1]
    lines.append(Line(end: positions.count, isClosed: isClosed))
    lineStart = positions.count
  }

  private func refusal(_ message: String, _ json: inout JSONTokenizer) -> JSONFailure {
    JSONFailure(.record(.invalidGeometry), json.place(), message)
  }
}

// MARK: - The fast path

extension GeoJSONCoordinates {
  /// Reads positions of two or three numbers as long as they lie entirely in the window, and leaves
  /// everything else (the end of the window, other values, violations of the grammar) to the
  /// general path.
  ///
  /// - Returns: whether a position was read.
  @inline(__always)
  private mutating func readPlainPositions(_ json: inout JSONTokenizer) -> Bool {
    let end = json.windowEnd
    var next = json.windowCursor
    var read = next
    while positions.count < maximumPositions, let position = plainPosition(&next, end) {
      positions.append(position)
      read = next
      skipSpace(&next, end)
      guard next < end, next.pointee == JSONByte.comma else { break }
      next += 1
      skipSpace(&next, end)
    }
    guard read > json.windowCursor else { return false }
    json.usedValues(upTo: read)
    return true
  }

  /// Reads a value that lies entirely in the window, as ``read(from:)`` does, if its arrays are
  /// nested so deep and none is empty; after `false`, `next` and the positions are undefined.
  mutating func takePlain(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, levels: Int
  ) -> Bool {
    lines.removeAll()
    polygons.removeAll()
    start = positions.count
    lineStart = start
    self.levels = levels
    switch levels {
    case 1:
      guard positions.count < maximumPositions, let position = plainPosition(&next, end) else {
        return false
      }
      positions.append(position)
      closeLine()
      return true
    case 2: return takePlainLine(&next, end)
    case 3: return takePlainPolygon(&next, end)
    default:
      return takePlainArray(&next, end) { $0.takePlainPolygon(&$1, $2) }
    }
  }

  private mutating func takePlainPolygon(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Bool {
    guard takePlainArray(&next, end, { $0.takePlainLine(&$1, $2) }) else { return false }
    polygons.append(lines.count)
    return true
  }

  private mutating func takePlainLine(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Bool {
    let isWhole = takePlainArray(&next, end) { coordinates, next, end in
      guard coordinates.positions.count < coordinates.maximumPositions,
        let position = coordinates.plainPosition(&next, end)
      else { return false }
      coordinates.positions.append(position)
      return true
    }
    if isWhole { closeLine() }
    return isWhole
  }

  /// Reads an array of at least one element.
  @inline(__always)
  private mutating func takePlainArray(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ take: (inout Self, inout UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Bool
  ) -> Bool {
    guard next < end, next.pointee == JSONByte.openBracket else { return false }
    repeat {
      next += 1
      skipSpace(&next, end)
      guard take(&self, &next, end) else { return false }
      skipSpace(&next, end)
    } while next < end && next.pointee == JSONByte.comma
    guard next < end, next.pointee == JSONByte.closeBracket else { return false }
    next += 1
    return true
  }

  /// Returns the position at `next`; after `nil`, `next` is undefined.
  @inline(__always)
  private func plainPosition(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> LngLat? {
    guard next < end, next.pointee == JSONByte.openBracket else { return nil }
    next += 1
    guard let longitude = plainNumber(&next, end), next.pointee == JSONByte.comma else {
      return nil
    }
    next += 1
    guard let latitude = plainNumber(&next, end) else { return nil }
    if next.pointee == JSONByte.comma {
      next += 1
      guard plainNumber(&next, end) != nil else { return nil }
    }
    guard next.pointee == JSONByte.closeBracket else { return nil }
    next += 1
    return LngLat(longitude: longitude, latitude: latitude)
  }

  /// Returns a finite number, with space around it, that ends before the window does.
  @inline(__always)
  private func plainNumber(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Double? {
    skipSpace(&next, end)
    if end - next > PlainDecimal.reach {
      let plain = PlainDecimal.prefix(next)
      if plain.length > 0 {
        next += plain.length
        skipSpace(&next, end)
        return next < end ? plain.value : nil
      }
    }
    guard next < end else { return nil }
    let window = UnsafeRawBufferPointer(start: next, count: end - next)
    // Longer numbers are rare, and the general path knows their limit.
    guard let number = NumberGrammar.parsePrefix(window), number.length <= 64 else { return nil }
    next += number.length
    skipSpace(&next, end)
    return next < end ? number.value : nil
  }

  @inline(__always)
  private func skipSpace(_ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    while next < end, next.pointee <= JSONByte.space, JSONByte.isSpace(next.pointee) { next += 1 }
  }
}
