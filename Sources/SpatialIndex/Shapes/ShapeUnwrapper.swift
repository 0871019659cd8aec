import Tiling

/// A converter of the positions of one line or ring to a run of vertices without jumps at the
/// antimeridian.
///
/// Edges are straight on the flat map, as in GeoJSON (RFC 7946, 3.1.1), however long, except for those
/// that ``LongEdges`` turns. Repeated vertices are dropped.
struct ShapeUnwrapper {
  /// The limit in world units to which longitudes are clamped, so that sums of them do not
  /// overflow.
  private static let limit = 1024 * WorldVertex.turn

  /// The vertices; a ring does not repeat its first.
  private(set) var vertices = ContiguousArray<WorldVertex>()

  /// The number of times a ring runs around the globe, eastward positive: 0 unless it encloses a
  /// pole.
  private(set) var turns = 0

  /// Unwraps a run of positions.
  ///
  /// - Parameter isOfTile: whether the run comes from a tile; its edges are then all straight.
  /// - Complexity: O(positions).
  mutating func unwrap(
    _ positions: Slice<UnsafeBufferPointer<LngLat>>, isRing: Bool, isOfTile: Bool = false
  ) {
    vertices.removeAll(keepingCapacity: true)
    turns = 0
    guard let firstPosition = positions.first, let lastPosition = positions.last else { return }
    let turnsEdges =
      !isOfTile && Self.hasLongEdge(positions, from: isRing ? lastPosition : firstPosition)
      && LongEdges(of: positions, isRing: isRing)?.areTurned ?? false
    let first = WorldVertex(firstPosition)
    var position = firstPosition
    var raw = first
    var x = first.x
    vertices.append(first)
    for next in positions.dropFirst() {
      let nextRaw = WorldVertex(next)
      x +=
        turnsEdges
        ? Self.step(from: (position, raw), to: (next, nextRaw)) : nextRaw.x - raw.x
      x = min(max(x, -Self.limit), Self.limit)
      append(WorldVertex(x: x, y: nextRaw.y))
      position = next
      raw = nextRaw
    }
    guard isRing else { return }
    if turnsEdges {
      x += Self.step(from: (lastPosition, raw), to: (firstPosition, first))
    } else {
      x = first.x
    }
    turns = (x - first.x + WorldVertex.turn / 2) >> WorldVertex.worldBits
    dropClosingVertices()
  }

  /// - Parameter last: the position before the first one.
  private static func hasLongEdge(
    _ positions: Slice<UnsafeBufferPointer<LngLat>>, from last: LngLat
  ) -> Bool {
    var last = last
    for position in positions {
      if LongEdges.contain(from: last, to: position) { return true }
      last = position
    }
    return false
  }

  private mutating func append(_ vertex: WorldVertex) {
    if vertices.last != vertex { vertices.append(vertex) }
  }

  /// Drops the vertices at the end that repeat the first.
  private mutating func dropClosingVertices() {
    let closing = WorldVertex(x: vertices[0].x + turns * WorldVertex.turn, y: vertices[0].y)
    while vertices.count > 1, vertices.last == closing { vertices.removeLast() }
  }

  /// Returns the distance of a position eastward from the previous one, in world units.
  private static func step(
    from: (position: LngLat, vertex: WorldVertex), to: (position: LngLat, vertex: WorldVertex)
  ) -> Int {
    let step = to.vertex.x - from.vertex.x
    guard LongEdges.contain(from: from.position, to: to.position) else { return step }
    let half = WorldVertex.turn / 2
    let wrapped = step & (WorldVertex.turn - 1)
    return wrapped > half ? wrapped - WorldVertex.turn : wrapped
  }

  /// Whether there are at least three different vertices.
  var isArea: Bool {
    guard vertices.count >= 3 else { return false }
    return vertices.contains { $0 != vertices[0] && $0 != vertices[1] }
  }

  /// Moves all vertices by whole world widths.
  mutating func move(turns: Int) {
    guard turns != 0 else { return }
    for index in vertices.indices { vertices[index].x += turns * WorldVertex.turn }
  }

  /// The box of the vertices.
  var box: PlaneBox {
    vertices.reduce(into: PlaneBox.empty) { $0.include(x: $1.x, y: $1.y) }
  }

  /// The outline of a ring around a pole: see ``ShapePart/polarLine``.
  var polarLine: ContiguousArray<WorldVertex> {
    let shift = turns * WorldVertex.turn
    var line: ContiguousArray<WorldVertex> = []
    guard let last = vertices.last, vertices.count >= 2 else { return line }
    line.append(WorldVertex(x: last.x - shift, y: last.y))
    line.append(contentsOf: vertices)
    for vertex in vertices.prefix(2) {
      line.append(WorldVertex(x: vertex.x + shift, y: vertex.y))
    }
    return line
  }

  /// Closes a ring that runs around the globe over the nearer pole.
  mutating func closeOverPole() {
    guard let first = vertices.first else { return }
    let meanY = vertices.reduce(0.0) { $0 + Double($1.y) } / Double(vertices.count)
    let isNorth = meanY < Double(WorldVertex.turn / 2)
    let latitude = isNorth ? WorldVertex.latitudeLimit : -WorldVertex.latitudeLimit
    let pole = WorldVertex(LngLat(longitude: 0, latitude: latitude)).y
    let endX = first.x + turns * WorldVertex.turn
    append(WorldVertex(x: endX, y: first.y))
    append(WorldVertex(x: endX, y: pole))
    append(WorldVertex(x: first.x, y: pole))
  }
}
