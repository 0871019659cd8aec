/// Tells which edges meet a box, and where the others pass it.
///
/// Edges that are much longer than the box are cut at their middle first, again and again; where
/// depends on the edge alone, not on its direction nor on the box, so all tiles see the same.
struct EdgeWindow {
  /// What an edge is to the box.
  enum Relation {
    case meets
    /// Misses the box and does not pass between it and the far west, in the box' first row.
    case misses
    /// Misses the box and passes west of it, in its first row: winding around it changes.
    case passesWest
    /// To be cut at its middle.
    case isLong
  }

  /// Edges up to this length per axis are never cut, in 1/256 px: vertices of edges near a tile fit
  /// 32 bits well.
  static let longEdge = 1 << 24

  /// Edges and boxes up to this size are tested exactly: no product of differences overflows.
  private static let exactLimit = 1 << 29

  let box: PlaneBox

  /// 0 if the box' border is outside (areas), 1 if it belongs to the box (lines).
  let slack: Int

  /// Edges longer than this per axis are cut.
  let limit: Int

  init(_ box: PlaneBox, slack: Int) {
    self.box = box
    self.slack = slack
    limit = max(Self.longEdge, box.extent)
  }

  @inline(__always)
  func zone(_ x: Int, _ y: Int) -> OutsideZone {
    OutsideZone(x: x, y: y, of: box, slack: slack)
  }

  /// - Complexity: O(1).
  @inline(__always)
  func relation(ax: Int, ay: Int, bx: Int, by: Int) -> Relation {
    let from = zone(ax, ay)
    let to = zone(bx, by)
    let common = from.intersection(to)
    if !common.isEmpty {
      return common.contains(.west) && (ay <= box.minY) != (by <= box.minY) ? .passesWest : .misses
    }
    // An end inside.
    if from.isEmpty || to.isEmpty {
      return max(abs(bx - ax), abs(by - ay)) > limit ? .isLong : .meets
    }
    return slantedRelation(ax: ax, ay: ay, bx: bx, by: by)
  }

  /// The relation of an edge whose ends lie outside on different sides.
  ///
  /// The function (b − a) × (p − a) has one sign on each side of the edge; its extremes over the
  /// box lie at corners.
  private func slantedRelation(ax: Int, ay: Int, bx: Int, by: Int) -> Relation {
    let dx = bx - ax
    let dy = by - ay
    if max(abs(dx), abs(dy)) > limit { return .isLong }
    guard limit <= Self.exactLimit else { return .meets }
    let (west, east) = (box.minX - ax, box.maxX - ax)
    let (north, south) = (box.minY - ay, box.maxY - ay)
    let greatest = max(dx * north, dx * south) + max(-dy * west, -dy * east)
    let least = min(dx * north, dx * south) + min(-dy * west, -dy * east)
    if greatest > -slack && least < slack { return .meets }
    guard (ay <= box.minY) != (by <= box.minY) else { return .misses }
    // Downward edges have what lies east of them on the negative side.
    let boxIsEast = dy > 0 ? greatest <= 0 : least >= 0
    return boxIsEast ? .passesWest : .misses
  }
}
