import Features
import SpatialIndex
import Tiling
import VectorTiles

/// A position in grid units: those of a tile's extent, counted from the world's corner.
struct GridPoint: Hashable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A cutter of shapes into tiles as programs cut them that make vector tiles: each tile has a buffer,
/// and its positions are rounded.
struct CutSample {
  struct Shape {
    var type: VectorTileFeature.GeometryType
    /// Lines, points, or an outer ring with holes.
    var parts: [[GridPoint]]
    var id: UInt64?
    var properties: [(String, VectorTileValue)] = []
  }

  var zoom = 4
  var extent = 4096
  var buffer = 64

  /// The tiles that are left out.
  var absent: Set<TileCoord> = []

  /// Returns the tiles that shapes touch, in the order of their keys.
  func tiles(_ shapes: [Shape]) -> [(tile: TileCoord, bytes: [UInt8])] {
    let points = shapes.flatMap { $0.parts.joined() }
    func tiles(_ coordinates: [Double]) -> ClosedRange<Int> {
      let last = 1 << zoom - 1
      let size = Double(extent)
      let low = Int(((coordinates.min() ?? 0) - Double(buffer)) / size)
      let high = Int(((coordinates.max() ?? 0) + Double(buffer)) / size)
      return min(max(low, 0), last)...min(max(high, 0), last)
    }
    var found: [(tile: TileCoord, bytes: [UInt8])] = []
    for x in tiles(points.map(\.x)) {
      for y in tiles(points.map(\.y)) {
        let tile = TileCoord(z: zoom, x: x, y: y)
        let features = shapes.compactMap { feature($0, in: tile) }
        guard !features.isEmpty, !absent.contains(tile) else { continue }
        found.append(
          (tile, TileSample.tile([TileSample.Layer("layer", extent: extent, features)])))
      }
    }
    return found.sorted { TileKey($0.tile) < TileKey($1.tile) }
  }

  /// Returns the part of a shape in a tile and its buffer.
  private func feature(_ shape: Shape, in tile: TileCoord) -> TileSample.Feature? {
    let (west, north) = (Double(tile.x * extent), Double(tile.y * extent))
    let size = Double(extent)
    let margin = Double(buffer)
    let box = Box(
      minX: west - margin, minY: north - margin, maxX: west + size + margin,
      maxY: north + size + margin)
    let parts: [[GridPoint]]
    switch shape.type {
    case .polygon: parts = Self.rings(shape.parts, box)
    case .line: parts = shape.parts.flatMap { Self.lines($0, box) }
    default:
      parts = shape.parts.map { part in
        part.filter { box.contains(Box(minX: $0.x, minY: $0.y, maxX: $0.x, maxY: $0.y)) }
      }
    }
    let rounded = parts.map { part in
      part.map { (Int(($0.x - west).rounded()), Int(($0.y - north).rounded())) }
    }
    .filter { !$0.isEmpty }
    guard !rounded.isEmpty else { return nil }
    return TileSample.Feature(shape.type, rounded, id: shape.id, shape.properties)
  }

  private static func rings(_ rings: [[GridPoint]], _ box: Box<Double>) -> [[GridPoint]] {
    let cut = rings.map { ring in
      let west = halfPlane(ring, { $0.x - box.minX })
      let east = halfPlane(west, { box.maxX - $0.x })
      let north = halfPlane(east, { $0.y - box.minY })
      return halfPlane(north, { box.maxY - $0.y })
    }
    return cut.first?.isEmpty == true ? [] : cut.filter { $0.count > 2 }
  }

  private static func halfPlane(
    _ ring: [GridPoint], _ inside: (GridPoint) -> Double
  ) -> [GridPoint] {
    guard var previous = ring.last else { return [] }
    var kept: [GridPoint] = []
    for point in ring {
      let (a, b) = (inside(previous), inside(point))
      if (a >= 0) != (b >= 0) { kept.append(between(previous, point, a / (a - b))) }
      if b >= 0 { kept.append(point) }
      previous = point
    }
    return kept
  }

