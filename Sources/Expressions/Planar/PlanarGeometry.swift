import Features
import Tiling

/// A point, a line or a polygon in the plane of longitudes and latitudes.
enum PlanarPart: Sendable {
  case point(LngLat)
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
  let start: LngLat
  let end: LngLat

  func shifted(by degrees: Double) -> PlanarLine {
    PlanarLine(
      edges: PlanarEdges(edges.all.map { $0.shifted(by: degrees) }, isIndexed: false),
      start: start.shifted(by: degrees), end: end.shifted(by: degrees))
  }
}

/// A geometry of any type as the points, lines and polygons that it consists of.
struct PlanarGeometry: Sendable {
  private(set) var parts: [PlanarPart] = []
  private(set) var box = PlanarBox()
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
    switch geometry {
    case .none: return nil
    case .points(let positions):
      for position in positions { add(point: position) }
    case .shape(let column, let record):
      add(record, of: column)
    }
    if parts.isEmpty { return nil }
  }

  private mutating func add(_ record: Int, of column: GeometryColumn) {
    var rings: [ArraySlice<LngLat>] = []
    for part in column.partRange(record) {
      let positions = ArraySlice(column.positions[column.positionRange(part)])
      if column.parts[part] != .innerRing {
        add(polygon: rings)
        rings.removeAll(keepingCapacity: true)
      }
      switch column.parts[part] {
      case .point: for position in positions { add(point: position) }
      case .line: add(line: positions)
      case .outerRing, .innerRing: rings.append(positions)
      }
    }
    add(polygon: rings)
  }

  mutating func add(point position: LngLat) {
    parts.append(.point(position))
    box.include(position)
  }

  /// Adds a line; one of zero length is a point.
  mutating func add(line positions: some Collection<LngLat>) {
    guard let start = positions.first else { return }
    let edges = PlanarEdge.edges(of: positions, isClosed: false)
    guard let end = edges.last?.to else { return add(point: start) }
    parts.append(
      .line(PlanarLine(edges: PlanarEdges(edges, isIndexed: isIndexed), start: start, end: end)))
    box.include(PlanarBox(edges))
  }

  /// Adds a polygon: its outer ring, then its holes, each closed or open; one of zero size is a
  /// point.
  mutating func add(polygon rings: [some Collection<LngLat>]) {
    guard let corner = rings.first?.first else { return }
    let edges = rings.flatMap { PlanarEdge.edges(of: $0, isClosed: true) }
    if edges.isEmpty { return add(point: corner) }
    parts.append(
      .area(PlanarArea(edges: PlanarEdges(edges, isIndexed: isIndexed), corner: corner)))
    box.include(PlanarBox(edges))
  }
}

extension PlanarBox {
  init(_ edges: [PlanarEdge]) {
    self.init()
    for edge in edges { include(edge.box) }
  }

  /// Creates the box of a record's geometry, empty if it has none.
  ///
  /// - Complexity: O(positions), without copying them.
  init(_ geometry: RecordGeometry) {
    self.init()
    switch geometry {
    case .none: break
    case .points(let positions):
      for position in positions { include(position) }
    case .shape(let column, let record):
      let parts = column.partRange(record)
      guard let first = parts.first, let last = parts.last else { return }
      let range = column.positionRange(first).lowerBound..<column.positionRange(last).upperBound
      column.positions.withUnsafeBufferPointer { positions in
        for position in positions[range] { include(position) }
      }
    }
  }
}
