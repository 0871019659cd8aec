package import Features
import Ingest
import Tiling

/// Statistics of the geometries of a source.
package struct ShapeProfile: Sendable {
  /// The number of records by the type of their geometry.
  private var kindCounts = Array(repeating: 0, count: 8)

  /// The number of rings of polygons.
  package private(set) var rings = 0

  /// Outer rings that run clockwise and inner ones that run counterclockwise.
  package private(set) var wrongRings = Occurrences()

  /// The line of the first record of each family of types: points, lines, polygons, collections.
  private(set) var firstLines: [Int] = Array(repeating: 0, count: 4)

  init() {}

  /// Returns the number of records with a geometry of this type.
  package func count(of kind: GeometryColumn.Kind) -> Int { kindCounts[Int(kind.rawValue)] }

  /// Adds the geometry of a record, and its positions to `coordinates`.
  ///
  /// - Complexity: O(positions).
  mutating func add(
    _ geometry: GeometryColumn, _ record: Int, line: Int, coordinates: inout CoordinateProfile
  ) {
    let kind = geometry.kinds[record]
    kindCounts[Int(kind.rawValue)] += 1
    guard let family = Self.family(kind) else { return }
    if firstLines[family] == 0 { firstLines[family] = line }
    for part in geometry.partRange(record) {
      let positions = geometry.positionRange(part)
      for index in positions { coordinates.add(geometry.positions[index], line: line) }
      addRing(geometry.parts[part], geometry, positions, line: line)
    }
  }

  private mutating func addRing(
    _ part: GeometryColumn.Part, _ geometry: GeometryColumn, _ positions: Range<Int>, line: Int
  ) {
    guard part == .outerRing || part == .innerRing else { return }
    rings += 1
    let area = Self.doubleArea(geometry, positions)
    if part == .outerRing ? area < 0 : area > 0 { wrongRings.add(line: line) }
  }

  /// Returns twice the signed area in the plane of degrees, positive where the ring runs
  /// counterclockwise (the shoelace formula about the first position).
  private static func doubleArea(_ geometry: GeometryColumn, _ positions: Range<Int>) -> Double {
    guard positions.count >= 4 else { return 0 }
    let origin = geometry.positions[positions.lowerBound]
    var sum = 0.0
    var before = origin
    for index in positions.dropFirst() {
      let position = geometry.positions[index]
      sum +=
        (before.longitude - origin.longitude) * (position.latitude - origin.latitude)
        - (position.longitude - origin.longitude) * (before.latitude - origin.latitude)
      before = position
    }
    return sum
  }

  /// Returns the family of a type: points 0, lines 1, polygons 2, collections 3.
  private static func family(_ kind: GeometryColumn.Kind) -> Int? {
    switch kind {
    case .none: nil
    case .point, .multiPoint: 0
    case .lineString, .multiLineString: 1
    case .polygon, .multiPolygon: 2
    case .collection: 3
    }
  }

  /// The number of records with points, lines, polygons and collections.
  var families: [Int] {
    [
      count(of: .point) + count(of: .multiPoint),
      count(of: .lineString) + count(of: .multiLineString),
      count(of: .polygon) + count(of: .multiPolygon), count(of: .collection),
    ]
  }
}
