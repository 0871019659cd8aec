import Testing
import Tiling

@Suite("Places in the pyramid")
struct TilePlaceTests {
  struct Place: Sendable, CustomTestStringConvertible {
    let name: String
    let longitude: Double
    let latitude: Double
    let tile: String

    var testDescription: String { name }
  }

  /// Tiles of places as OpenStreetMap's tile servers have them.
  static let places = [
    Place(name: "London, zoom 10", longitude: -0.1276, latitude: 51.5072, tile: "10/511/340"),
    Place(name: "New York, zoom 12", longitude: -74.0060, latitude: 40.7128, tile: "12/1205/1540"),
    Place(name: "Sydney, zoom 8", longitude: 151.2093, latitude: -33.8688, tile: "8/235/153"),
    Place(name: "Zürich, zoom 17", longitude: 8.5417, latitude: 47.3769, tile: "17/68645/45899"),
    Place(name: "Quito, zoom 6", longitude: -78.4678, latitude: -0.1807, tile: "6/18/32"),
  ]

  @Test("the tile of a known place", arguments: places)
  func known(place: Place) throws {
    let expected = try #require(TileCoord(place.tile))
    let position = LngLat(longitude: place.longitude, latitude: place.latitude)
    let point = try #require(WorldPoint(position))
    #expect(TileCoord(point, z: expected.z) == expected)
    #expect(WorldBox(expected).contains(point))
  }

  @Test("null island is the corner of the four tiles of zoom 1")
  func nullIsland() throws {
    let middle = try #require(WorldPoint(LngLat(longitude: 0, latitude: 0)))
    #expect(middle == WorldPoint(x: 1 << 31, y: 1 << 31))
    #expect(TileCoord(middle, z: 1) == TileCoord(z: 1, x: 1, y: 1))
  }

  @Test(
    "longitudes wrap, and 180° is the west edge",
    arguments: [(-180.0, 0), (180, 0), (540, 0), (-540, 0), (179.999, 7), (-179.999, 0), (181, 0)])
  func antimeridian(longitude: Double, column: Int) throws {
    let point = try #require(WorldPoint(LngLat(longitude: longitude, latitude: 10)))
    #expect(TileCoord(point, z: 3).x == column)
  }

  @Test("the map ends at 85.0511°")
  func poles() throws {
    let limit = WorldPoint.maxLatitude
    let north = try #require(WorldPoint(LngLat(longitude: 0, latitude: limit)))
    let south = try #require(WorldPoint(LngLat(longitude: 0, latitude: -limit)))
    for zoom in [0, 1, 10, 22] {
      #expect(TileCoord(north, z: zoom).y == 0)
      #expect(TileCoord(south, z: zoom).y == (1 << zoom) - 1)
    }
    for latitude in [85.06, -85.06, 90, -90, .infinity, .nan] {
      #expect(WorldPoint(LngLat(longitude: 0, latitude: latitude)) == nil)
    }
    #expect(WorldPoint(LngLat(longitude: .nan, latitude: 0)) == nil)
  }

  @Test("a position comes back from the world to within a unit", arguments: places)
  func back(place: Place) throws {
    let position = LngLat(longitude: place.longitude, latitude: place.latitude)
    let again = LngLat(try #require(WorldPoint(position)))
    #expect(abs(again.longitude - position.longitude) < 360 / 0x1p32)
    #expect(abs(again.latitude - position.latitude) < 360 / 0x1p32)
  }

  @Test("TMS counts rows from the south", arguments: [0, 1, 5, 22])
  func tms(zoom: Int) {
    let last = (1 << zoom) - 1
    #expect(TileCoord(z: zoom, x: 0, y: 0).tmsRow == last)
    #expect(TileCoord(z: zoom, x: 0, y: last).tmsRow == 0)
    for y in Set([0, last / 2, last]) {
      let tile = TileCoord(z: zoom, x: last, y: y)
      #expect(TileCoord(z: zoom, x: last, tmsRow: tile.tmsRow) == tile)
    }
  }

  @Test("children tile their parent", arguments: ["0/0/0", "3/7/2", "21/2097151/0"])
  func family(text: String) throws {
    let tile = try #require(TileCoord(text))
    let children = tile.children
    #expect(children.count == 4 && children.allSatisfy { $0.isValid && $0.parent == tile })
    let box = WorldBox(tile)
    var joined = WorldBox(children[0])
    for child in children.dropFirst() { joined.formUnion(WorldBox(child)) }
    #expect(joined == box)
    // NW, NE, SW, SE.
    #expect(WorldBox(children[0]).west == box.west && WorldBox(children[0]).north == box.north)
    #expect(WorldBox(children[1]).east == box.east && WorldBox(children[1]).north == box.north)
    #expect(WorldBox(children[2]).west == box.west && WorldBox(children[2]).south == box.south)
    #expect(WorldBox(children[3]).east == box.east && WorldBox(children[3]).south == box.south)
  }

  @Test("the world has no parent, and the deepest tiles lie below 22 others")
  func ancestors() {
    #expect(TileCoord(z: 0, x: 0, y: 0).parent == nil)
    var tile = TileCoord(z: 22, x: (1 << 22) - 1, y: 12_345)
    var count = 0
    while let parent = tile.parent {
      tile = parent
      count += 1
    }
    #expect(count == 22 && tile == TileCoord(z: 0, x: 0, y: 0))
  }

  @Test(
    "a tile of the pyramid lies within its zoom",
    arguments: [
      (TileCoord(z: 0, x: 0, y: 0), true), (TileCoord(z: 2, x: 3, y: 3), true),
      (TileCoord(z: 2, x: 4, y: 0), false), (TileCoord(z: 2, x: 0, y: -1), false),
      (TileCoord(z: 23, x: 0, y: 0), false), (TileCoord(z: -1, x: 0, y: 0), false),
    ])
  func valid(tile: TileCoord, isValid: Bool) {
    #expect(tile.isValid == isValid)
    #expect((TileCoord(tile.description) != nil) == isValid)
  }
}

@Suite("A tile key")
struct TileKeyTests {
  @Test("gives back its tile", arguments: [0, 1, 4, 13, 22])
  func roundTrip(zoom: Int) {
    let last = (1 << zoom) - 1
    for x in Set([0, last / 3, last]) {
      for y in Set([0, last / 5, last]) {
        let tile = TileCoord(z: zoom, x: x, y: y)
        let key = TileKey(tile)
        #expect(key.column == x && key.row == y)
        #expect(TileCoord(key, z: zoom) == tile)
        #expect(TileKey(rawValue: key.rawValue) == key)
      }
    }
  }

