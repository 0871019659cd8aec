import Hashing
import SpatialIndex
import Tiling

/// The polygons of some regions, in units of ``WorldVertex``.
///
/// Each polygon is filled by the even-odd rule. One that extends beyond the world occurs once more
/// for each turn, moved west by it, so that all that lies in the world is there.
struct RegionShapes: Sendable {
  /// The rings of one polygon.
  struct Polygon: Sendable {
    let region: Int
    /// Its edges, as indexes into ``RegionShapes/edges``.
    let edges: Range<Int>
  }

  private(set) var polygons: [Polygon] = []
  private(set) var edges = ContiguousArray<RegionEdge>()

  /// The box of each region; `nil` for one without an area.
  private(set) var boxes: [RegionBox?] = []

  /// The maximum number of world widths over which a polygon may extend.
  private static let turnLimit = 3

  /// Creates the polygons of shapes; lines do not count.
  ///
  /// - Parameter isOneRegion: whether all shapes are one region; otherwise each is one.
  /// - Complexity: O(vertices).
  init(_ shapes: WorldShapes, isOneRegion: Bool = false) {
    for shape in 0..<shapes.count {
      if boxes.isEmpty || !isOneRegion { boxes.append(nil) }
      var rings: [Range<Int>] = []
      for part in shapes.partRange(shape) {
        switch shapes.parts[part] {
        case .outerRing, .polarOuterRing:
          append(rings, of: shapes)
          rings = [shapes.vertexRange(part)]
        case .innerRing, .polarInnerRing: rings.append(shapes.vertexRange(part))
        case .line, .polarLine: break
        }
      }
      append(rings, of: shapes)
    }
  }

  /// Appends a polygon to the last region.
  private mutating func append(_ rings: [Range<Int>], of shapes: WorldShapes) {
    guard let outer = rings.first else { return }
    var box = Box<Int>.empty
    for vertex in shapes.vertices[outer] { box.include(x: vertex.x, y: vertex.y) }
    let region = boxes.count - 1
    boxes[region, default: RegionBox()].include(box)
    let east = rings.joined().reduce(box.maxX) { max($0, shapes.vertices[$1].x) }
    for turns in 0...Self.turnLimit where turns == 0 || east > turns * WorldVertex.turn {
      let start = edges.count
      for ring in rings { append(ring, of: shapes, movedBy: turns * WorldVertex.turn) }
      polygons.append(Polygon(region: region, edges: start..<edges.count))
    }
  }

  private mutating func append(_ ring: Range<Int>, of shapes: WorldShapes, movedBy shift: Int) {
    var last = shapes.vertices[ring.upperBound - 1]
    for vertex in shapes.vertices[ring] {
      let (one, other) = last.x <= vertex.x ? (last, vertex) : (vertex, last)
      edges.append(
        RegionEdge(west: one.x - shift, westY: one.y, east: other.x - shift, eastY: other.y))
      last = vertex
    }
  }

  /// Returns the SHA-256 over the edges of a region: equal digests, equal areas.
  ///
  /// - Complexity: O(polygons + edges of the region).
  func digest(of region: Int) -> [UInt8] {
    var hash = SHA256()
    for polygon in polygons where polygon.region == region {
      for edge in edges[polygon.edges] {
        withUnsafeBytes(of: (edge.west, edge.westY, edge.east, edge.eastY)) {
          hash.update(bufferPointer: $0)
        }
      }
    }
    return hash.finalize()
  }
}

/// An edge of a polygon from west to east, in units of ``WorldVertex``.
struct RegionEdge: BitwiseCopyable, Sendable {
  let west: Int
  let westY: Int
  let east: Int
  let eastY: Int

  /// Returns the y coordinate, southward, at an x between its ends.
  private func y(at x: Int) -> Double {
    let width = Double(east - west)
    return Double(westY) + Double(eastY - westY) * (Double(x - west) / width)
  }

  /// Whether it passes through a square, not only along its edges.
  func passes(_ square: RegionSquare) -> Bool {
    guard west < square.east, east > square.west else { return false }
    let (north, south) = (Double(square.north), Double(square.south))
    guard west < east else {
      return Double(max(westY, eastY)) > north && Double(min(westY, eastY)) < south
    }
    let one = y(at: max(west, square.west))
    let other = y(at: min(east, square.east))
    return max(one, other) > north && min(one, other) < south
  }

  /// Whether it lies over a point or on it: the polygon contains the points with an odd number of
  /// such edges. The west end of an edge belongs to it, the east end to the next.
  func isAbove(x: Int, y limit: Int) -> Bool {
    west <= x && x < east && y(at: x) <= Double(limit)
  }

  /// Whether it separates two points of a column.
  func separates(x: Int, _ north: Int, _ south: Int) -> Bool {
    isAbove(x: x, y: north) != isAbove(x: x, y: south)
  }

  /// Whether it separates two points of a row, or ends between them so that the edge with which it
  /// shares that end decides; counted over a whole ring this is what ``isAbove(x:y:)`` counts.
  func separates(y limit: Int, _ one: Int, _ other: Int) -> Bool {
    let (first, last) = (min(one, other), max(one, other))
    guard west < east else {
      return first < west && west <= last && (westY <= limit) != (eastY <= limit)
    }
    let (start, end) = (max(first, west), min(last, east))
    return start < end && (y(at: start) <= Double(limit)) != (y(at: end) <= Double(limit))
  }
}

/// The square of a tile in units of ``WorldVertex``.
struct RegionSquare {
  let west: Int
  let north: Int
  let size: Int

  init(_ tile: TileCoord) {
    let bits = WorldVertex.worldBits - tile.z
    (west, north, size) = (tile.x << bits, tile.y << bits, 1 << bits)
  }

  var east: Int { west + size }
  var south: Int { north + size }

  /// The x coordinate of the middle.
  var middle: Int { west + size / 2 }
}

extension [RegionBox?] {
  fileprivate subscript(index: Int, default value: RegionBox) -> RegionBox {
    get { self[index] ?? value }
    set { self[index] = newValue }
  }
}
