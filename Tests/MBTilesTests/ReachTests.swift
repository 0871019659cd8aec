import Foundation
import TestSupport
import Testing
import Tiling

@testable import MBTiles

@Suite("Bounds that reach every tile")
struct ReachTests {
  /// The tiles of a zoom that MapLibre asks for, given bounds: its `TileBounds`.
  private func requested(_ box: GeoBounds, zoom: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    let side = Double(1 << zoom)
    func x(_ longitude: Double) -> Double { (longitude + 180) / 360 * side }
    func y(_ latitude: Double) -> Double {
      let sine = sin(min(max(latitude, -85.05112877), 85.05112877) * .pi / 180)
      return (0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * side
    }
    return (
      Int(floor(x(box.west)))..<Int(ceil(x(box.east))),
      Int(floor(y(box.north)))..<Int(ceil(y(box.south)))
    )
  }

  private func statistics(_ zoom: Int, _ random: inout SplitMix64) -> ZoomStatistics {
    let side = UInt64(1) << UInt64(zoom)
    func tile() -> TileCoord {
      TileCoord(z: zoom, x: Int(random.next() % side), y: Int(random.next() % side))
    }
    var tally = TileTally()
    tally.addImage(count: 1, isBlank: false)
    for _ in 0..<3 { tally.addTile(tile(), image: 0) }
    return tally.statistics()[0]
  }

  @Test("bounds make a reader request every tile, and do not grow if they already do")
  func everyTile() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let west = Double(random.next() % 3400) / 10 - 180
      let south = Double(random.next() % 1500) / 10 - 80
      let data = GeoBounds(west: west, south: south, east: west + 2, north: south + 3)
      let zooms = (0...6).map { statistics($0, &random) }
      let extents = zooms.map(\.extent)
      let box = extents.bounds(reachedBy: data)
      #expect(box.west <= data.west && box.east >= data.east)
      #expect(box.south <= data.south && box.north >= data.north)
      for zoom in zooms {
        let (columns, rows) = requested(box, zoom: zoom.zoom)
        #expect(columns.contains(zoom.extent.columns.lowerBound))
        #expect(columns.contains(zoom.extent.columns.upperBound))
        #expect(rows.contains(zoom.extent.rows.lowerBound))
        #expect(rows.contains(zoom.extent.rows.upperBound))
      }
      #expect(extents.bounds(reachedBy: box) == box && extents.isReached(by: box))
    }
  }

  @Test("bounds are the data's own if all tiles touch them", arguments: [0, 1, 5, 6])
  func unchanged(zoom: Int) throws {
    let point = try #require(WorldPoint(LngLat(longitude: 13.37, latitude: 52.52)))
    var tally = TileTally()
    tally.addImage(count: 1, isBlank: false)
    tally.addTile(TileCoord(point, z: zoom), image: 0)
    let data = GeoBounds(west: 12.37, south: 51.52, east: 13.87, north: 53.02)
    #expect(tally.statistics().map(\.extent).bounds(reachedBy: data) == data)
  }

  @Test(
    "bounds end a pixel of the deepest zoom beyond the edge of a tile that the data does not touch")
  func nearestEdge() {
    // Of the four tiles of zoom 1 the data touches the north-eastern one.
    var first = TileExtent(TileCoord(z: 1, x: 1, y: 0))
    first.include(TileCoord(z: 1, x: 0, y: 1))
    let last = TileExtent(TileCoord(z: 8, x: 130, y: 125))
    let data = GeoBounds(west: 3, south: 4, east: 4, north: 5)
    let box = [first, last].bounds(reachedBy: data)
    let pixel = 360.0 / 65536
    #expect(abs(box.west + pixel) < 1e-6 && abs(box.south + pixel) < 1e-6)
    #expect(box.east == data.east && box.north == data.north)
    #expect([first, last].isReached(by: box) && ![first].isReached(by: data))
  }

  @Test("bounds of a point have an area", arguments: [0, 5, 22])
  func point(zoom: Int) throws {
    let place = LngLat(longitude: 13.37, latitude: 52.52)
    let point = try #require(WorldPoint(place))
    let extents = [TileExtent(TileCoord(point, z: zoom))]
    let data = GeoBounds(west: 13.37, south: 52.52, east: 13.37, north: 52.52)
    let box = extents.bounds(reachedBy: data)
    let pixel = 360 / Double(256 << zoom)
    #expect(box.contains(place) && abs(box.east - box.west - 2 * pixel) < 1e-9)
    #expect(box.north - box.south > pixel && box.north - box.south < 2.1 * pixel)
    #expect(extents.bounds(reachedBy: box) == box)
  }

  @Test("bounds of data over the antimeridian are all longitudes")
  func antimeridian() {
    let data = GeoBounds(west: 170, south: -1, east: -170, north: 1)
    let box = [TileExtent]().bounds(reachedBy: data)
    #expect(box == GeoBounds(west: -180, south: -1, east: 180, north: 1))
  }
}
