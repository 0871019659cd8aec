import Features
import TestSupport
import Tiling

/// A geometry on whole numbers whose relations follow from the half-whole positions that it holds.
struct LatticeGeometry: CustomStringConvertible {
  struct Position: Hashable {
    var x: Int
    var y: Int
  }

  private enum Shape {
    case points([Position])
    case path([Position])
    /// Rectangles, each perhaps with a hole: outer and inner corners.
    case areas([[(Position, Position)]])
  }

  private let shape: Shape
  /// The positions in halves that belong to the geometry, and whether each is inside.
  private var holds: [Position: Bool] = [:]

  var description: String { text(isSheared: false) }

  static func random(using random: inout SplitMix64) -> LatticeGeometry {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    switch number(0...5) {
    case 0:
      return LatticeGeometry(
        .points((0..<number(1...2)).map { _ in Position(x: number(0...5), y: number(0...5)) }))
    case 1, 2:
      var path = [Position(x: number(0...5), y: number(0...5))]
      for _ in 0..<number(1...4) {
        var next = path[path.count - 1]
        if Bool.random(using: &random) { next.x = number(0...5) } else { next.y = number(0...5) }
        if next != path[path.count - 1] { path.append(next) }
      }
      if path.count == 1 { path.append(Position(x: path[0].x, y: path[0].y == 0 ? 3 : 0)) }
      return LatticeGeometry(.path(path))
    default:
      var rectangles: [[(Position, Position)]] = []
      // A second rectangle lies beyond x = 7, apart from the first.
      for column in 0..<(number(0...4) == 0 ? 2 : 1) {
        let low = Position(x: number(0...3) + column * 7, y: number(0...3))
        let high = Position(x: low.x + number(1...3), y: low.y + number(1...4))
        var rings = [(low, high)]
        if high.x - low.x >= 3, high.y - low.y >= 3 {
          rings.append(
            (Position(x: low.x + 1, y: low.y + 1), Position(x: high.x - 1, y: high.y - 1)))
        }
        rectangles.append(rings)
      }
      return LatticeGeometry(.areas(rectangles))
    }
  }

  /// The first hole as a rectangle.
  var hole: LatticeGeometry? {
    guard case .areas(let areas) = shape, areas[0].count > 1 else { return nil }
    return LatticeGeometry(.areas([[areas[0][1]]]))
  }

  private init(_ shape: Shape) {
    self.shape = shape
    switch shape {
    case .points(let positions):
      for position in positions { holds[Position(x: position.x * 2, y: position.y * 2)] = true }
    case .path(let path): addPath(path)
    case .areas(let areas): for area in areas { addArea(area) }
    }
  }

  private mutating func addPath(_ path: [Position]) {
    for (from, to) in zip(path, path.dropFirst()) {
      for x in min(from.x, to.x) * 2...max(from.x, to.x) * 2 {
        for y in min(from.y, to.y) * 2...max(from.y, to.y) * 2 {
          holds[Position(x: x, y: y)] = true
        }
      }
    }
    guard let first = path.first, let last = path.last, first != last else { return }
    for end in [first, last] { holds[Position(x: end.x * 2, y: end.y * 2)] = false }
  }

  private mutating func addArea(_ rings: [(Position, Position)]) {
    func isIn(_ cell: Position) -> Bool {
      let hits = rings.filter { low, high in
        cell.x >= low.x && cell.x < high.x && cell.y >= low.y && cell.y < high.y
      }
      return hits.count == 1
    }
    let (low, high) = rings[0]
    for x in low.x * 2...high.x * 2 {
      for y in low.y * 2...high.y * 2 {
        // The cells that the position touches: two in each direction where it is whole.
        var cells: [Bool] = []
        for column in Set([(x - 1) >> 1, x >> 1]) {
          for row in Set([(y - 1) >> 1, y >> 1]) { cells.append(isIn(Position(x: column, y: row))) }
        }
        if cells.contains(true) { holds[Position(x: x, y: y)] = !cells.contains(false) }
      }
    }
  }

  // MARK: Relations

  func intersects(_ other: LatticeGeometry) -> Bool {
    holds.keys.contains { other.holds[$0] != nil }
  }

  func isWithin(_ other: LatticeGeometry) -> Bool {
    holds.keys.allSatisfy { other.holds[$0] != nil }
      && holds.contains { $0.value && other.holds[$0.key] == true }
  }

  func isEqual(to other: LatticeGeometry) -> Bool { isWithin(other) && other.isWithin(self) }

  // MARK: Forms

  private func degrees(_ position: Position, _ isSheared: Bool) -> (Double, Double) {
    let (x, y) = (Double(position.x), Double(position.y))
    return isSheared ? ((3 * x + y) * 0.375, (x - 2 * y) * 0.625) : (x * 0.1, y * 0.1)
  }

  private func ring(_ corners: (Position, Position)) -> [Position] {
    let (low, high) = corners
    return [
      low, Position(x: high.x, y: low.y), high, Position(x: low.x, y: high.y), low,
    ]
  }

  private func numbers(_ positions: [Position], _ isSheared: Bool) -> [Double] {
    positions.flatMap { position in
      let (x, y) = degrees(position, isSheared)
      return [x, y]
    }
  }

  func record(isSheared: Bool) -> RecordGeometry {
    switch shape {
    case .points(let positions):
      .points(
        positions.map { position in
          let (x, y) = degrees(position, isSheared)
          return LngLat(longitude: x, latitude: y)
        })
    case .path(let path): .shape(.lineString, [(.line, numbers(path, isSheared))])
    case .areas(let areas):
      .shape(
        .multiPolygon,
        areas.flatMap { rings in
          rings.enumerated().map { index, corners in
            (index == 0 ? .outerRing : .innerRing, numbers(ring(corners), isSheared))
          }
        })
    }
  }

  func text(isSheared: Bool) -> String {
    func list(_ positions: [Position]) -> String {
      let texts = positions.map { position in
        let (x, y) = degrees(position, isSheared)
        return "\(x) \(y)"
      }
      return "(" + texts.joined(separator: ", ") + ")"
    }
    switch shape {
    case .points(let positions): return "MULTIPOINT" + list(positions)
    case .path(let path): return "LINESTRING" + list(path)
    case .areas(let areas):
      let polygons = areas.map { rings in
        "(" + rings.map { list(ring($0)) }.joined(separator: ", ") + ")"
      }
      return "MULTIPOLYGON(" + polygons.joined(separator: ", ") + ")"
    }
  }
}
