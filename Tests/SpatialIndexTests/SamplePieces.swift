import SpatialIndex
import Tiling

/// The pieces of a run of the tiler, by tile, shape and world copy, back in the shapes' plane.
struct SamplePieces {
  struct Key: Hashable {
    var tile: TileCoord
    var shape: Int
    var copy: Int
  }

  struct Run: Equatable {
    var vertices: [ZoomVertex]
    var distances: [Int]
    var flags: LineRunFlags
  }

  private(set) var areas: [Key: [[ZoomVertex]]] = [:]
  private(set) var full: Set<Key> = []
  private(set) var lines: [Key: [Run]] = [:]

  /// The windows of the pieces that have one.
  private(set) var windows: [Key: SourceWindow] = [:]

  init(_ pieces: ShapePieces, of shapes: ZoomShapes) {
    for index in 0..<pieces.count {
      let key = pieces.tileKeys[index]
      let tile = TileCoord(TileKey(rawValue: key), z: shapes.zoom)
      for piece in pieces.pieceRange(index) {
        let key = Key(
          tile: tile, shape: Int(pieces.shapes[piece]), copy: Int(pieces.copies[piece]))
        let originX = tile.x * shapes.tilePixels * 256 - key.copy * shapes.worldSize
        let originY = tile.y * shapes.tilePixels * 256
        func plane(_ vertices: ArraySlice<ShapeVertex>) -> [ZoomVertex] {
          vertices.map { ZoomVertex(x: Int($0.x) + originX, y: Int($0.y) + originY) }
        }
        windows[key] = pieces.window(of: piece)
        switch pieces.kinds[piece] {
        case .fullArea: full.insert(key)
        case .area:
          pieces.withArea(piece) { area in
            let vertices = Array(area.vertices)
            let starts = [0] + area.ends.map { Int($0) }
            areas[key] = area.ends.indices.map { plane(vertices[starts[$0]..<starts[$0 + 1]]) }
          }
        case .line:
          pieces.withLine(piece) { line in
            let vertices = Array(line.vertices)
            let starts = [0] + line.ends.map { Int($0) }
            lines[key] = line.ends.indices.map {
              let range = starts[$0]..<starts[$0 + 1]
              return Run(
                vertices: plane(vertices[range]),
                distances: range.map { Int(line.distances[$0]) }, flags: line.flags[$0])
            }
          }
        }
      }
    }
  }
}

extension ZoomShapes {
  /// The edges of a part, the long ones cut as the tiler cuts them.
  func sampleEdges(_ part: Int, isClosed: Bool) -> [SampleEdge] {
    let run = Array(vertices[vertexRange(part)])
    return (0..<(isClosed ? run.count : run.count - 1)).flatMap {
      SampleEdge(run[$0], run[($0 + 1) % run.count]).pieces
    }
  }

  /// All edges of the rings of a shape.
  func ringEdges(_ shape: Int) -> [SampleEdge] {
    partRange(shape).filter { parts[$0] != .line && parts[$0] != .polarLine }
      .flatMap { sampleEdges($0, isClosed: true) }
  }

  /// A tile and what lies around it, in the plane of a world copy.
  func box(_ tile: TileCoord, reach: Int, copy: Int) -> PlaneBox {
    let size = tilePixels * 256
    let x = tile.x * size - copy * worldSize
    return PlaneBox(
      minX: x - reach * 256, minY: tile.y * size - reach * 256, maxX: x + size + reach * 256,
      maxY: (tile.y + 1) * size + reach * 256)
  }
}

extension SampleEdge {
  /// The edge, cut at its middle as long as it is longer than 65,536 px.
  var pieces: [SampleEdge] {
    guard max(abs(to.x - from.x), abs(to.y - from.y)) > 1 << 24 else { return [self] }
    let middle = ZoomVertex(x: (from.x + to.x) >> 1, y: (from.y + to.y) >> 1)
    return SampleEdge(from, middle).pieces + SampleEdge(middle, to).pieces
  }

  /// Whether the edge has a point in the box, by clipping it to its four sides.
  func meets(_ box: PlaneBox, bordersBelong: Bool) -> Bool {
    let (dx, dy) = (Double(to.x - from.x), Double(to.y - from.y))
    var (low, high) = (0.0, 1.0)
    for (step, inner) in [
      (-dx, from.x - box.minX), (dx, box.maxX - from.x), (-dy, from.y - box.minY),
      (dy, box.maxY - from.y),
    ] {
      if step == 0 {
        if bordersBelong ? inner < 0 : inner <= 0 { return false }
      } else if step < 0 {
        low = max(low, Double(inner) / step)
      } else {
        high = min(high, Double(inner) / step)
      }
    }
    return bordersBelong ? low <= high : low < high
  }
}

/// Whether the edges wind around a point an odd number of times; the point is the middle of the
/// unit square at (x, y), so it lies on no vertex.
func isInside(_ edges: some Sequence<SampleEdge>, x: Int, y: Int) -> Bool {
  var isInside = false
  for edge in edges where (edge.from.y <= y) != (edge.to.y <= y) {
    let (upper, lower) = edge.from.y < edge.to.y ? (edge.from, edge.to) : (edge.to, edge.from)
    let across = Int128(lower.x - upper.x) * Int128(2 * (y - upper.y) + 1)
    let along = Int128(2 * (x - upper.x) + 1) * Int128(lower.y - upper.y)
    if across < along { isInside.toggle() }
  }
  return isInside
}

/// The edges of contours that close themselves.
func edges(of contours: [[ZoomVertex]]) -> [SampleEdge] {
  contours.flatMap { contour in
    contour.indices.map { SampleEdge(contour[$0], contour[($0 + 1) % contour.count]) }
  }
}
