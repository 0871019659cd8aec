import Clustering
import Columns
import TestSupport
import Testing
import Tiling

@Suite struct GridClustererTests {
  /// The cell of a position, in 128-bit integers straight from the definition.
  private struct Cell: Hashable {
    let x: Int128
    let y: Int128

    init(_ point: WorldPoint, zoom: Int, options: GridOptions) {
      let worldPixels = Int128(options.tileSize) << Int128(zoom)
      let width = Int128(options.cellSize(at: zoom)) << 32
      x = Int128(point.x) * worldPixels / width
      y = Int128(point.y) * worldPixels / width
    }
  }

  private func groups(
    _ input: ClusterInput, zoom: Int, options: GridOptions
  ) -> [Cell: [Int]] {
    Dictionary(grouping: input.positions.indices) {
      Cell(input.positions[$0], zoom: zoom, options: options)
    }
  }

  private func mean(_ values: Column<Double>, _ members: [Int]) -> Double {
    members.reduce(0) { $0 + values[$1] } / Double(members.count)
  }

  /// Checks an item that stands for the members of a cell, and for nothing else.
  private func check(
    _ item: Int, of level: ClusterLevel, members: [Int], input: ClusterInput, options: GridOptions
  ) {
    #expect(level.counts[item] == UInt32(members.count))
    #expect(members.contains(Int(level.firstMembers[item])))
    let xs = members.map { input.positions[$0].x }
    let ys = members.map { input.positions[$0].y }
    let box = level.boxes[item]
    #expect(box.west == xs.min() && box.east == xs.max())
    #expect(box.north == ys.min() && box.south == ys.max())
    #expect(box.contains(level.positions[item]))
    #expect(abs(level.longitudes[item] - mean(input.longitudes, members)) < 1.1e-9)
    #expect(abs(level.latitudes[item] - mean(input.latitudes, members)) < 1.1e-9)
    let deeper = (level.zoom + 1...options.maxZoom + 1).first { zoom in
      zoom > options.maxZoom
        || Set(members.map { Cell(input.positions[$0], zoom: zoom, options: options) }).count > 1
    }
    #expect(Int(level.expansionZooms[item]) == deeper)
  }

