import Platform
import SpatialIndex
import Tiling

/// The place of a tile's positions in the world plane.
struct TilePlacement {
  let tile: TileCoord

  /// The side of the tile in world units: a power of two.
  let side: Int

  /// The tile's own square, borders included. In the first row it extends to the far north, in the
  /// last one to the far south: nothing is cut at the world's edge, where no tile continues.
  let box: PlaneBox

  private let west: Int
  private let north: Int
  private let extent: Double

  /// The distance from the tile's corner to which positions are held, in world units.
  private static let limit = Double(4 * WorldVertex.turn)

  /// - Parameter extent: the side of the tile in units of its positions, at least 1.
  init(_ tile: TileCoord, extent: Int) {
    self.tile = tile
    side = WorldVertex.turn >> tile.z
    west = tile.x * side
    north = tile.y * side
    self.extent = Double(extent)
    let far = 8 * WorldVertex.turn
    box = PlaneBox(
      minX: west, minY: tile.y == 0 ? -far : north, maxX: west + side,
      maxY: tile.y + 1 == 1 << tile.z ? far : north + side)
  }

  /// Returns the place of a position, exact where the extent is a power of two.
  func vertex(_ position: TilePosition) -> WorldVertex {
    WorldVertex(x: west + distance(position.x), y: north + distance(position.y))
  }

  /// Returns the vertex inside the tile, not on its border, that is nearest to another one.
  func inside(_ vertex: WorldVertex) -> WorldVertex {
    WorldVertex(
      x: min(max(vertex.x, west + 1), west + side - 1),
      y: min(max(vertex.y, north + 1), north + side - 1))
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