  @Test("has the bits of the column and of the row in turn")
  func bits() {
    #expect(TileKey(column: 0, row: 5).rawValue == 0b100010)
    #expect(TileKey(column: 3, row: 5).rawValue == 0b100111)
    #expect(TileKey(column: (1 << 22) - 1, row: (1 << 22) - 1).rawValue == 0xFFF_FFFF_FFFF)
    #expect(TileKey(column: 0, row: 5).parent == TileKey(column: 0, row: 2))
    #expect(TileKey(column: 1, row: 2).child(2) == TileKey(column: 2, row: 5))
  }

  @Test("ascends in the order of the archive: tile by tile, each with its four children")
  func order() {
    let tiles = (0..<4).flatMap { parent in
      TileCoord(z: 1, x: parent & 1, y: parent >> 1).children
    }
    let keys = tiles.map { TileKey($0) }
    #expect(keys == keys.sorted())
    #expect(tiles.map(\.archiveKey) == keys.map { 2 << 44 | $0.rawValue })
  }
}

@Suite("A box in degrees")
struct GeoBoundsTests {
  @Test(
    "is read from four numbers and refuses others",
    arguments: [
      ("1,2,3,4", true), (" 1, 2, 3, 4 ", true), ("170,-10,-170,10", true), ("1,4,3,2", false),
      ("1,2,3", false), ("1,2,3,4,5", false), ("a,2,3,4", false), ("nan,2,3,4", false), ("", false),
    ])
  func text(text: String, isRead: Bool) {
    #expect((GeoBounds(text) != nil) == isRead)
  }

  @Test("beyond ±180 is wrapped, and within is left as it is")
  func wrapped() {
    let pacific = GeoBounds(west: 170, south: -10, east: 190, north: 10).wrapped
    #expect(pacific == GeoBounds(west: 170, south: -10, east: -170, north: 10))
    #expect(pacific.crossesAntimeridian)
    let inside = GeoBounds(west: -10, south: -10, east: 180, north: 10)
    #expect(inside.wrapped == inside && !inside.crossesAntimeridian)
    let twice = GeoBounds(west: -400, south: 0, east: 400, north: 1).wrapped
    #expect(twice.west == -180 && twice.east == 180)
  }

  @Test("owns its west and north edge")
  func edges() {
    let box = GeoBounds(west: 10, south: 20, east: 30, north: 40)
    func holds(_ longitude: Double, _ latitude: Double) -> Bool {
      box.contains(LngLat(longitude: longitude, latitude: latitude))
    }
    #expect(holds(10, 40) && holds(29.999, 20.001) && holds(370, 30))
    #expect(!holds(30, 30) && !holds(20, 20) && !holds(9.999, 30) && !holds(20, 40.001))
  }

  @Test("of the world becomes the whole world, and one over the antimeridian stays two-sided")
  func worldBoxes() {
    #expect(WorldBox(.world) == WorldBox(TileCoord(z: 0, x: 0, y: 0)))
    let pacific = WorldBox(GeoBounds(west: 170, south: -10, east: -170, north: 10))
    #expect(pacific.west > pacific.east)
    #expect(pacific.contains(WorldPoint(x: 0, y: 1 << 31)))
    #expect(!pacific.contains(WorldPoint(x: 1 << 31, y: 1 << 31)))
  }
}