  @Test(
    "grid clusters are the cells of a search over every point, and contain all points",
    arguments: SamplePoints.allCases, [2, 4])
  func bruteForce(points: SamplePoints, minPoints: Int) throws {
    let options = try GridOptions(maxZoom: 17, minPoints: minPoints)
    let input = ClusterInput(points.places())
    let pyramid = GridClusterer(options).pyramid(of: input, zooms: 0...17)
    for level in pyramid.levels {
      let groups = groups(input, zoom: level.zoom, options: options)
      #expect(level.counts.reduce(0) { $0 + Int($1) } == input.count)
      var seen: Set<Int> = []
      for item in 0..<level.count {
        let first = Int(level.firstMembers[item])
        let cell = Cell(input.positions[first], zoom: level.zoom, options: options)
        let members = try #require(groups[cell])
        if members.count >= minPoints {
          check(item, of: level, members: members, input: input, options: options)
          seen.formUnion(members)
        } else {
          #expect(level.counts[item] == 1)
          #expect(level.longitudes[item] == input.longitudes[first])
          #expect(level.latitudes[item] == input.latitudes[first])
          #expect(level.positions[item] == input.positions[first])
          #expect(level.expansionZooms[item] == 0)
          seen.insert(first)
        }
      }
      #expect(seen.count == input.count)
      #expect(
        Set(zip(level.ids, level.counts).filter { $0.1 > 1 }.map(\.0)).count
          == level.counts.filter { $0 > 1 }.count)
    }
  }

  @Test(
    "grid clusters depend on the order of the input and the threads in their indices only",
    arguments: [1, 2, 3])
  func orderIndependence(threads: Int) throws {
    var random = SplitMix64(seed: 8)
    let places = SamplePoints.city.places() + SamplePoints.coincident.places()
    let weights = places.map { _ in AggregateValue.number(.random(in: 0...1, using: &random)) }
    func input(_ order: [Int]) -> ClusterInput {
      ClusterInput(
        order.map { places[$0] },
        aggregates: [
          AggregateColumn(
            name: "weight", values: Column(order.map { weights[$0] }), operation: .sum)
        ])
    }
    let clusterer = GridClusterer(try GridOptions(maxZoom: 14, minPoints: 3))
    let zooms = 0...16
    let expected = clusterer.pyramid(of: input(Array(places.indices)), zooms: zooms)
    let shuffled = places.indices.shuffled(using: &random)
    let actual = clusterer.pyramid(of: input(shuffled), zooms: zooms, threads: threads)
    for zoom in zooms {
      let left = try #require(expected.level(zoom))
      let right = try #require(actual.level(zoom))
      #expect(left.positions == right.positions)
      #expect(left.longitudes == right.longitudes)
      #expect(left.latitudes == right.latitudes)
      #expect(left.counts == right.counts)
      #expect(left.boxes == right.boxes)
      #expect(left.expansionZooms == right.expansionZooms)
      #expect(left.aggregates == right.aggregates)
      #expect(
        right.firstMembers.map { places[shuffled[Int($0)]] }
          == left.firstMembers.map { places[Int($0)] })
    }
  }

  @Test("grid clusters have the same bytes on several threads, with more points than a chunk has")
  func threads() throws {
    var random = SplitMix64(seed: 31)
    let places = (0..<20_000).map { _ in
      LngLat(
        longitude: .random(in: -10...10, using: &random),
        latitude: .random(in: 40...50, using: &random))
    }
    let clusterer = GridClusterer(try GridOptions(maxZoom: 10))
    let one = clusterer.pyramid(of: ClusterInput(places), zooms: 7...10)
    let four = clusterer.pyramid(of: ClusterInput(places), zooms: 7...10, threads: 4)
    for (left, right) in zip(one.levels, four.levels) {
      #expect(left.positions == right.positions && left.counts == right.counts)
      #expect(left.ids == right.ids && left.firstMembers == right.firstMembers)
      #expect(left.boxes == right.boxes && left.longitudes == right.longitudes)
    }
  }

  @Test("grid clusters count a point on a cell's edge in the cell east and south of it")
  func halfOpen() throws {
    let options = try GridOptions(cellSizes: [0: 64], maxZoom: 0)
    let edge: UInt32 = 1 << 30
    let positions: Column = [
      WorldPoint(x: edge - 1, y: edge), WorldPoint(x: edge, y: edge),
      WorldPoint(x: edge, y: 2 * edge - 1), WorldPoint(x: edge, y: 2 * edge),
    ]
    let input = ClusterInput(
      longitudes: Column(positions.map { LngLat($0).longitude }),
      latitudes: Column(positions.map { LngLat($0).latitude }), positions: positions)
    let level = try #require(
      GridClusterer(options).pyramid(of: input, zooms: 0...0).level(0))
    #expect(level.counts == [1, 2, 1])
    #expect(level.boxes[1] == WorldBox(west: edge, north: edge, east: edge, south: 2 * edge - 1))
  }

  @Test("grid clusters of equal coordinates with five decimals have exactly these as their mean")
  func exactMean() throws {
    let place = LngLat(longitude: -80.26262, latitude: 25.81015)
    let input = ClusterInput([place, place, place])
    let level = try #require(
      GridClusterer(try GridOptions()).pyramid(of: input, zooms: 16...16).level(16))
    #expect(level.longitudes == [-80.26262])
    #expect(level.latitudes == [25.81015])
    #expect(level.expansionZooms == [17])
  }

  @Test("grid cells are 88, 64, 32 and 16 pixels by default, and 16 from zoom 19 on")
  func defaultSizes() throws {
    let options = try GridOptions()
    let sizes = (0...22).map { options.cellSize(at: $0) }
    #expect(sizes.prefix(13).allSatisfy { $0 == 88 })
    #expect(sizes[13...] == [64, 64, 64, 32, 32, 32, 16, 16, 16, 16])
  }

  @Test("grid cells of zooms below the first named have the first size")
  func firstSize() throws {
    let options = try GridOptions(cellSizes: [4: 50, 6: 20])
    #expect((0...7).map { options.cellSize(at: $0) } == [50, 50, 50, 50, 50, 50, 20, 20])
  }

  @Test("grid clusters show every point above clusterMaxZoom, in Morton order")
  func unclustered() throws {
    let input = ClusterInput(SamplePoints.coincident.places())
    let pyramid = GridClusterer(try GridOptions(maxZoom: 3)).pyramid(of: input, zooms: 2...5)
    #expect(pyramid.level(1) == nil && pyramid.level(6) == nil)
    #expect(pyramid.level(3)?.count == 1)
    for zoom in 4...5 {
      let level = try #require(pyramid.level(zoom))
      #expect(level.zoom == zoom)
      #expect(level.count == input.count)
      #expect(level.counts.allSatisfy { $0 == 1 })
      #expect(Set(level.firstMembers).count == input.count)
      #expect(level.longitudes == Column(level.longitudes.sorted()))
    }
  }

  @Test("grid clusters of a zoom range below clusterMaxZoom have the levels of the whole")
  func part() throws {
    let clusterer = GridClusterer(try GridOptions())
    let input = ClusterInput(SamplePoints.city.places())
    let whole = clusterer.pyramid(of: input, zooms: 0...16)
    let part = clusterer.pyramid(of: input, zooms: 5...9)
    for zoom in 5...9 {
      #expect(part.level(zoom)?.positions == whole.level(zoom)?.positions)
      #expect(part.level(zoom)?.expansionZooms == whole.level(zoom)?.expansionZooms)
    }
  }

  @Test("grid clusters do not overflow in the largest world in pixels", arguments: [1, 3, 65_536])
  func extremes(cell: Int) throws {
    let options = try GridOptions(cellSizes: [0: cell], tileSize: 1024, maxZoom: 22)
    let corners: Column = [
      WorldPoint(x: 0, y: 0), WorldPoint(x: .max, y: 0), WorldPoint(x: 0, y: .max),
      WorldPoint(x: .max, y: .max),
    ]
    let input = ClusterInput(
      longitudes: [-180, .greatestFiniteMagnitude, .nan, 180], latitudes: [85, 85, -85, .infinity],
      positions: corners)
    let pyramid = GridClusterer(options).pyramid(of: input, zooms: 0...22)
    #expect(pyramid.level(22)?.counts == [1, 1, 1, 1])
    #expect(pyramid.level(0)?.count == (cell == 65_536 ? 1 : 4))
  }
}

