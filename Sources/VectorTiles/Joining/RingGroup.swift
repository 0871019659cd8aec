import Features
import SpatialIndex
import Tiling

/// The rings of one area, told apart by their direction: outer rings with their holes.
struct RingGroup {
  private struct Ring {
    let vertices: ContiguousArray<WorldVertex>
    let box: PlaneBox
    /// Twice the area; negative for a hole.
    let area: Double
    var holes: [Int] = []
  }

  private var rings: [Ring] = []

  mutating func append(_ vertices: ContiguousArray<WorldVertex>) {
    let box = vertices.reduce(into: PlaneBox.empty) { $0.include(x: $1.x, y: $1.y) }
    rings.append(Ring(vertices: vertices, box: box, area: Self.doubledArea(vertices)))
  }

  /// Maximum number of pairs of rings that are compared: more than 8,000 of each kind come from tiles
  /// that are made for it.
  private static let pairLimit = 1 << 26

  /// Passes on each outer ring, and after it its holes. A hole in no outer ring is dropped, as is a
  /// ring without an area.
  ///
  /// With more pairs than the limit all holes come after the last outer ring, which changes nothing of
  /// what is filled by the even-odd rule.
  /// - Complexity: O(outer rings · holes) below the limit, and O(vertices) for each pair whose boxes
  ///   lie so.
  mutating func forEach(_ body: (GeometryColumn.Part, ContiguousArray<WorldVertex>) -> Void) {
    let outers = rings.indices.filter { rings[$0].area > 0 }
    let holes = rings.indices.filter { rings[$0].area < 0 }
    let areTooMany = outers.count * holes.count > Self.pairLimit
    for hole in holes {
      let outer = areTooMany ? outers.last : smallest(of: outers, around: hole)
      if let outer { rings[outer].holes.append(hole) }
    }
    for outer in outers {
      body(.outerRing, rings[outer].vertices)
      for hole in rings[outer].holes { body(.innerRing, rings[hole].vertices) }
    }
  }

  /// Returns the smallest outer ring around a hole.
  private func smallest(of outers: [Int], around hole: Int) -> Int? {
    let hole = rings[hole]
    // The middle of an edge is on no other ring as easily as a vertex is.
    let (a, b) = (hole.vertices[0], hole.vertices[1])
    let (x, y) = (Double(a.x + b.x) / 2, Double(a.y + b.y) / 2)
    var best: Int?
    for outer in outers where rings[outer].box.contains(hole.box) {
      if let best, rings[best].area <= rings[outer].area { continue }
      if outers.count == 1 || Self.contains(rings[outer].vertices, x, y) { best = outer }
    }
    return best
  }

  /// Whether a point lies in a ring by the even-odd rule.
  private static func contains(
    _ ring: ContiguousArray<WorldVertex>, _ x: Double, _ y: Double
  ) -> Bool {
    guard var previous = ring.last else { return false }
    var isInside = false
    for vertex in ring {
      let (ax, ay) = (Double(previous.x), Double(previous.y))
      let (bx, by) = (Double(vertex.x), Double(vertex.y))
      if (ay > y) != (by > y), x < ax + (y - ay) / (by - ay) * (bx - ax) { isInside.toggle() }
      previous = vertex
    }
    return isInside
  }

  /// Returns twice the area of a ring by the shoelace formula.
  private static func doubledArea(_ ring: ContiguousArray<WorldVertex>) -> Double {
    guard var previous = ring.last, let origin = ring.first else { return 0 }
    var sum: Int128 = 0
    for vertex in ring {
      sum += Int128(previous.x - origin.x) * Int128(vertex.y - origin.y)
      sum -= Int128(vertex.x - origin.x) * Int128(previous.y - origin.y)
      previous = vertex
    }
    return Double(sum)
  }
}