  private static func between(_ a: GridPoint, _ b: GridPoint, _ share: Double) -> GridPoint {
    GridPoint(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
  }

  private static func lines(_ line: [GridPoint], _ box: Box<Double>) -> [[GridPoint]] {
    var runs: [[GridPoint]] = []
    for (a, b) in zip(line, line.dropFirst()) {
      var (first, last) = (0.0, 1.0)
      for (from, to) in [
        (a.x - box.minX, b.x - box.minX), (box.maxX - a.x, box.maxX - b.x),
        (a.y - box.minY, b.y - box.minY), (box.maxY - a.y, box.maxY - b.y),
      ] {
        if from < 0, to < 0 { last = -1 }
        if from < 0, to >= 0 { first = max(first, from / (from - to)) }
        if from >= 0, to < 0 { last = min(last, from / (from - to)) }
      }
      guard first < last else { continue }
      let (start, end) = (between(a, b, first), between(a, b, last))
      if runs.last?.last != start || first > 0 { runs.append([start]) }
      runs[runs.count - 1].append(end)
    }
    return runs
  }
}

/// The features of tiles after they were joined.
struct JoinedSample {
  struct Feature {
    let kind: GeometryColumn.Kind
    let kinds: [GeometryColumn.Part]
    let parts: [[GridPoint]]
    let id: String?
    let name: String?
  }

  let features: [Feature]
  let counts: VectorTileJoiner.Counts
  let batch: FeatureBatch

  /// Joins the first layer of tiles.
  init(_ tiles: [(tile: TileCoord, bytes: [UInt8])], extent: Int = 4096) throws {
    let zoom = tiles.first?.tile.z ?? 0
    var joiner = VectorTileJoiner(zoom: zoom)
    for (tile, bytes) in tiles {
      for layer in try VectorTile(bytes).layers.prefix(1) { joiner.add(tile, layer) }
    }
    counts = joiner.counts
    let batch = try joiner.joined()
    self.batch = batch
    let unit = Double(WorldVertex.turn >> zoom) / Double(extent)
    let names = batch.columns.firstIndex { $0.name == "name" }
    features = (0..<batch.count).map { row in
      let parts = batch.geometry.partRange(row)
      return Feature(
        kind: batch.geometry.kinds[row], kinds: parts.map { batch.geometry.parts[$0] },
        parts: parts.map { part in
          batch.geometry.positionRange(part).map { index in
            let vertex = WorldVertex(batch.geometry.positions[index])
            return GridPoint(Double(vertex.x) / unit, Double(vertex.y) / unit)
          }
        }, id: batch.ids.text(row), name: names.flatMap { batch.columns[$0].text(row) })
    }
  }
}

extension JoinedSample.Feature {
  /// The area by the shoelace formula, holes taken away.
  var area: Double {
    parts.reduce(0) { sum, ring in
      sum
        + zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
          $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
        } / 2
    }
  }

  /// The edges of all rings or lines.
  var edges: [(a: GridPoint, b: GridPoint)] {
    zip(kinds, parts).flatMap { kind, part in
      let next = kind == .line ? part.dropFirst() + [] : part.dropFirst() + part.prefix(1)
      return zip(part, next).map { ($0, $1) }
    }
  }

  /// The total length of the edges that run along a border of tiles.
  func borderLength(extent: Double = 4096) -> Double {
    edges.reduce(0) { sum, edge in
      let (a, b) = edge
      let isOnBorder =
        (a.x == b.x && a.x.remainder(dividingBy: extent) == 0)
        || (a.y == b.y && a.y.remainder(dividingBy: extent) == 0)
      return sum + (isOnBorder ? abs(a.x - b.x) + abs(a.y - b.y) : 0)
    }
  }
}

extension [[GridPoint]] {
  /// Whether a point lies in rings by the even-odd rule.
  func contain(_ point: GridPoint) -> Bool {
    var isInside = false
    for ring in self {
      for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1))
      where (a.y > point.y) != (b.y > point.y) {
        if point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) { isInside.toggle() }
      }
    }
    return isInside
  }

  /// The distance of a point from the nearest edge of rings.
  func distance(to point: GridPoint) -> Double {
    flatMap { ring in zip(ring, ring.dropFirst() + ring.prefix(1)) }.reduce(.infinity) {
      Swift.min($0, Self.distance(point, $1.0, $1.1))
    }
  }

  private static func distance(_ point: GridPoint, _ a: GridPoint, _ b: GridPoint) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let share = ((point.x - a.x) * dx + (point.y - a.y) * dy) / Swift.max(square, 1e-9)
    let held = Swift.min(Swift.max(share, 0), 1)
    let (x, y) = (a.x + held * dx - point.x, a.y + held * dy - point.y)
    return (x * x + y * y).squareRoot()
  }
}
