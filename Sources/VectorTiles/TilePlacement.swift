import Platform
import SpatialIndex
import Tiling

/// The position of a tile in the world plane, which converts the positions in the tile.
struct TilePlacement {
  /// The side of the tile in world units: a power of two.
  private let side: Int

  /// The tile's own square, borders included.
  private let box: PlaneBox

  private let west: Int
  private let north: Int
  private let extent: Double

  /// The distance from the tile's corner to which positions are clamped, in world units.
  private static let limit = Double(4 * WorldVertex.turn)

  /// - Parameter extent: the side of the tile in units of its positions, at least 1.
  init(_ tile: TileCoord, extent: Int) {
    side = WorldVertex.turn >> tile.z
    west = tile.x * side
    north = tile.y * side
    self.extent = Double(extent)
    box = PlaneBox(sourceTile: tile)
  }

  /// Returns the vertex of a position, exact if the extent is a power of two.
  func vertex(_ position: TilePosition) -> WorldVertex {
    WorldVertex(x: west + distance(position.x), y: north + distance(position.y))
  }

  /// Whether the box around a line or area touches the tile's square.
  func touches(_ feature: VectorTileFeature) -> Bool {
    var bounds = PlaneBox.empty
    for position in feature.vertices {
      let vertex = vertex(position)
      bounds.include(x: vertex.x, y: vertex.y)
    }
    return bounds.touches(box)
  }

  private func distance(_ coordinate: Int32) -> Int {
    let distance = (Double(coordinate) * Double(side) / extent).rounded()
    return Int(min(max(distance, -Self.limit), Self.limit))
  }

  /// Whether a position lies in the tile's square; of its borders only the north and west one belong
  /// to it.
  func owns(_ position: TilePosition) -> Bool {
    let (x, y) = (Double(position.x), Double(position.y))
    return x >= 0 && x < extent && y >= 0 && y < extent
  }
}

extension LngLat {
  /// Creates the geographic position of a vertex, at the centre of its fixed-point unit, so that
  /// `WorldVertex` of it is the same vertex; y may lie north or south of the world.
  init(_ vertex: WorldVertex) {
    let size = Double(WorldVertex.turn)
    let north = Double.pi * (1 - (2 * Double(vertex.y) + 1) / size)
    self.init(
      longitude: (Double(vertex.x) + 0.5) / size * 360 - 180,
      latitude: atan(sinh(north)) * (180 / Double.pi))
  }
}
