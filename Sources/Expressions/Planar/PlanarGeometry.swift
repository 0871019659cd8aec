import Features
import Tiling

/// A point, a line or a polygon in the plane of longitudes and latitudes.
enum PlanarPart: Sendable {
  case point(PlanarPoint)
  case line(PlanarLine)
  case area(PlanarArea)

  var box: PlanarBox {
    switch self {
    case .point(let position): PlanarBox(position, position)
    case .line(let line): line.edges.box
    case .area(let area): area.box
    }
  }

  func shifted(by degrees: Double) -> PlanarPart {
    if degrees == 0 { return self }
    return switch self {
    case .point(let position): .point(position.shifted(by: degrees))
    case .line(let line): .line(line.shifted(by: degrees))
    case .area(let area): .area(area.shifted(by: degrees))
    }
  }
}

/// A line with at least one edge.
struct PlanarLine: Sendable {
  let edges: PlanarEdges
  let start: PlanarPoint
  let end: PlanarPoint

  func shifted(by degrees: Double) -> PlanarLine {
    PlanarLine(
      edges: PlanarEdges(edges.all.map { $0.shifted(by: degrees) }, isIndexed: false),
      start: start.shifted(by: degrees), end: end.shifted(by: degrees))
  }
}

/// A geometry of any type as the points, lines and polygons that it consists of.
struct PlanarGeometry: Sendable {
  private(set) var parts: [PlanarPart] = []
  private(set) var box = PlanarBox.empty
  /// Whether the edges are searched for many records.
  private let isIndexed: Bool

  init(isIndexed: Bool) {
    self.isIndexed = isIndexed
  }

  /// Creates the geometry of a record, `nil` where it has none.
  ///
  /// - Complexity: O(positions).
  init?(_ geometry: RecordGeometry) {
    self.init(isIndexed: false)
    for shape in PlanarShape.parts(of: geometry) {
      switch shape {
      case .points(let positions): for position in positions { add(point: position) }
      case .line(let positions): add(line: positions)
      case .polygon(let rings): add(polygon: rings)
      }
    }
    if parts.isEmpty { return nil }
  }

  mutating func add(point position: PlanarPoint) {
    parts.append(.point(position))
    box.include(position)
  }

  /// Adds a line; one of zero length is a point.
  mutating func add(line positions: some Collection<PlanarPoint>) {
    guard let start = positions.first else { return }
    let edges = PlanarEdge.edges(of: positions, isClosed: false)
    guard let end = edges.last?.to else { return add(point: start) }
    let line = PlanarLine(
      edges: PlanarEdges(edges, isIndexed: isIndexed), start: start, end: end)
    parts.append(.line(line))
    box.formUnion(line.edges.box)
  }

  /// Adds a polygon: its outer ring, then its holes, each closed or open; one of zero size is a
  /// point.
  mutating func add(polygon rings: [some Collection<PlanarPoint>]) {
    guard let corner = rings.first?.first else { return }
    let edges = rings.flatMap { PlanarEdge.edges(of: $0, isClosed: true) }
    if edges.isEmpty { return add(point: corner) }
    let area = PlanarArea(edges: PlanarEdges(edges, isIndexed: isIndexed), corner: corner)
    parts.append(.area(area))
    box.formUnion(area.box)
  }
}

extension PlanarBox {
  /// Creates the box of a record's geometry, empty if it has none.
  ///
  /// - Complexity: O(positions), without copying them.
  init(_ geometry: RecordGeometry) {
    self = .empty
    switch geometry {
    case .none: break
    case .points(let positions):
      for position in positions { include(PlanarPoint(position)) }
    case .shape(let column, let record): self = column.box(of: record)
    }
  }
}
