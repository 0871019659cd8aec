import Features

/// A decoder of the command stream of a geometry: MoveTo, LineTo and ClosePath, each with a count, and
/// positions as zigzag distances from the last one.
///
/// Tiles of version 2 must follow the specification (chapter 4.3), except that several LineTo may
/// follow one another and that a ring may have fewer than three vertices. Tiles of version 1 may
/// also repeat MoveTo in points, close a line, leave a ring open, and have a ClosePath with the
/// count 0.
struct GeometryCommands {
  let version: Int

  /// The offset of the geometry in the tile, in bytes.
  let byte: Int

  /// Maximum number of vertices.
  let limit: Int

  /// The current position; it exceeds 32 bits only in crafted tiles, by at most `limit` steps of
  /// 31 bits.
  private var x = 0
  private var y = 0

  init(version: Int, byte: Int, limit: Int) {
    self.version = version
    self.byte = byte
    self.limit = limit
  }

  mutating func read(
    _ commands: ContiguousArray<UInt32>, of type: VectorTileFeature.GeometryType,
    into feature: inout VectorTileFeature
  ) throws(VectorTileError) {
    var place = 0
    while place < commands.count {
      let command = commands[place]
      let count = command >> 3
      place += 1
      switch command & 7 {
      case 1:
        try beginPath(count, of: type, &feature)
        try append(commands, &place, count, "MoveTo", &feature)
      case 2:
        guard type != .point, isOpen(feature) else { throw fault(.order(of: "LineTo")) }
        guard count > 0 else { throw fault(.count(of: "LineTo", count)) }
        try append(commands, &place, count, "LineTo", &feature)
      case 7:
        guard count == 1 || (count == 0 && version == 1) else {
          throw fault(.count(of: "ClosePath", count))
        }
        try closePath(type, &feature)
      default: throw fault(.command(command & 7))
      }
    }
    try finish(type, &feature)
  }

  /// The number of vertices of the part under construction.
  private func openCount(_ feature: VectorTileFeature) -> Int {
    feature.vertices.count - (feature.ends.last ?? 0)
  }

  private func isOpen(_ feature: VectorTileFeature) -> Bool { openCount(feature) > 0 }

  private func beginPath(
    _ count: UInt32, of type: VectorTileFeature.GeometryType, _ feature: inout VectorTileFeature
  ) throws(VectorTileError) {
    guard count > 0, type == .point || count == 1 else {
      throw fault(.count(of: "MoveTo", count))
    }
    guard isOpen(feature) else { return }
    if type == .point, version > 1 { throw fault(.order(of: "MoveTo")) }
    try endPath(type, &feature)
  }

  private mutating func append(
    _ commands: ContiguousArray<UInt32>, _ place: inout Int, _ count: UInt32, _ name: String,
    _ feature: inout VectorTileFeature
  ) throws(VectorTileError) {
    guard Int(count) * 2 <= commands.count - place else { throw fault(.count(of: name, count)) }
    guard feature.vertices.count + Int(count) <= limit else {
      throw fault(.tooMany("vertices", limit: limit))
    }
    for _ in 0..<count {
      x += Self.distance(commands[place])
      y += Self.distance(commands[place + 1])
      place += 2
      feature.vertices.append(TilePosition(x: Int32(clamping: x), y: Int32(clamping: y)))
    }
  }

  /// Decodes a zigzag integer.
  private static func distance(_ zigzag: UInt32) -> Int {
    Int(Int32(bitPattern: zigzag >> 1) ^ -Int32(zigzag & 1))
  }

  private func closePath(
    _ type: VectorTileFeature.GeometryType, _ feature: inout VectorTileFeature
  ) throws(VectorTileError) {
    guard isOpen(feature), type == .polygon || (type == .line && version == 1) else {
      throw fault(.order(of: "ClosePath"))
    }
    guard openCount(feature) > 1 else { throw fault(.unfinished("a ring")) }
    if type == .line {
      feature.vertices.append(feature.vertices[feature.ends.last ?? 0])
      feature.endPart(.line)
    } else {
      feature.endPart(.outerRing)
    }
  }

  /// Ends a path by the next MoveTo or the end of the commands.
  private func endPath(
    _ type: VectorTileFeature.GeometryType, _ feature: inout VectorTileFeature
  ) throws(VectorTileError) {
    switch type {
    case .unknown, .point: break
    case .line:
      guard openCount(feature) > 1 else { throw fault(.unfinished("a line")) }
      feature.endPart(.line)
    case .polygon:
      guard version == 1, openCount(feature) > 1 else { throw fault(.unfinished("a ring")) }
      feature.endPart(.outerRing)
    }
  }

  /// Ends the last path; points become parts of one vertex each.
  private func finish(
    _ type: VectorTileFeature.GeometryType, _ feature: inout VectorTileFeature
  ) throws(VectorTileError) {
    if isOpen(feature) { try endPath(type, &feature) }
    guard type == .point else { return }
    feature.ends.append(contentsOf: 1..<(feature.vertices.count + 1))
    feature.parts.append(contentsOf: repeatElement(.point, count: feature.vertices.count))
  }

  private func fault(_ fact: VectorTileError.Fact) -> VectorTileError {
    VectorTileError(fact, byte: byte)
  }
}