@Suite struct ClusterOptionsTests {
  @Test("invalid grid options are refused with a sentence")
  func grid() {
    #expect(throws: ClusteringError.self) { try GridOptions(cellSizes: [:]) }
    #expect(throws: ClusteringError.self) { try GridOptions(cellSizes: [0: 0]) }
    #expect(throws: ClusteringError.self) { try GridOptions(cellSizes: [0: 70_000]) }
    #expect(throws: ClusteringError.self) { try GridOptions(cellSizes: [23: 16]) }
    #expect(throws: ClusteringError.self) { try GridOptions(tileSize: 300) }
    #expect(throws: ClusteringError.self) { try GridOptions(maxZoom: 23) }
    let error = #expect(throws: ClusteringError.self) {
      try GridOptions(cellSizes: [0: 88, 9: -1, 7: -1])
    }
    #expect(error?.message == "clusterCellSize is -1 px at zoom 7. Use 1 to 65536 px.")
  }

  @Test("invalid radius options are refused with a sentence")
  func radius() {
    #expect(throws: ClusteringError.self) { try RadiusOptions(radius: -1) }
    #expect(throws: ClusteringError.self) { try RadiusOptions(radius: .nan) }
    #expect(throws: ClusteringError.self) { try RadiusOptions(radius: .infinity) }
    #expect(throws: ClusteringError.self) { try RadiusOptions(tileSize: 0) }
    #expect(throws: ClusteringError.self) { try RadiusOptions(maxZoom: -1) }
  }
}
