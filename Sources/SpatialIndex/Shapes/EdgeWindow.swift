import Tiling

/// A classifier of edges: whether an edge meets a box, and otherwise on which side it passes.
///
/// Edges much longer than the box are first cut in half, repeatedly. The cuts depend on the edge
/// alone, neither on its direction nor on the box, so they are the same for all tiles.
struct EdgeWindow {
  /// The relation of an edge to the box.
  enum Relation {
    case meets
    /// Misses the box, and does not pass west of it in the box's first row.
    case misses
    /// Misses the box and passes west of it, in its first row: the winding number around the box
    /// changes.
    case passesWest
    /// Must be cut at its middle.
    case isLong
  }

  /// The length per axis up to which edges are never cut, in 1/256 pixels: vertices of edges near a
  /// tile easily fit 32 bits.
  static let longEdge = 1 << 24

  /// The size up to which edges and boxes are tested exactly: products of differences do not
  /// overflow.
  private static let exactLimit = 1 << 29

  let box: PlaneBox

  /// The slack at the box's border: 0 if the border is outside (areas), 1 if it belongs to the box
  /// (lines).
  let slack: Int

  /// The length per axis above which edges are cut.
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
    // One end is inside.
    if from.isEmpty || to.isEmpty {
      return max(abs(bx - ax), abs(by - ay)) > limit ? .isLong : .meets
    }
    return slantedRelation(ax: ax, ay: ay, bx: bx, by: by)
  }

  /// Returns the relation of an edge whose ends are outside on different sides.
  ///
  /// The function (b − a) × (p − a) has one sign on each side of the edge; its extremes over the
  /// box are at corners.
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
    // For downward edges, points to the east are on the negative side.
    let boxIsEast = dy > 0 ? greatest <= 0 : least >= 0
    return boxIsEast ? .passesWest : .misses
  }
}
