import Testing
import Tiling

@Suite("Areas by which tiles are chosen")
struct TileAreaTests {
  private func tiles(_ area: some TileArea, z: Int) -> Set<TileCoord> {
    var area = area
    var found: Set<TileCoord> = []
    for x in 0..<(1 << z) {
      for y in 0..<(1 << z) where area.meets(TileCoord(z: z, x: x, y: y)) {
        found.insert(TileCoord(z: z, x: x, y: y))
      }
    }
    return found
  }

  /// The edges of a tile in degrees, as other programs compute them.
  private func bounds(_ tile: TileCoord) -> GeoBounds {
    let size = UInt64(1) << UInt64(32 - tile.z)
    func place(_ x: Int, _ y: Int) -> LngLat {
      LngLat(
        WorldPoint(
          x: UInt32(clamping: UInt64(x) * size), y: UInt32(clamping: UInt64(y) * size)))
    }
    let (one, other) = (place(tile.x, tile.y), place(tile.x + 1, tile.y + 1))
    return GeoBounds(
      west: one.longitude, south: other.latitude, east: other.longitude, north: one.latitude)
  }

  @Test("the box of a tile meets that tile alone, and its parents and children")
  func ofOneTile() {
    for tile in [
      TileCoord(z: 3, x: 4, y: 2), TileCoord(z: 3, x: 0, y: 0), TileCoord(z: 3, x: 7, y: 7),
      TileCoord(z: 4, x: 9, y: 5),
    ] {
      let area = BoxArea(bounds(tile))
      #expect(tiles(area, z: tile.z) == [tile])
      #expect(tiles(area, z: tile.z + 1) == Set(tile.children))
      #expect(tiles(area, z: tile.z - 1) == Set([tile.parent].compactMap(\.self)))
    }
  }

  @Test("a box over the antimeridian meets the columns of both edges")
  func antimeridian() {
    let area = BoxArea(GeoBounds(west: 170, south: -10, east: -170, north: 10))
    #expect(Set(tiles(area, z: 4).map(\.x)) == [0, 15])
    #expect(Set(tiles(area, z: 4).map(\.y)) == [7, 8])
    let beyond = BoxArea(GeoBounds(west: 170, south: -10, east: 190, north: 10))
    #expect(tiles(beyond, z: 4) == tiles(area, z: 4))
  }

  @Test("a point meets the tile that owns it; edges belong to the east and south")
  func point() {
    let area = BoxArea(GeoBounds(west: 0, south: 0, east: 0, north: 0))
    #expect(tiles(area, z: 1) == [TileCoord(z: 1, x: 1, y: 1)])
  }

  @Test(
    "the whole world meets every tile",
    arguments: [
      GeoBounds(west: -180, south: -90, east: 180, north: 90), GeoBounds.world,
      GeoBounds(west: -200, south: -89, east: 200, north: 89),
    ])
  func world(bounds: GeoBounds) {
    #expect(tiles(BoxArea(bounds), z: 3).count == 64)
  }
}
