import SpatialIndex
package import Tiling
package import VectorTiles

/// A position in grid units: those of a tile's extent, counted from the world's corner.
package struct GridPoint: Hashable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A cutter of shapes into tiles as programs cut them that make vector tiles: each tile has a buffer,
/// and its positions are rounded.
package struct CutSample {
  package struct Shape {
    package var type: VectorTileFeature.GeometryType
    /// Lines, points, or an outer ring with holes.
    package var parts: [[GridPoint]]
    package var id: UInt64?
    package var properties: [(String, VectorTileValue)] = []

    package init(
      type: VectorTileFeature.GeometryType, parts: [[GridPoint]], id: UInt64? = nil,
      properties: [(String, VectorTileValue)] = []
    ) {
      self.type = type
      self.parts = parts
      self.id = id
      self.properties = properties
    }
  }

  package var zoom = 4
  package var extent = 4096
  package var buffer = 64

  /// The tiles that are left out.
  package var absent: Set<TileCoord> = []

  /// The layer's name.
  package var layer = "layer"

  package init(
    zoom: Int = 4, extent: Int = 4096, buffer: Int = 64, absent: Set<TileCoord> = [],
    layer: String = "layer"
  ) {
    self.zoom = zoom
    self.extent = extent
    self.buffer = buffer
    self.absent = absent
    self.layer = layer
  }

  /// Returns the tiles that shapes touch, in the order of their keys.
  package func tiles(_ shapes: [Shape]) -> [(tile: TileCoord, bytes: [UInt8])] {
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
          (tile, TileSample.tile([TileSample.Layer(layer, extent: extent, features)])))
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
