import Ingest
import MBTiles
import Runs
import SpatialIndex
import SystemPackage
import Tiling

/// An area bounded by the polygons of a GeoJSON file; points and lines of the file do not count.
///
/// Edges are straight on the Mercator map, as everywhere. A column of tiles is decided at once: the
/// rows through which edges pass, and those between edges on the column's middle. Columns are swept
/// eastward, so that an edge is examined only in columns that it reaches.
struct PolygonArea: TileArea {
  /// The rings of one polygon, filled by the even-odd rule: moved west by the width of the world
  /// where it crosses the antimeridian.
  private struct Polygon {
    /// The edges, ascending by ``Edge/west``.
    var edges: [Edge]
    var west: Int
    var east: Int
  }

  /// An edge from west to east, in units of ``WorldVertex``.
  private struct Edge {
    var west: Int
    var westY: Int
    var east: Int
    var eastY: Int

    /// Returns the y coordinate, southward, at an x between its ends.
    func y(at x: Int) -> Double {
      let width = Double(east - west)
      return Double(westY) + Double(eastY - westY) * (Double(x - west) / width)
    }
  }

  /// The state of the sweep in one polygon.
  private struct Sweep {
    /// The index of the first edge that has not yet been active.
    var next = 0
    var active: [Int] = []
  }

  /// The maximum number of world widths over which a polygon may extend.
  private static let turnLimit = 3

  private let polygons: [Polygon]
  let bounds: GeoBounds

  private var sweeps: [Sweep] = []
  private var zoom = -1
  private var column = -1
  /// The rows of the column, ascending and disjoint.
  private var rows: [ClosedRange<Int>] = []

  /// Reads a file.
  ///
  /// - Throws: ``PipelineError`` where it cannot be read, is not GeoJSON, or has no polygon.
  init(contentsOf path: String) throws(PipelineError) {
    var options = GeoJSONOptions()
    options.wanted = []
    let source = try PipelineError.wrapping {
      var reader = GeoJSONReader(
        source: try ByteSource(path: FilePath(path), name: path), options: options)
      return try IngestStage.read(&reader, file: path)
    }
    guard let area = PolygonArea(WorldShapes(source.shapes)) else {
      throw PipelineError(
        .badData, "there is no polygon. Name a GeoJSON file of polygons or use --bbox.",
        at: DocumentPlace(file: path))
    }
    self = area
  }

  /// Creates an area of shapes; `nil` without a polygon.
  init?(_ shapes: WorldShapes) {
    var polygons: [Polygon] = []
    var box = Box<Int>.empty
    for shape in 0..<shapes.count {
      var rings: [Range<Int>] = []
      func close() {
        guard let outer = rings.first else { return }
        for vertex in shapes.vertices[outer] { box.include(x: vertex.x, y: vertex.y) }
        polygons += Self.copies(of: rings, in: shapes)
        rings = []
      }
      for part in shapes.partRange(shape) {
        switch shapes.parts[part] {
        case .outerRing, .polarOuterRing:
          close()
          rings = [shapes.vertexRange(part)]
        case .innerRing, .polarInnerRing: rings.append(shapes.vertexRange(part))
        case .line, .polarLine: break
        }
      }
      close()
    }
    guard !polygons.isEmpty else { return nil }
    self.polygons = polygons
    bounds = Self.degrees(box)
  }

  private static func degrees(_ box: Box<Int>) -> GeoBounds {
    // The 10 bits below those of a world point.
    func point(_ x: Int, _ y: Int, roundingUp: Bool) -> LngLat {
      let more = roundingUp ? 1023 : 0
      return LngLat(
        WorldPoint(
          x: UInt32(clamping: (x + more) >> 10), y: UInt32(clamping: (y + more) >> 10)))
    }
    let northWest = point(box.minX, box.minY, roundingUp: false)
    let southEast = point(box.maxX, box.maxY, roundingUp: true)
    let runsOver = box.minX < 0 || box.maxX > WorldVertex.turn
    return GeoBounds(
      west: runsOver ? -180 : northWest.longitude, south: southEast.latitude,
      east: runsOver ? 180 : southEast.longitude, north: northWest.latitude)
  }

