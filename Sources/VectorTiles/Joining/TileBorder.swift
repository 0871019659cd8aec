import SpatialIndex
import Tiling

/// A side of a tile.
///
/// A ring whose inside lies on its right, as that of an outer ring does, runs clockwise along the
/// sides: eastward in the north, southward in the east, westward in the south, northward in the west.
enum TileSide: UInt8, CaseIterable {
  case north, east, south, west

  /// Whether coordinates grow along the side as an outer ring runs.
  var isAscending: Bool { self == .north || self == .east }

  /// Whether the side is a line of constant x.
  var isVertical: Bool { self == .east || self == .west }

  /// Whether the tile lies west or north of the side's line.
  var isBefore: Bool { self == .east || self == .south }
}

/// A side that two tiles have in common, by the one and by the other.
struct TileBorder: BitwiseCopyable, Hashable, Comparable {
  /// One bit for the direction, then the row and the column of the tile behind it.
  let rawValue: UInt64

  /// Creates the border on a side of a tile. That at the world's east edge is not that at its west
  /// edge: nothing is joined across the antimeridian.
  init(_ tile: TileCoord, _ side: TileSide) {
    let column = tile.x + (side == .east ? 1 : 0)
    let row = tile.y + (side == .south ? 1 : 0)
    rawValue = (side.isVertical ? 1 : 0) << 63 | UInt64(row) << 32 | UInt64(column)
  }

  static func < (one: TileBorder, other: TileBorder) -> Bool { one.rawValue < other.rawValue }
}

/// A stretch of a tile's side, in world units: y along the east and west sides, x along the others.
struct SideStretch: BitwiseCopyable, Hashable {
  let side: TileSide

  /// The coordinate that is the same all along.
  let line: Int

  var from: Int
  var to: Int

  /// Returns the point at a coordinate along the side.
  func point(_ coordinate: Int) -> WorldVertex {
    side.isVertical ? WorldVertex(x: line, y: coordinate) : WorldVertex(x: coordinate, y: line)
  }

  /// The point at which an outer ring comes to the stretch.
  var start: WorldVertex { point(side.isAscending ? from : to) }

  /// The point at which an outer ring leaves it.
  var end: WorldVertex { point(side.isAscending ? to : from) }
}

extension PlaneBox {
  /// Returns the side on which an edge runs; `nil` if it runs on none.
  func side(_ a: WorldVertex, _ b: WorldVertex) -> TileSide? {
    if a.x == b.x {
      if a.x == minX { return .west }
      if a.x == maxX { return .east }
    }
    if a.y == b.y {
      if a.y == minY { return .north }
      if a.y == maxY { return .south }
    }
    return nil
  }

  /// Returns the sides on which a vertex lies: none, one, or two at a corner.
  func sides(of vertex: WorldVertex) -> [TileSide] {
    var sides: [TileSide] = []
    if vertex.y == minY { sides.append(.north) }
    if vertex.x == maxX { sides.append(.east) }
    if vertex.y == maxY { sides.append(.south) }
    if vertex.x == minX { sides.append(.west) }
    return sides
  }

  /// Returns a stretch of a side.
  func stretch(_ side: TileSide, from: Int, to: Int) -> SideStretch {
    let line =
      switch side {
      case .north: minY
      case .east: maxX
      case .south: maxY
      case .west: minX
      }
    return SideStretch(side: side, line: line, from: from, to: to)
  }
}

/// The number of times that the rings of a feature run along each side of a tile, without edges that
/// run to and fro.
struct BorderCoverage {
  private struct Change {
    var place: Int
    var count: Int
  }

  private var changes: [[Change]] = [[], [], [], []]

  /// Adds an edge on a side.
  mutating func add(_ side: TileSide, from a: WorldVertex, to b: WorldVertex) {
    let (start, end) = side.isVertical ? (a.y, b.y) : (a.x, b.x)
    let count = side.isAscending ? 1 : -1
    changes[Int(side.rawValue)].append(Change(place: start, count: count))
    changes[Int(side.rawValue)].append(Change(place: end, count: -count))
  }

  /// Takes all edges and passes on the stretches that are left: where the rings run along the side
  /// as an outer ring does, and where they run against it, each as often as they do.
  ///
  /// Stretches that overlap begin and end in the same order.
  /// - Complexity: O(n log n) for n edges.
  mutating func drain(_ box: PlaneBox, _ body: (SideStretch, _ isAgainst: Bool) -> Void) {
    for side in TileSide.allCases where !changes[Int(side.rawValue)].isEmpty {
      var sorted = changes[Int(side.rawValue)]
      changes[Int(side.rawValue)].removeAll(keepingCapacity: true)
      sorted.sort { $0.place < $1.place }
      // The starts of the stretches that are open, of one kind at a time, and how many have ended.
      var open: [Int] = []
      var ended = 0
      var isAgainst = false
      var index = 0
      while index < sorted.count {
        let place = sorted[index].place
        var count = 0
        while index < sorted.count, sorted[index].place == place {
          count += sorted[index].count
          index += 1
        }
        if isAgainst { count = -count }
        while count < 0, ended < open.count {
          body(box.stretch(side, from: open[ended], to: place), isAgainst)
          ended += 1
          count += 1
        }
        if count != 0, ended == open.count {
          open.removeAll(keepingCapacity: true)
          ended = 0
          if count < 0 { isAgainst.toggle() }
        }
        open.append(contentsOf: repeatElement(place, count: abs(count)))
      }
    }
  }
}
