package import Columns
import SpatialIndex
package import Tiling

/// The stacks of one zoom: points that stand alone within a distance of each other, spread so that
/// each can be seen.
///
/// Stacks are made from the points in Z-order, ties by a rule of the caller: the first point that is
/// in no stack takes all others within the distance that are in none. So they depend on the set of
/// points, but not on its order.
package struct PointStacks: Sendable {
  /// The position of every item of the zoom; those of stacks are spread.
  package private(set) var positions: Column<WorldPoint>

  /// The middle of the stack of each item that is in one, by the item's index.
  package private(set) var middles: [UInt32: WorldPoint] = [:]

  /// The items in Z-order, ties by the caller's rule: the order in which they are drawn.
  package let order: Column<UInt32>

  /// The number of stacks.
  package private(set) var count = 0

  /// - Parameters:
  ///   - positions: the positions of the zoom's items.
  ///   - isAlone: whether an item is a point that the zoom shows by itself.
  ///   - distance: the distance within which points form a stack, in pixels.
  ///   - pixel: the width of a pixel in units of a world position.
  ///   - precedes: the order of items at one position.
  /// - Complexity: O(n + pairs of points in neighbouring cells of the distance's width)
  package init(
    _ positions: Column<WorldPoint>, distance: Double, pixel: Double, form: StackForm,
    isAlone: (Int) -> Bool, precedes: (UInt32, UInt32) -> Bool
  ) {
    self.positions = positions
    var order = MortonOrder(positions)
    order.sortTies(by: precedes)
    self.order = order.indices
    let items = order.indices.filter { isAlone(Int($0)) }
    let reach = min(max(distance * pixel, 1), 0x1p31)
    let search = StackSearch(items, positions, reach: reach)
    var isTaken = [Bool](repeating: false, count: items.count)
    for leader in items.indices where !isTaken[leader] {
      let members = search.neighbors(of: leader).filter { !isTaken[$0] }
      guard members.count > 1 else { continue }
      for member in members { isTaken[member] = true }
      spread(members.map { items[$0] }, pixel: pixel, form)
    }
  }

  /// Returns the middle of the stack of an item; `nil` for an item at its place.
  package func middle(of item: Int) -> WorldPoint? { middles[UInt32(truncatingIfNeeded: item)] }

  private mutating func spread(_ members: [UInt32], pixel: Double, _ form: StackForm) {
    // Differences wrap around the antimeridian.
    let first = positions[Int(members[0])]
    var (east, south) = (0, 0)
    for member in members {
      let position = positions[Int(member)]
      east += Int(Int32(bitPattern: position.x &- first.x))
      south += Int(position.y) - Int(first.y)
    }
    func moved(_ point: WorldPoint, _ x: Double, _ y: Double) -> WorldPoint {
      WorldPoint(
        x: point.x &+ UInt32(truncatingIfNeeded: Int(x.rounded())),
        y: UInt32(clamping: Int(point.y) + Int(y.rounded())))
    }
    let size = Double(members.count)
    let middle = moved(first, Double(east) / size, Double(south) / size)
    for (member, offset) in zip(members, form.offsets(count: members.count)) {
      positions[Int(member)] = moved(middle, offset.x * pixel, offset.y * pixel)
      middles[member] = middle
    }
    count += 1
  }
}

/// A search for the points within a distance, over cells of its width.
private struct StackSearch {
  private let points: [WorldPoint]
  private let tree: LinearQuadTree<QuadTreeCell>
  private let reach: Double

  /// The number of cells around the world.
  private let across: UInt32

  init(_ items: [UInt32], _ positions: Column<WorldPoint>, reach: Double) {
    let points = items.map { positions[Int($0)] }
    let across = UInt32(min(max(0x1p32 / reach, 1), 0x1p31))
    self.points = points
    self.reach = reach
    self.across = across
    tree = LinearQuadTree(count: points.count) { index in
      Self.key(
        Self.cell(points[index].x, across), Self.cell(points[index].y, across))
    }
  }

  private static func cell(_ coordinate: UInt32, _ across: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: UInt64(coordinate) * UInt64(across) >> 32)
  }

  private static func key(_ x: UInt32, _ y: UInt32) -> UInt64 { MortonCode(x: x, y: y).rawValue }

  /// Returns the points within the distance of one, itself included, ascending.
  func neighbors(of index: Int) -> [Int] {
    let point = points[index]
    let (column, row) = (Self.cell(point.x, across), Self.cell(point.y, across))
    var found: [Int] = []
    // Cells are at least as wide as the distance; the world may have fewer than three.
    let columns = Set([column, (column + 1) % across, (column + across - 1) % across])
    for x in columns {
      for y in max(row, 1) - 1...row + 1 {
        guard let place = tree.place(of: Self.key(x, y)) else { continue }
        for member in tree.members[tree.nodes[place].range] {
          let other = points[Int(member)]
          let dx = Double(Int32(bitPattern: other.x &- point.x))
          let dy = Double(Int(other.y) - Int(point.y))
          if dx * dx + dy * dy <= reach * reach { found.append(Int(member)) }
        }
      }
    }
    return found.sorted()
  }
}
