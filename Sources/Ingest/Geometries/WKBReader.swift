package import Features
import Tiling

/// A reader of well-known binary into a column: ISO 13249-3 with Z, M and ZM, and the flags of
/// PostGIS.
///
/// Every geometry of a collection has its own byte order. Counts are checked against the bytes that
/// are left before anything is read, so a false count allocates nothing. Empty parts are dropped,
/// and so are lines of one position and rings of three (A, B, A), which occur in simplified data;
/// the geometry is refused only where nothing else is left. An open ring is closed. Source: OGC
/// 06-103r4, clause 8.
package struct WKBReader {
  /// The type of the next geometry, and the layout of its positions.
  private struct Head {
    var shape: WellKnownShape
    /// Size of a position in bytes: 16, 24 or 32.
    var stride: Int
    var isLittle: Bool
  }

  /// Maximum depth of nested collections.
  private static let depthLimit = 16

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var system: GeometrySystem
  /// Whether a geometry's own number of a system counts.
  private let readsSystem: Bool
  private var positionsLeft: Int
  private var partsLeft: Int
  /// Whether a ring that was added is open in the file.
  package private(set) var closesRings = false
  /// The problem of the part that was dropped last.
  private var degenerate: GeometryRefusal?

  /// Creates a reader of a whole geometry, or of the bytes after the header of a geometry of a
  /// GeoPackage.
  ///
  /// - Parameter system: the system of all coordinates; `nil` for the one that the geometry names,
  ///   as those of PostGIS do, or else degrees.
  package init(
    _ bytes: UnsafeRawBufferPointer, in system: GeometrySystem?,
    limits: GeometryLimits = GeometryLimits()
  ) {
    self.bytes = bytes
    self.system = system ?? .degrees
    readsSystem = system == nil
    positionsLeft = limits.positions
    partsLeft = limits.parts
  }

  /// Adds the parts of the geometry to the record that the column is building.
  ///
  /// - Returns: the type; `none` where it has no positions.
  /// - Complexity: O(bytes).
  package mutating func read(
    into column: inout GeometryColumn
  ) throws(GeometryRefusal) -> GeometryColumn.Kind {
    let before = partsLeft
    let head = try head()
    try add(head, to: &column, depth: 0)
    guard partsLeft < before else {
      if let degenerate { throw degenerate }
      return .none
    }
    return head.shape.kind
  }

  // MARK: Numbers

  private mutating func word(_ isLittle: Bool) throws(GeometryRefusal) -> UInt32 {
    guard bytes.count - offset >= 4 else { throw cutOff }
    let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    offset += 4
    return isLittle ? UInt32(littleEndian: word) : UInt32(bigEndian: word)
  }

  @inline(__always)
  private func number(at place: Int, _ isLittle: Bool) -> Double {
    let bits = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    return Double(bitPattern: isLittle ? UInt64(littleEndian: bits) : UInt64(bigEndian: bits))
  }

  private var cutOff: GeometryRefusal { GeometryRefusal("the geometry is cut off") }

  /// Reads a count of items that take at least this many bytes each.
  private mutating func count(
    of size: Int, _ isLittle: Bool
  ) throws(GeometryRefusal) -> Int {
    let count = Int(try word(isLittle))
    guard count <= (bytes.count - offset) / size else {
      throw GeometryRefusal("the geometry says \(count) items, more than it has bytes for")
    }
    return count
  }

  private mutating func head() throws(GeometryRefusal) -> Head {
    guard offset < bytes.count else { throw cutOff }
    let order = bytes[offset]
    guard order <= 1 else { throw GeometryRefusal("the geometry's byte order is \(order)") }
    offset += 1
    let isLittle = order == 1
    let code = try word(isLittle)
    // PostGIS sets bits for Z, M and a reference system, which follows; ISO adds 1000s.
    var hasZ = code & 0x8000_0000 != 0
    var hasM = code & 0x4000_0000 != 0
    if code & 0x2000_0000 != 0 {
      let number = try word(isLittle)
      if readsSystem { system = try GeometrySystem(named: Int64(number)) }
    }
    let number = code & 0x1FFF_FFFF
    if number / 1000 == 1 || number / 1000 == 3 { hasZ = true }
    if number / 1000 == 2 || number / 1000 == 3 { hasM = true }
    guard number < 4000, let shape = WellKnownShape(rawValue: number % 1000) else {
      if number < 4000, let curve = WellKnownShape.curves[number % 1000] {
        throw GeometryRefusal(
          "a \(curve) cannot be drawn; convert with ogr2ogr -nlt CONVERT_TO_LINEAR")
      }
      throw GeometryRefusal("there is no type of geometry \(number)")
    }
    return Head(shape: shape, stride: 16 + (hasZ ? 8 : 0) + (hasM ? 8 : 0), isLittle: isLittle)
  }

  // MARK: Geometries

  private mutating func add(
    _ head: Head, to column: inout GeometryColumn, depth: Int
  ) throws(GeometryRefusal) {
    switch head.shape {
    case .point: try addPoint(head, to: &column)
    case .lineString: try addLine(head, to: &column)
    case .polygon: try addPolygon(head, to: &column)
    case .multiPoint: try addMembers(head, only: .point, to: &column, depth: depth)
    case .multiLineString: try addMembers(head, only: .lineString, to: &column, depth: depth)
    case .multiPolygon: try addMembers(head, only: .polygon, to: &column, depth: depth)
    case .collection: try addMembers(head, only: nil, to: &column, depth: depth)
    }
  }

  private mutating func addMembers(
    _ head: Head, only member: WellKnownShape?, to column: inout GeometryColumn, depth: Int
  ) throws(GeometryRefusal) {
    guard depth < Self.depthLimit else {
      throw GeometryRefusal("collections are nested more than \(Self.depthLimit) deep")
    }
    for _ in 0..<(try count(of: 9, head.isLittle)) {
      let next = try self.head()
      guard member == nil || next.shape == member else {
        throw GeometryRefusal("a member of the geometry is of another type than the whole")
      }
      try add(next, to: &column, depth: depth + 1)
    }
  }

  private mutating func addPoint(
    _ head: Head, to column: inout GeometryColumn
  ) throws(GeometryRefusal) {
    guard bytes.count - offset >= head.stride else { throw cutOff }
    // A point without a position is written as NaN twice (OGC 12-128r19, clause 2.1.3.1.1).
    if number(at: offset, head.isLittle).isNaN, number(at: offset + 8, head.isLittle).isNaN {
      offset += head.stride
      return
    }
    try addPositions(1, head, to: &column)
    try endPart(.point, of: &column)
  }

  private mutating func addLine(
    _ head: Head, to column: inout GeometryColumn
  ) throws(GeometryRefusal) {
    let count = try count(of: head.stride, head.isLittle)
    if count == 0 { return }
    guard count >= 2 else {
      degenerate = GeometryRefusal("a line needs two or more positions")
      offset += count * head.stride
      return
    }
    try addPositions(count, head, to: &column)
    try endPart(.line, of: &column)
  }

  private mutating func addPolygon(
    _ head: Head, to column: inout GeometryColumn
  ) throws(GeometryRefusal) {
    // `nil` once the outer ring is dropped: then its holes are too.
    var part: GeometryColumn.Part? = .outerRing
    for _ in 0..<(try count(of: 4, head.isLittle)) {
      let isAdded = try addRing(part, head, to: &column)
      if !isAdded, part == .outerRing { part = nil }
      if isAdded { part = .innerRing }
    }
  }

  /// Adds a ring, unless it is dropped.
  private mutating func addRing(
    _ part: GeometryColumn.Part?, _ head: Head, to column: inout GeometryColumn
  ) throws(GeometryRefusal) -> Bool {
    let count = try count(of: head.stride, head.isLittle)
    let start = offset
    let last = offset + (count - 1) * head.stride
    let isClosed =
      count > 0 && number(at: start, head.isLittle) == number(at: last, head.isLittle)
      && number(at: start + 8, head.isLittle) == number(at: last + 8, head.isLittle)
    guard let part, count >= (isClosed ? 4 : 3) else {
      if count > 0 { degenerate = GeometryRefusal("a ring needs four or more positions") }
      offset += count * head.stride
      return false
    }
    try addPositions(count, head, to: &column)
    if !isClosed {
      closesRings = true
      let end = offset
      offset = start
      try addPositions(1, head, to: &column)
      offset = end
    }
    try endPart(part, of: &column)
    return true
  }

  private mutating func endPart(
    _ part: GeometryColumn.Part, of column: inout GeometryColumn
  ) throws(GeometryRefusal) {
    guard partsLeft > 0 else { throw GeometryRefusal("the geometry has too many parts", .tooLarge) }
    partsLeft -= 1
    column.endPart(part)
  }

  /// Adds positions whose bytes are known to exist.
  private mutating func addPositions(
    _ count: Int, _ head: Head, to column: inout GeometryColumn
  ) throws(GeometryRefusal) {
    guard count <= positionsLeft else {
      throw GeometryRefusal("the geometry has too many positions", .tooLarge)
    }
    positionsLeft -= count
    for _ in 0..<count {
      let x = number(at: offset, head.isLittle)
      let y = number(at: offset + 8, head.isLittle)
      guard x.isFinite, y.isFinite else {
        throw GeometryRefusal("a coordinate is no number", .invalidCoordinate)
      }
      offset += head.stride
      column.add(
        system == .degrees
          ? LngLat(longitude: x, latitude: y) : LngLat(MercatorMetres(x: x, y: y)))
    }
  }
}
