import Tiling

/// The point inside a polygon that is farthest from its outline, where a label has the most room.
///
/// Squares that cover the polygon are halved as long as they may hold a better point, the most
/// promising first (the algorithm of Mapbox's polylabel, 2016, after Garcia-Castellanos and
/// Lombardo, "Poles of inaccessibility", 2007).
struct PoleOfInaccessibility {
  /// A square around (`x`, `y`).
  private struct Cell {
    let x: Double
    let y: Double
    /// Half of the square's side.
    let half: Double
    /// The distance from the square's centre to the outline, negative outside the polygon.
    let distance: Double
    /// The upper bound of the distance of the square's points from the outline.
    let bound: Double

    init(x: Double, y: Double, half: Double, distance: Double) {
      self.x = x
      self.y = y
      self.half = half
      self.distance = distance
      bound = distance + half * 2.0.squareRoot()
    }
  }

  /// One side of a ring.
  private struct Edge {
    let from: WorldPlace
    let toY: Double
    /// The vector from the side's beginning to its end.
    let dx: Double
    let dy: Double
    let squaredLength: Double

    init(_ from: WorldPlace, _ to: WorldPlace) {
      self.from = from
      toY = to.y
      dx = to.x - from.x
      dy = to.y - from.y
      squaredLength = dx * dx + dy * dy
    }
  }

  /// The maximum number of squares examined, so that thousands of slivers do not take minutes.
  private static let limit = 4096

  /// The precision as a share of the polygon's shorter side: the distance found is at most this
  /// much smaller than the best one, 2 of 512 px for a polygon that fills a tile of MapLibre.
  private static let precision = 1.0 / 256

  /// The side of the tile that the polygon comes from; `nil` for a polygon that no tile cuts.
  private let tileSide: Double?

  /// The outer ring, closed or not.
  private let outer: ArraySlice<WorldPlace>

  /// The edges of all rings.
  private let edges: ContiguousArray<Edge>

  /// Creates the search for the pole of a polygon.
  ///
  /// - Parameters:
  ///   - rings: the outer ring and the holes, closed or not.
  ///   - tileSide: the side of the tile that the polygon comes from; the precision is then the
  ///     same as in MapLibre, 1/512 of the tile.
  init(rings: [ArraySlice<WorldPlace>], tileSide: Double? = nil) {
    self.tileSide = tileSide
    outer = rings.first ?? []
    var edges = ContiguousArray<Edge>()
    edges.reserveCapacity(rings.reduce(0) { $0 + $1.count })
    for ring in rings {
      guard var from = ring.last else { continue }
      for to in ring {
        edges.append(Edge(from, to))
        from = to
      }
    }
    self.edges = edges
  }

  /// The pole; `nil` if there is no outer ring.
  ///
  /// - Complexity: O(vertices · squares), at most 4,096 squares, usually some tens.
  var pole: WorldPlace? {
    guard !outer.isEmpty else { return nil }
    let box = outer.reduce(into: Box<Double>.empty) { $0.include(x: $1.x, y: $1.y) }
    let (west, north, east, south) = (box.minX, box.minY, box.maxX, box.maxY)
    let shorter = min(east - west, south - north)
    guard shorter > 0 else { return WorldPlace(x: (west + east) / 2, y: (north + south) / 2) }
    let side = max(shorter, max(east - west, south - north) / 64)
    let precision = tileSide.map { $0 / 512 } ?? shorter * Self.precision
    var best = cell((west + east) / 2, (north + south) / 2, 0)
    if let centroid, tileSide != nil {
      best = cell(centroid.x, centroid.y, 0)
    } else if let centroid, cell(centroid.x, centroid.y, 0).distance > best.distance {
      best = cell(centroid.x, centroid.y, 0)
    }
    var queue = CellHeap()
    // Of equally good squares, MapLibre examines the western ones first.
    for x in stride(from: west, to: east, by: side) {
      for y in stride(from: north, to: south, by: side) {
        queue.insert(cell(x + side / 2, y + side / 2, side / 2))
      }
    }
    var seen = queue.count
    while let next = queue.removeLargest(), seen < Self.limit {
      if next.distance > best.distance { best = next }
      guard next.bound - best.distance > precision else {
        if tileSide == nil { break }
        // MapLibre also tries the centres of the squares that are not divided.
        continue
      }
      let half = next.half / 2
      for (right, down) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
        queue.insert(cell(next.x + right, next.y + down, half))
      }
      seen += 4
    }
    return WorldPlace(x: best.x, y: best.y)
  }

  private func cell(_ x: Double, _ y: Double, _ half: Double) -> Cell {
    Cell(x: x, y: y, half: half, distance: distance(x, y))
  }

  /// Returns the distance from a point to the nearest edge, negative outside the polygon.
  private func distance(_ x: Double, _ y: Double) -> Double {
    var isInside = false
    var least = Double.infinity
    for edge in edges {
      if (edge.from.y > y) != (edge.toY > y),
        x < edge.dx * (y - edge.from.y) / edge.dy + edge.from.x
      {
        isInside.toggle()
      }
      least = min(least, Self.squaredDistance(x, y, edge))
    }
    return isInside ? least.squareRoot() : -least.squareRoot()
  }

  private static func squaredDistance(_ x: Double, _ y: Double, _ edge: Edge) -> Double {
    let along = (x - edge.from.x) * edge.dx + (y - edge.from.y) * edge.dy
    let share = edge.squaredLength > 0 ? min(max(along / edge.squaredLength, 0), 1) : 0
    let right = edge.from.x + share * edge.dx - x
    let down = edge.from.y + share * edge.dy - y
    return right * right + down * down
  }

  /// The centre of the outer ring's area.
  private var centroid: WorldPlace? {
    guard let origin = outer.first, var from = outer.last else { return nil }
    var (area, x, y) = (0.0, 0.0, 0.0)
    for to in outer {
      let (ax, ay, bx, by) =
        (from.x - origin.x, from.y - origin.y, to.x - origin.x, to.y - origin.y)
      let cross = ax * by - bx * ay
      area += cross * 3
      x += (ax + bx) * cross
      y += (ay + by) * cross
      from = to
    }
    return area == 0 ? nil : WorldPlace(x: origin.x + x / area, y: origin.y + y / area)
  }
}

extension PoleOfInaccessibility {
  /// A binary heap that yields the square with the largest bound first.
  private struct CellHeap {
    private var cells: ContiguousArray<Cell> = []

    var count: Int { cells.count }

    mutating func insert(_ cell: Cell) {
      cells.append(cell)
      var child = cells.count - 1
      while child > 0 {
        let parent = (child - 1) / 2
        guard cells[child].bound > cells[parent].bound else { return }
        cells.swapAt(child, parent)
        child = parent
      }
    }

    mutating func removeLargest() -> Cell? {
      guard let largest = cells.first, let last = cells.popLast() else { return nil }
      guard !cells.isEmpty else { return largest }
      cells[0] = last
      var parent = 0
      while true {
        var child = 2 * parent + 1
        guard child < cells.count else { return largest }
        if child + 1 < cells.count, cells[child + 1].bound > cells[child].bound {
          child += 1
        }
        guard cells[child].bound > cells[parent].bound else { return largest }
        cells.swapAt(child, parent)
        parent = child
      }
    }
  }
}
