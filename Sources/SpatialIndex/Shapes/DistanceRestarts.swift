/// The borders of tiles at which distances along lines begin anew, in 1/256 pixels.
///
/// MapLibre draws each tile for itself: a line's dashes begin where the tile's part of it does, as far
/// beyond the border as tiles usually reach. Only what the tile has of the line counts, because its
/// neighbour may not have been read: the line is taken to be straight there.
struct DistanceRestarts: Sendable {
  /// The length of a side.
  let side: Int
  let originX: Int
  let originY: Int

  /// By how much a tile usually reaches beyond its border: 64 of 4,096 units.
  private var buffer: Int { side / 64 }

  /// Returns a distance as MapLibre stores it: rounded down to even parts of 8,192 of a side.
  func rounded(_ distance: Int) -> Int {
    let step = max(side / 4096, 1)
    return distance / step * step
  }

  /// Returns the distance at which the edge from a vertex to the next begins; `nil` if it goes on from
  /// the edge before.
  func distance(at vertex: ZoomVertex, toward next: ZoomVertex) -> Int? {
    guard isOnBorder(vertex) else { return nil }
    let (dx, dy) = (next.x - vertex.x, next.y - vertex.y)
    guard dx != 0 || dy != 0 else { return 0 }
    // The edge, drawn backward from the border, leaves the tile and what lies around it.
    let times = min(
      times(place: vertex.x, step: dx, origin: originX),
      times(place: vertex.y, step: dy, origin: originY))
    let length = (Double(dx) * Double(dx) + Double(dy) * Double(dy)).squareRoot()
    return Int((times * length).rounded())
  }

  /// Whether a vertex lies on a border.
  private func isOnBorder(_ vertex: ZoomVertex) -> Bool {
    (vertex.x - originX) % side == 0 || (vertex.y - originY) % side == 0
  }

  /// Returns how many steps back from a place lead out of the tile that the line enters there.
  private func times(place: Int, step: Int, origin: Int) -> Double {
    guard step != 0 else { return .infinity }
    let rest = (place - origin) % side
    let inside = rest < 0 ? rest + side : rest
    // On a border the step decides which tile it is.
    let way = step > 0 ? inside : inside == 0 ? 0 : side - inside
    return Double(way + buffer) / Double(step.magnitude)
  }
}
