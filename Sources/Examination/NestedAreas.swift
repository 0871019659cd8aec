import Features
import Ingest
import Tiling

/// The areas of a source that lie one within the other, such as the isochrones of a place: the first
/// ones of its file, with their numbers.
struct NestedAreas {
  private struct Area {
    var rings: [Range<Int>] = []
    var box = Box<Double>.empty
    let line: Int
    var numbers: [Double?] = []
  }

  private var areas: [Area] = []
  private var positions: [LngLat] = []
  private var names: [String] = []

  private static let areaLimit = 200
  private static let positionLimit = 50_000
  private static let columnLimit = 32

  /// Adds the geometry of a row if it is an area.
  mutating func add(_ batch: FeatureBatch, _ row: Int) {
    let geometry = batch.geometry
    guard areas.count < Self.areaLimit, positions.count < Self.positionLimit,
      [.polygon, .multiPolygon].contains(geometry.kinds[row])
    else { return }
    var area = Area(line: batch.lines[row])
    for part in geometry.partRange(row) {
      let start = positions.count
      for index in geometry.positionRange(part).prefix(Self.positionLimit) {
        let position = geometry.positions[index]
        positions.append(position)
        area.box.include(x: position.longitude, y: position.latitude)
      }
      area.rings.append(start..<positions.count)
    }
    let columns = batch.columns.prefix(Self.columnLimit)
    if names.count < columns.count { names = columns.map(\.name) }
    area.numbers = columns.map { $0.number(row) }
    areas.append(area)
  }

  /// Returns what is known of areas that hide others; `nil` where none is hidden.
  ///
  /// - Complexity: O(areas²), and O(positions) for each pair whose boxes are nested.
  func nesting() -> AreaNesting? {
    var nesting = AreaNesting(count: areas.count)
    var pairs: [(outer: Int, inner: Int)] = []
    for outer in areas.indices {
      for inner in areas.indices where inner != outer && isWithin(inner, outer) {
        pairs.append((outer, inner))
      }
    }
    for inner in Set(pairs.filter { $0.inner < $0.outer }.map(\.inner)).sorted() {
      nesting.hidden.add(line: areas[inner].line, "")
    }
    guard nesting.hidden.count > 0 else { return nil }
    nesting.columns = names.indices.compactMap { column in
      let signs = pairs.map { pair -> Double? in
        let outer = areas[pair.outer].numbers, inner = areas[pair.inner].numbers
        guard outer.indices.contains(column), inner.indices.contains(column),
          let large = outer[column], let small = inner[column]
        else { return nil }
        return large == small ? nil : large > small ? 1 : -1
      }
      guard let sign = signs.first ?? nil, signs.allSatisfy({ $0 == sign }) else { return nil }
      return AreaNesting.Column(name: names[column], growsWithSize: sign > 0)
    }
    return nesting
  }

  /// Whether an area lies in another: its box, and some of its corners.
  private func isWithin(_ inner: Int, _ outer: Int) -> Bool {
    let (small, large) = (areas[inner].box, areas[outer].box)
    guard large.minX <= small.minX, large.minY <= small.minY, large.maxX >= small.maxX,
      large.maxY >= small.maxY,
      (large.maxX - large.minX) * (large.maxY - large.minY)
        > (small.maxX - small.minX) * (small.maxY - small.minY),
      let ring = areas[inner].rings.first, !ring.isEmpty
    else { return false }
    let corners = stride(from: ring.lowerBound, to: ring.upperBound, by: max(1, ring.count / 4))
    return corners.allSatisfy { holds(areas[outer], positions[$0]) }
  }

  /// Whether a position lies in an area by the even-odd rule.
  private func holds(_ area: Area, _ place: LngLat) -> Bool {
    var isInside = false
    for ring in area.rings {
      guard var before = ring.last.map({ positions[$0] }) else { continue }
      for index in ring {
        let here = positions[index]
        if (here.latitude > place.latitude) != (before.latitude > place.latitude),
          place.longitude < (before.longitude - here.longitude)
            * (place.latitude - here.latitude) / (before.latitude - here.latitude) + here.longitude
        {
          isInside.toggle()
        }
        before = here
      }
    }
    return isInside
  }
}

/// Areas that are drawn before others that cover them.
package struct AreaNesting: Sendable {
  /// A column whose numbers order nested areas by their size.
  package struct Column: Hashable, Sendable {
    package let name: String
    package let growsWithSize: Bool
  }

  /// The number of areas that were looked at.
  let count: Int

  /// The areas that others hide.
  package internal(set) var hidden = Occurrences()

  package internal(set) var columns: [Column] = []

  init(count: Int) { self.count = count }
}
