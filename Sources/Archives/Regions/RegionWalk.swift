import SpatialIndex
import Tiling

/// A walk over tiles that finds the regions which each one touches.
///
/// The walk descends from the square of the world to the tile. A square knows the regions that cover
/// it, which cover all below it, and the edges of others that pass through it, which are all that
/// matters below it; so no edge is examined twice for the tiles of one square. Tiles in archive
/// order share most of the way.
///
/// A tile touches a region if it shares more than an edge with it. Edges are straight on the
/// Mercator map, as everywhere.
struct RegionWalk {
  /// The part of a polygon whose edges pass through a square.
  private struct Part {
    let polygon: Int
    /// Whether the polygon contains the middle of the square's north edge.
    let isInside: Bool
    /// Its edges, as indexes into ``Square/edges``.
    let edges: Range<Int>
  }

  private struct Square {
    let tile: TileCoord
    /// The regions that cover the square, ascending.
    var covering: [Int] = []
    var parts: [Part] = []
    /// The edges that pass through the square, as indexes into those of the shapes.
    var edges: [Int32] = []
    /// The regions that cover the square or have an edge in it, ascending.
    var touching: [Int] = []
  }

  /// The zoom down to which squares are kept, so that the next zoom need not search their edges
  /// again; together they hold a few numbers per edge.
  private static let keptZoom = 7

  private let shapes: RegionShapes
  private var kept: [UInt64: Square] = [:]

  /// The squares from the world to that of the last tile.
  private var way: [Square]

  /// - Complexity: O(edges).
  init(_ shapes: RegionShapes) {
    self.shapes = shapes
    let world = TileCoord(z: 0, x: 0, y: 0)
    way = []
    way.append(root(Square(tile: world)))
  }

  /// Returns the regions that a tile touches, ascending.
  ///
  /// - Complexity: O(1) where a region covers the last tile's square and this one's; otherwise
  ///   O(zooms), and O(edges) for those that pass through the new squares.
  mutating func regions(touching tile: TileCoord) -> [Int] {
    while way.count > 1, let last = way.last, !last.tile.contains(tile) { way.removeLast() }
    while let last = way.last, last.tile.z < tile.z, !last.parts.isEmpty {
      let up = tile.z - last.tile.z - 1
      way.append(square(TileCoord(z: last.tile.z + 1, x: tile.x >> up, y: tile.y >> up), in: last))
    }
    return way.last?.touching ?? []
  }

  private mutating func square(_ tile: TileCoord, in parent: Square) -> Square {
    guard tile.z <= Self.keptZoom else { return child(tile, of: parent) }
    if let known = kept[tile.archiveKey] { return known }
    let square = child(tile, of: parent)
    kept[tile.archiveKey] = square
    return square
  }

  /// Returns the square of the world with all edges that pass through it.
  private func root(_ empty: Square) -> Square {
    var square = empty
    let bounds = RegionSquare(square.tile)
    for (index, polygon) in shapes.polygons.enumerated() {
      let above = shapes.edges[polygon.edges].count {
        $0.isAbove(x: bounds.middle, y: bounds.north)
      }
      add(
        index, polygon.edges.lazy.map { Int32($0) }, isInside: above % 2 == 1, bounds, to: &square)
    }
    finish(&square)
    return square
  }

  /// Returns a square in another one, of half its side.
  private func child(_ tile: TileCoord, of parent: Square) -> Square {
    var square = Square(tile: tile, covering: parent.covering)
    let (outer, inner) = (RegionSquare(parent.tile), RegionSquare(tile))
    for part in parent.parts {
      var isInside = part.isInside
      let edges = parent.edges[part.edges]
      // Along the north edge of the outer square, then down to that of the inner one.
      for index in edges {
        let edge = shapes.edges[Int(index)]
        if edge.separates(y: outer.north, outer.middle, inner.middle) { isInside.toggle() }
        if edge.separates(x: inner.middle, outer.north, inner.north) { isInside.toggle() }
      }
      add(part.polygon, edges, isInside: isInside, inner, to: &square)
    }
    finish(&square)
    return square
  }

  /// Adds a polygon to a square: its edges that pass through it, or else its region, if it covers
  /// the square.
  private func add(
    _ polygon: Int, _ edges: some Sequence<Int32>, isInside: Bool, _ bounds: RegionSquare,
    to square: inout Square
  ) {
    let start = square.edges.count
    for index in edges where shapes.edges[Int(index)].passes(bounds) { square.edges.append(index) }
    if square.edges.count > start {
      square.parts.append(
        Part(polygon: polygon, isInside: isInside, edges: start..<square.edges.count))
    } else if isInside {
      square.covering.append(shapes.polygons[polygon].region)
    }
  }

  private func finish(_ square: inout Square) {
    square.covering = Self.ascending(square.covering)
    square.touching = Self.ascending(
      square.covering + square.parts.map { shapes.polygons[$0.polygon].region })
  }

  private static func ascending(_ regions: [Int]) -> [Int] {
    regions.count < 2 ? regions : Set(regions).sorted()
  }
}

extension TileCoord {
  /// Whether another tile is this one or lies within it.
  fileprivate func contains(_ other: TileCoord) -> Bool {
    other.z >= z && other.x >> (other.z - z) == x && other.y >> (other.z - z) == y
  }
}
