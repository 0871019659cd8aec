import Foundation
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

  @Test("make a reader ask for every tile, and do not grow where it does already")
  func everyTile() {
    var random = SplitMix64(state: 5)
    for _ in 0..<300 {
      let west = Double(random.next() % 3400) / 10 - 180
      let south = Double(random.next() % 1500) / 10 - 80
      let data = GeoBounds(west: west, south: south, east: west + 2, north: south + 3)
      let zooms = (0...6).map { statistics($0, &random) }
      let box = ZoomStatistics.bounds(of: zooms, reachedBy: data)
      #expect(box.west <= data.west && box.east >= data.east)
      #expect(box.south <= data.south && box.north >= data.north)
      for zoom in zooms {
        let (columns, rows) = requested(box, zoom: zoom.zoom)
        #expect(columns.contains(zoom.columns.lowerBound))
        #expect(columns.contains(zoom.columns.upperBound))
        #expect(rows.contains(zoom.rows.lowerBound))
        #expect(rows.contains(zoom.rows.upperBound))
      }
      #expect(ZoomStatistics.bounds(of: zooms, reachedBy: box) == box)
    }
  }

  @Test("are the data's own where all tiles touch them", arguments: [0, 1, 5, 22])
  func unchanged(zoom: Int) throws {
    let point = try #require(WorldPoint(LngLat(longitude: 13.37, latitude: 52.52)))
    var tally = TileTally()
    tally.addImage(count: 1, isBlank: false)
    tally.addTile(TileCoord(point, z: zoom), image: 0)
    let data = GeoBounds(west: 13.37, south: 52.52, east: 13.37, north: 52.52)
    #expect(ZoomStatistics.bounds(of: tally.statistics(), reachedBy: data) == data)
  }

  @Test("are the whole turn for data over the antimeridian")
  func antimeridian() {
    let data = GeoBounds(west: 170, south: -1, east: -170, north: 1)
    let box = ZoomStatistics.bounds(of: [], reachedBy: data)
    #expect(box == GeoBounds(west: -180, south: -1, east: 180, north: 1))
  }
}
