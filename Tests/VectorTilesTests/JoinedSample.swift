import Features
import SpatialIndex
import Tiling
import VectorTileSamples
import VectorTiles

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
  init(
    _ tiles: [(tile: TileCoord, bytes: [UInt8])], extent: Int = 4096, joining: TileJoining = .all
  ) throws {
    let zoom = tiles.first?.tile.z ?? 0
    var joiner = VectorTileJoiner(zoom: zoom, joining: joining)
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
