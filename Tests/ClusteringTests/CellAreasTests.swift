import Columns
import Features
import TestSupport
import Testing
import Tiling

@testable import Clustering

@Suite("Cells as areas")
struct CellAreasTests {
  private static let shapes: [CellShape] = [.square, .hexagon]

  private static func options(
    _ shape: CellShape, size: Int = 40, meters: Double? = nil
  ) throws -> GridOptions {
    try GridOptions(cellSizes: [0: size], maxZoom: 9, shape: shape, cellMeters: meters)
  }

  @Test(
    "every cell is an item at its centre, and the counts of each zoom add up to the points",
    arguments: SamplePoints.allCases, shapes)
  func conservation(points: SamplePoints, shape: CellShape) throws {
    let places = points.places()
    for meters in [nil, 250_000.0] {
      let options = try Self.options(shape, meters: meters)
      let pyramid = GridClusterer(options).pyramid(of: ClusterInput(places), zooms: 0...9)
      for level in pyramid.levels {
        #expect(level.counts.reduce(0) { $0 + Int($1) } == places.count)
        #expect(level.isAreal && Set(level.ids).count == level.count)
        let outlines = options.outlines(of: level)
        #expect(outlines.count == level.count)
        for item in 0..<level.count {
          #expect(level.isCluster(item))
          let ring = outlines.positions[outlines.positionRange(outlines.partRange(item).lowerBound)]
          #expect(ring.count == (shape == .hexagon ? 7 : 5) && ring.first == ring.last)
        }
      }
    }
  }

  @Test("a point belongs to the hexagon whose centre is nearest, around the world")
  func nearest() {
    var random = SplitMix64(seed: 2)
    for columns in [1, 2, 3, 7, 64] as [UInt32] {
      let cells = EqualCells(zoom: 4, columns: columns, isHexagonal: true)
      let rows = Int((Double(columns) / (3.0.squareRoot() / 2)).rounded(.up))
      let all = (0...rows).flatMap { row in
        (0..<columns).map { MortonKey(column: $0, row: UInt32(row)) }
      }
      func distance(_ point: WorldPoint, _ cell: MortonKey) -> Double {
        let shift = cell.row & 1 == 1 ? 1.0 : 0.5
        let x = (Double(cell.column) + shift) / Double(columns)
        let y = Double(cell.row) * (3.0.squareRoot() / 2) / Double(columns)
        let east = abs(Double(point.x) / 0x1p32 - x)
        let (dx, dy) = (min(east, abs(1 - east)), Double(point.y) / 0x1p32 - y)
        return (dx * dx + dy * dy).squareRoot()
      }
      for _ in 0..<200 {
        let point = WorldPoint(x: random.next(), y: random.next())
        let key = cells.key(of: point)
        let own = all.first { $0.key == key }
        let least = all.map { distance(point, $0) }.min()
        #expect(own.map { distance(point, $0) <= (least ?? 0) + 1e-9 } == true)
      }
    }
  }

  /// A cell by its column and row.
  private struct MortonKey {
    let column: UInt32
    let row: UInt32
    let key: UInt64

    init(column: UInt32, row: UInt32) {
      (self.column, self.row) = (column, row)
      var code: UInt64 = 0
      for bit in 0..<32 as Range<UInt64> {
        code |= (UInt64(column) >> bit & 1) << (2 * bit)
        code |= (UInt64(row) >> bit & 1) << (2 * bit + 1)
      }
      key = code
    }
  }

  @Test("neighbouring hexagons have exactly equal corners, and each is around its centre")
  func corners() {
    let cells = EqualCells(zoom: 3, columns: 12, isHexagonal: true)
    var uses: [String: Int] = [:]
    for row in 1...6 as ClosedRange<UInt32> {
      for column in 1...6 as ClosedRange<UInt32> {
        let key = MortonKey(column: column, row: row).key
        let corners = cells.corners(of: key)
        for corner in corners {
          uses["\(corner.x.bitPattern) \(corner.y.bitPattern)", default: 0] += 1
        }
        let center = cells.center(of: key)
        #expect(cells.key(of: center) == key)
        let middle = corners.reduce(0) { $0 + $1.x } / 6
        #expect(abs(middle - Double(center.x) / 0x1p32) < 1e-9)
      }
    }
    // Inside of the block three hexagons meet at a corner.
    #expect(uses.values.max() == 3 && uses.values.count { $0 == 3 } > 40)
  }

  @Test("areas do not depend on the order of the points, nor on threads", arguments: shapes)
  func shuffled(shape: CellShape) throws {
    let places = SamplePoints.world.places()
    var random = SplitMix64(seed: 9)
    let clusterer = GridClusterer(try Self.options(shape))
    let one = clusterer.pyramid(of: ClusterInput(places), zooms: 0...9)
    let two = clusterer.pyramid(
      of: ClusterInput(places.shuffled(using: &random)), zooms: 0...9, threads: 3, checkpoint: {})
    for (left, right) in zip(one.levels, two.levels) {
      #expect(left.ids == right.ids && left.counts == right.counts)
      #expect(left.positions == right.positions && left.expansionZooms == right.expansionZooms)
    }
  }

  @Test("squares in pixels have the counts of grid clusters")
  func likeGrid() throws {
    let places = SamplePoints.city.places()
    let grid = GridClusterer(try GridOptions(cellSizes: [0: 40], maxZoom: 9))
      .pyramid(of: ClusterInput(places), zooms: 0...9)
    let squares = GridClusterer(try Self.options(.square))
      .pyramid(of: ClusterInput(places), zooms: 0...9)
    for (left, right) in zip(grid.levels, squares.levels) {
      func clusters(_ level: ClusterLevel) -> [UInt64: UInt32] {
        Dictionary(
          uniqueKeysWithValues: (0..<level.count).filter { level.counts[$0] > 1 }
            .map { (level.ids[$0], level.counts[$0]) })
      }
      #expect(clusters(left) == clusters(right))
    }
  }

  @Test("cells in metres are the same at every zoom")
  func meters() throws {
    let places = SamplePoints.world.places()
    let pyramid = GridClusterer(try Self.options(.hexagon, meters: 500_000))
      .pyramid(of: ClusterInput(places), zooms: 0...9)
    let first = try #require(pyramid.level(0))
    for level in pyramid.levels {
      #expect(level.counts == first.counts && level.positions == first.positions)
    }
    #expect(first.count > 100)
  }
}
