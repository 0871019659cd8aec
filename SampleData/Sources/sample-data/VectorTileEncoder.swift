/// Writes Mapbox Vector Tiles, version 2.1 of their specification.
struct VectorTileEncoder {
  enum Value: Hashable {
    case text(String)
    case number(Int)
  }

  struct Feature {
    /// 1 for points, 2 for lines, 3 for areas, as in the specification.
    var kind: Int
    /// Points in one part; or lines, or rings without their first corner at the end.
    var parts: [[SIMD2<Int>]]
    var properties: [(String, Value)]
  }

  /// The bytes of the tile.
  private(set) var bytes: [UInt8] = []

  /// Appends a layer; one without features is left out, and so are areas too thin for the grid.
  mutating func append(layer name: String, _ features: [Feature]) {
    guard !features.isEmpty else { return }
    var layer: [UInt8] = []
    var keys: [String] = []
    var values: [Value] = []
    Self.append(field: 15, number: 2, to: &layer)
    Self.append(field: 1, Array(name.utf8), to: &layer)
    for feature in features {
      let geometry = Self.geometry(of: feature)
      guard !geometry.isEmpty else { continue }
      var tags: [UInt8] = []
      for (key, value) in feature.properties {
        Self.append(UInt64(Self.index(of: key, in: &keys)), to: &tags)
        Self.append(UInt64(Self.index(of: value, in: &values)), to: &tags)
      }
      var message: [UInt8] = []
      Self.append(field: 2, tags, to: &message)
      Self.append(field: 3, number: UInt64(feature.kind), to: &message)
      Self.append(field: 4, geometry, to: &message)
      Self.append(field: 2, message, to: &layer)
    }
    for key in keys { Self.append(field: 3, Array(key.utf8), to: &layer) }
    for value in values {
      var message: [UInt8] = []
      switch value {
      case .text(let text): Self.append(field: 1, Array(text.utf8), to: &message)
      case .number(let number):
        Self.append(field: 6, number: Self.zigzag(number), to: &message)
      }
      Self.append(field: 4, message, to: &layer)
    }
    Self.append(field: 5, number: UInt64(TileCutter.extent), to: &layer)
    Self.append(field: 3, layer, to: &bytes)
  }

  private static func index<Element: Equatable>(
    of element: Element, in list: inout [Element]
  ) -> Int {
    if let known = list.firstIndex(of: element) { return known }
    list.append(element)
    return list.count - 1
  }

  /// The commands of a geometry: 1 moves, 2 draws lines, 7 closes a ring. The first ring turns right,
  /// as the specification demands of outer rings.
  private static func geometry(of feature: Feature) -> [UInt8] {
    var commands: [UInt8] = []
    var pen = SIMD2(0, 0)
    func append(_ points: ArraySlice<SIMD2<Int>>, command: Int) {
      VectorTileEncoder.append(UInt64(command | points.count << 3), to: &commands)
      for point in points {
        let step = point &- pen
        VectorTileEncoder.append(zigzag(step.x), to: &commands)
        VectorTileEncoder.append(zigzag(step.y), to: &commands)
        pen = point
      }
    }
    for part in feature.parts {
      guard feature.kind != 1 else {
        append(part[...], command: 1)
        continue
      }
      var part = part
      if feature.kind == 3 {
        if part.first == part.last { part.removeLast() }
        guard part.count > 2, twiceArea(of: part) != 0 else { continue }
        if twiceArea(of: part) < 0 { part.reverse() }
      }
      append(part.prefix(1), command: 1)
      append(part.dropFirst(), command: 2)
      if feature.kind == 3 { VectorTileEncoder.append(7 | 1 << 3, to: &commands) }
    }
    return commands
  }

  /// Positive for a ring that turns right where the second axis points down.
  private static func twiceArea(of ring: [SIMD2<Int>]) -> Int {
    guard var previous = ring.last else { return 0 }
    var sum = 0
    for point in ring {
      sum += previous.x * point.y - point.x * previous.y
      previous = point
    }
    return sum
  }

  // MARK: Protocol Buffers

  private static func append(field: Int, number: UInt64, to bytes: inout [UInt8]) {
    append(UInt64(field << 3), to: &bytes)
    append(number, to: &bytes)
  }

  private static func append(field: Int, _ content: [UInt8], to bytes: inout [UInt8]) {
    append(UInt64(field << 3 | 2), to: &bytes)
    append(UInt64(content.count), to: &bytes)
    bytes += content
  }

  private static func zigzag(_ number: Int) -> UInt64 {
    UInt64(bitPattern: Int64(number << 1 ^ number >> 63))
  }

  /// Appends a number in groups of seven bits, the lowest first.
  static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
