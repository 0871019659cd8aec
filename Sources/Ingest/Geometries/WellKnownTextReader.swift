package import Features
import JSON
import Tiling

/// A reader of well-known text into a column: OGC 06-103r4, clause 7, with Z, M and ZM, and the
/// `SRID=…;` of PostGIS.
///
/// Heights and measures are dropped. As in ``WKBReader``, empty parts are dropped, and so are lines
/// of one position and rings of three (A, B, A); the geometry is refused only where nothing else is
/// left. An open ring is closed.
package struct WellKnownTextReader {
  private static let curves = Set(WellKnownShape.curves.values)

  /// Maximum depth of nested collections.
  private static let depthLimit = 16

  private let bytes: UnsafeRawBufferPointer
  private var index = 0
  private var system = GeometrySystem.degrees
  private var positionsLeft: Int
  private var partsLeft: Int
  private var run: [LngLat] = []
  /// The problem of the part that was dropped last.
  private var degenerate: GeometryRefusal?
  /// Whether a ring that was added is open in the text.
  package private(set) var closesRings = false

  package init(_ bytes: UnsafeRawBufferPointer, limits: GeometryLimits = GeometryLimits()) {
    self.bytes = bytes
    positionsLeft = limits.positions
    partsLeft = limits.parts
  }

  /// Adds the parts of the geometry to the record that the column is building.
  ///
  /// - Returns: the type; `none` where it has no positions.
  /// - Throws: ``GeometryRefusal`` with the offset of the problem in the text.
  /// - Complexity: O(bytes).
  package mutating func read(
    into column: inout GeometryColumn
  ) throws(GeometryRefusal) -> GeometryColumn.Kind {
    let before = partsLeft
    try readSystem()
    let shape = try addTagged(to: &column, depth: 0)
    skipSpaces()
    guard index == bytes.count else { throw refusal("text follows the geometry") }
    guard partsLeft < before else {
      if let degenerate { throw degenerate }
      return .none
    }
    return shape.kind
  }

  // MARK: Words

  private func refusal(
    _ message: String, _ reason: RejectReason = .invalidGeometry
  ) -> GeometryRefusal {
    GeometryRefusal(message, reason, at: index)
  }

  private mutating func skipSpaces() {
    while index < bytes.count, bytes[index] == 0x20 || (0x09...0x0D).contains(bytes[index]) {
      index += 1
    }
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Takes the next byte after spaces if it is this one.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpaces()
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func require(_ byte: UInt8) throws(GeometryRefusal) {
    guard take(byte) else {
      throw refusal("'\(Character(UnicodeScalar(byte)))' is expected here in the geometry")
    }
  }

  /// Takes a word in capitals; empty where no letter follows.
  private mutating func word() -> String {
    skipSpaces()
    let start = index
    while let byte = next, (0x41...0x5A).contains(byte & 0xDF), index - start < 32 { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self).uppercased()
  }

  /// Takes a word if it is one of these; the text is left as it is otherwise.
  private mutating func takeWord(_ words: String...) -> Bool {
    let start = index
    if words.contains(word()) { return true }
    index = start
    return false
  }

  /// Reads `SRID=4326;`.
  private mutating func readSystem() throws(GeometryRefusal) {
    guard takeWord("SRID") else { return }
    try require(UInt8(ascii: "="))
    let number = try number()
    guard let code = Int64(exactly: number) else { throw refusal("the SRID is no whole number") }
    system = try GeometrySystem(named: code)
    try require(UInt8(ascii: ";"))
  }

  /// Reads the name of a type, with its Z, M or ZM.
  private mutating func shape() throws(GeometryRefusal) -> WellKnownShape {
    skipSpaces()
    let start = index
    let name = word()
    let suffix = ["ZM", "Z", "M"].first { name.hasSuffix($0) } ?? ""
    if let shape = WellKnownShape(name: name) {
      _ = takeWord("Z", "M", "ZM")
      return shape
    }
    if !suffix.isEmpty, let shape = WellKnownShape(name: String(name.dropLast(suffix.count))) {
      return shape
    }
    index = start
    guard !Self.curves.contains(name) else {
      throw refusal("a \(name) cannot be drawn; convert with ogr2ogr -nlt CONVERT_TO_LINEAR")
    }
    throw refusal(
      name.isEmpty
        ? "the geometry does not begin with its type" : "there is no type of geometry '\(name)'")
  }

  // MARK: Numbers

  private mutating func number() throws(GeometryRefusal) -> Double {
    skipSpaces()
    let start = index
    while let byte = next, !" \t\r\n,();=".utf8.contains(byte) { index += 1 }
    let text = UnsafeRawBufferPointer(rebasing: bytes[start..<index])
    guard let number = NumberGrammar.parseCoordinate(text), number.isFinite else {
      index = start
      throw refusal("a coordinate is no number", .invalidCoordinate)
    }
    return number
  }

  /// Reads a position, whose further ordinates are dropped.
  private mutating func position() throws(GeometryRefusal) {
    guard positionsLeft > 0 else {
      throw refusal("the geometry has too many positions", .tooLarge)
    }
    positionsLeft -= 1
    let (x, y) = (try number(), try number())
    for _ in 0..<2 {
      skipSpaces()
      guard let byte = next, !",()".utf8.contains(byte) else { break }
      _ = try number()
    }
    run.append(
      system == .degrees
        ? LngLat(longitude: x, latitude: y) : LngLat(MercatorMetres(x: x, y: y)))
  }

  /// Reads `(1 2, 3 4)` or `EMPTY` as ``run``.
  private mutating func readRun() throws(GeometryRefusal) {
    run.removeAll(keepingCapacity: true)
    if takeWord("EMPTY") { return }
    try require(UInt8(ascii: "("))
    repeat { try position() } while take(UInt8(ascii: ","))
    try require(UInt8(ascii: ")"))
  }

  // MARK: Geometries

  /// Reads the members of a list, or `EMPTY`.
  private mutating func list(
    _ member: (inout Self) throws(GeometryRefusal) -> Void
  ) throws(GeometryRefusal) {
    if takeWord("EMPTY") { return }
    try require(UInt8(ascii: "("))
    repeat { try member(&self) } while take(UInt8(ascii: ","))
    try require(UInt8(ascii: ")"))
  }

  private mutating func addTagged(
    to column: inout GeometryColumn, depth: Int
  ) throws(GeometryRefusal) -> WellKnownShape {
    let shape = try shape()
    switch shape {
    case .point:
      try readRun()
      guard run.count <= 1 else { throw refusal("a POINT has one position") }
      try addPoints(to: &column)
    case .lineString: try addLine(to: &column)
    case .polygon: try addPolygon(to: &column)
    case .multiPoint:
      try list { reader throws(GeometryRefusal) in try reader.addMember(to: &column) }
    case .multiLineString:
      try list { reader throws(GeometryRefusal) in try reader.addLine(to: &column) }
    case .multiPolygon:
      try list { reader throws(GeometryRefusal) in try reader.addPolygon(to: &column) }
    case .collection:
      guard depth < Self.depthLimit else {
        throw refusal("collections are nested more than \(Self.depthLimit) deep")
      }
      try list { reader throws(GeometryRefusal) in
        _ = try reader.addTagged(to: &column, depth: depth + 1)
      }
    }
    return shape
  }

  private mutating func endPart(
    _ part: GeometryColumn.Part, of column: inout GeometryColumn
  ) throws(GeometryRefusal) {
    guard partsLeft > 0 else { throw refusal("the geometry has too many parts", .tooLarge) }
    partsLeft -= 1
    column.endPart(part)
  }

  private mutating func addPoints(to column: inout GeometryColumn) throws(GeometryRefusal) {
    for position in run {
      column.add(position)
      try endPart(.point, of: &column)
    }
  }

  /// Adds a member of a MULTIPOINT, which may stand in parentheses of its own or not.
  private mutating func addMember(to column: inout GeometryColumn) throws(GeometryRefusal) {
    skipSpaces()
    if next == UInt8(ascii: "(") || next.map({ $0 & 0xDF == UInt8(ascii: "E") }) == true {
      try readRun()
    } else {
      run.removeAll(keepingCapacity: true)
      try position()
    }
    try addPoints(to: &column)
  }

  private mutating func addLine(to column: inout GeometryColumn) throws(GeometryRefusal) {
    try readRun()
    guard run.count >= 2 else {
      if !run.isEmpty { degenerate = refusal("a line needs two or more positions") }
      return
    }
    for position in run { column.add(position) }
    try endPart(.line, of: &column)
  }

  private mutating func addPolygon(to column: inout GeometryColumn) throws(GeometryRefusal) {
    // `nil` once the outer ring is dropped: then its holes are too.
    var part: GeometryColumn.Part? = .outerRing
    try list { reader throws(GeometryRefusal) in
      let isAdded = try reader.addRing(part, to: &column)
      if !isAdded, part == .outerRing { part = nil }
      if isAdded { part = .innerRing }
    }
  }

  /// Adds a ring, unless it is dropped.
  private mutating func addRing(
    _ part: GeometryColumn.Part?, to column: inout GeometryColumn
  ) throws(GeometryRefusal) -> Bool {
    try readRun()
    let isClosed = run.first == run.last
    guard let part, run.count >= (isClosed ? 4 : 3), let first = run.first else {
      if !run.isEmpty { degenerate = refusal("a ring needs four or more positions") }
      return false
    }
    for position in run { column.add(position) }
    if !isClosed {
      closesRings = true
      column.add(first)
    }
    try endPart(part, of: &column)
    return true
  }
}