  /// Returns a polygon as it is, and copies moved west by whole world widths where it extends
  /// beyond the world.
  private static func copies(of rings: [Range<Int>], in shapes: WorldShapes) -> [Polygon] {
    let xs = rings.flatMap { shapes.vertices[$0].map(\.x) }
    let (west, east) = (xs.min() ?? 0, xs.max() ?? 0)
    return (0...turnLimit).filter { $0 == 0 || east > $0 * WorldVertex.turn }.map { turns in
      let shift = turns * WorldVertex.turn
      var edges: [Edge] = []
      for ring in rings {
        var last = shapes.vertices[ring.upperBound - 1]
        for vertex in shapes.vertices[ring] {
          let (one, other) = last.x <= vertex.x ? (last, vertex) : (vertex, last)
          edges.append(
            Edge(west: one.x - shift, westY: one.y, east: other.x - shift, eastY: other.y))
          last = vertex
        }
      }
      edges.sort { $0.west < $1.west }
      return Polygon(edges: edges, west: west - shift, east: east - shift)
    }
  }

  mutating func meets(_ tile: TileCoord) -> Bool {
    if tile.z != zoom || tile.x != column { move(to: tile) }
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].upperBound < tile.y { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].contains(tile.y)
  }

  /// Computes the rows of a column.
  ///
  /// - Complexity: O(edges that reach the column, or begin between the last one and it).
  private mutating func move(to tile: TileCoord) {
    if tile.z != zoom || tile.x < column {
      sweeps = Array(repeating: Sweep(), count: polygons.count)
    }
    (zoom, column) = (tile.z, tile.x)
    let bits = WorldVertex.worldBits - tile.z
    let strip = (tile.x << bits)..<((tile.x + 1) << bits)
    var found: [ClosedRange<Int>] = []
    for index in polygons.indices {
      let polygon = polygons[index]
      guard polygon.west < strip.upperBound, polygon.east > strip.lowerBound else { continue }
      Self.advance(&sweeps[index], polygon, to: strip)
      Self.addRows(of: polygon, sweeps[index].active, in: strip, bits: bits, to: &found)
    }
    found.sort { $0.lowerBound < $1.lowerBound }
    rows.removeAll(keepingCapacity: true)
    for range in found {
      if let last = rows.last, range.lowerBound <= last.upperBound + 1 {
        rows[rows.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        rows.append(range)
      }
    }
  }

  private static func advance(_ sweep: inout Sweep, _ polygon: Polygon, to strip: Range<Int>) {
    sweep.active.removeAll { polygon.edges[$0].east <= strip.lowerBound }
    while sweep.next < polygon.edges.count,
      polygon.edges[sweep.next].west < strip.upperBound
    {
      if polygon.edges[sweep.next].east > strip.lowerBound { sweep.active.append(sweep.next) }
      sweep.next += 1
    }
  }

  private static func addRows(
    of polygon: Polygon, _ active: [Int], in strip: Range<Int>, bits: Int,
    to found: inout [ClosedRange<Int>]
  ) {
    let middle = (strip.lowerBound + strip.upperBound) / 2
    var crossings: [Double] = []
    let size = Double(1 << bits)
    let last = Double(1 << (WorldVertex.worldBits - bits)) - 1
    func add(_ north: Double, _ south: Double) {
      let first = max((north / size).rounded(.down), 0)
      let end = min((south / size).rounded(.up) - 1, last)
      if first <= end { found.append(Int(first)...Int(end)) }
    }
    for index in active {
      let edge = polygon.edges[index]
      guard edge.west < edge.east else {
        add(Double(min(edge.westY, edge.eastY)), Double(max(edge.westY, edge.eastY)))
        continue
      }
      let one = edge.y(at: max(edge.west, strip.lowerBound))
      let other = edge.y(at: min(edge.east, strip.upperBound))
      add(min(one, other), max(one, other))
      if edge.west <= middle, middle < edge.east { crossings.append(edge.y(at: middle)) }
    }
    crossings.sort()
    for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
      add(crossings[pair], crossings[pair + 1])
    }
  }
}
