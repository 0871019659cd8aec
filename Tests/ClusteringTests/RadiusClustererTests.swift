import Clustering
import Columns
import Foundation
import TestSupport
import Testing
import Tiling

@Suite struct RadiusClustererTests {
  /// One cluster or point of the look at every pair.
  private struct Node {
    var x: Double
    var y: Double
    var count: UInt32
    var id: UInt64
    var members: [Int]
    var expansionZoom: UInt8
  }

  private func nodes(_ input: ClusterInput) -> [Node] {
    (0..<input.count).map { index in
      let sine = sin(input.latitudes[index] * Double.pi / 180)
      let y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / Double.pi
      return Node(
        x: Double(Float(input.longitudes[index] / 360 + 0.5)), y: Double(Float(y)), count: 1,
        id: UInt64(index), members: [index], expansionZoom: 0)
    }
  }

  /// One zoom by comparing every pair. Up to 65 nodes are one leaf of the tree, whose order is
  /// that of the nodes, so that even the rounding of sums is the same.
  private func clustered(
    _ nodes: [Node], zoom: Int, options: RadiusOptions, featureCount: Int
  ) -> [Node] {
    let reach = options.radius / (Double(options.tileSize) * Double(1 << zoom))
    var free = Array(repeating: true, count: nodes.count)
    var next: [Node] = []
    for (index, origin) in nodes.enumerated() where free[index] {
      free[index] = false
      let near = nodes.indices.filter { other in
        let dx = Double(Float(nodes[other].x)) - origin.x
        let dy = Double(Float(nodes[other].y)) - origin.y
        return free[other] && dx * dx + dy * dy <= reach * reach
      }
      for other in near { free[other] = false }
      let joined = [origin] + near.map { nodes[$0] }
      let count = joined.reduce(0) { $0 + $1.count }
      guard !near.isEmpty, Int(count) >= options.minPoints else {
        next += joined
        continue
      }
      next.append(
        Node(
          x: joined.reduce(0) { $0 + $1.x * Double($1.count) } / Double(count),
          y: joined.reduce(0) { $0 + $1.y * Double($1.count) } / Double(count), count: count,
          id: UInt64(index << 5 + zoom + 1 + featureCount), members: joined.flatMap(\.members),
          expansionZoom: UInt8(zoom + 1)))
    }
    return next
  }

  private func check(_ level: ClusterLevel, against nodes: [Node], input: ClusterInput) {
    #expect(level.counts == Column(nodes.map(\.count)))
    #expect(level.ids == Column(nodes.map(\.id)))
    #expect(level.expansionZooms == Column(nodes.map(\.expansionZoom)))
    #expect(level.firstMembers.map { Int($0) } == nodes.map { $0.members.min() ?? -1 })
    for (item, node) in nodes.enumerated() where item < level.count {
      let boxes = node.members.map { WorldBox(input.positions[$0]) }
      let box = boxes.dropFirst().reduce(into: boxes[0]) { $0.formUnion($1) }
      #expect(level.boxes[item] == box)
      if node.count > 1 {
        #expect(level.longitudes[item] == (node.x - 0.5) * 360)
        let latitude = 360 * atan(exp((180 - node.y * 360) * Double.pi / 180)) / Double.pi - 90
        #expect(level.latitudes[item] == latitude)
      } else {
        #expect(level.longitudes[item] == input.longitudes[node.members[0]])
        #expect(level.latitudes[item] == input.latitudes[node.members[0]])
      }
    }
  }

  @Test(
    "radius clusters of up to 65 points are those of a search over every pair, to the last bit",
    arguments: SamplePoints.allCases, [2, 3, 6])
  func bruteForce(points: SamplePoints, minPoints: Int) throws {
    let options = try RadiusOptions(radius: 60, maxZoom: 12, minPoints: minPoints)
    let input = ClusterInput(Array(points.places().prefix(65)), featureCount: 70)
    let pyramid = RadiusClusterer(options).pyramid(of: input, zooms: 0...12)
    var nodes = nodes(input)
    for zoom in (0...12).reversed() {
      nodes = clustered(nodes, zoom: zoom, options: options, featureCount: 70)
      check(try #require(pyramid.level(zoom)), against: nodes, input: input)
    }
  }

  @Test(
    "radius clusters of a deep tree join the same points as a search over every pair",
    arguments: [0.5, 40, 700])
  func deepTree(radius: Double) throws {
    var random = SplitMix64(seed: 77)
    let places = (0..<900).map { index in
      LngLat(
        longitude: index % 5 == 0 ? 11 : .random(in: 10...12, using: &random),
        latitude: index % 7 == 0 ? 45 : .random(in: 44...46, using: &random))
    }
    let options = try RadiusOptions(radius: radius, maxZoom: 8)
    let input = ClusterInput(places)
    let level = try #require(
      RadiusClusterer(options).pyramid(of: input, zooms: 8...8).level(8))
    let expected = clustered(nodes(input), zoom: 8, options: options, featureCount: 900)
    #expect(level.counts == Column(expected.map(\.count)))
    #expect(level.ids == Column(expected.map(\.id)))
    #expect(level.firstMembers.map { Int($0) } == expected.map { $0.members.min() ?? -1 })
    for (item, node) in expected.enumerated() where item < level.count && node.count > 1 {
      #expect(abs(level.longitudes[item] - (node.x - 0.5) * 360) < 1e-10)
    }
  }

  @Test(
    "radius clusters have the same bytes on several threads, for scattered and coincident points",
    arguments: [2, 4])
  func threads(count: Int) throws {
    var random = SplitMix64(seed: 12)
    let places = (0..<18_000).map { index in
      index % 4 == 0
        ? LngLat(longitude: 5, latitude: Double(index % 16))
        : LngLat(
          longitude: .random(in: 0...20, using: &random),
          latitude: .random(in: 0...20, using: &random))
    }
    let clusterer = RadiusClusterer(try RadiusOptions(maxZoom: 9, minPoints: 4))
    let one = clusterer.pyramid(of: ClusterInput(places), zooms: 7...9)
    let many = clusterer.pyramid(of: ClusterInput(places), zooms: 7...9, threads: count)
    for (left, right) in zip(one.levels, many.levels) {
      #expect(left.count < 18_000)
      #expect(left.counts == right.counts && left.ids == right.ids)
      #expect(left.longitudes == right.longitudes && left.latitudes == right.latitudes)
      #expect(left.boxes == right.boxes && left.firstMembers == right.firstMembers)
    }
  }

  @Test(
    "radius clusters contain every point in one item of each zoom",
    arguments: SamplePoints.allCases, [2, 7])
  func conservation(points: SamplePoints, minPoints: Int) throws {
    let input = ClusterInput(points.places())
    let clusterer = RadiusClusterer(try RadiusOptions(maxZoom: 16, minPoints: minPoints))
    for level in clusterer.pyramid(of: input, zooms: 0...18).levels {
      #expect(level.counts.reduce(0) { $0 + Int($1) } == input.count)
      #expect(Set(level.firstMembers).count == level.count)
      #expect(level.counts.allSatisfy { $0 == 1 || Int($0) >= minPoints })
    }
  }

  @Test("radius clusters join two coincident points even where the radius is below rounding")
  func coincident() throws {
    let place = LngLat(longitude: -1.426798, latitude: 53.943034)
    let options = try RadiusOptions(radius: 16, tileSize: 8192, maxZoom: 20)
    let pyramid = RadiusClusterer(options).pyramid(of: ClusterInput([place, place]), zooms: 0...20)
    #expect(pyramid.levels.allSatisfy { $0.counts == [2] })
  }

  @Test("radius clusters show every point above clusterMaxZoom, in the order of the input")
  func unclustered() throws {
    let input = ClusterInput(SamplePoints.city.places())
    let pyramid = RadiusClusterer(try RadiusOptions(maxZoom: 2)).pyramid(of: input, zooms: 1...4)
    let level = try #require(pyramid.level(4))
    #expect(level.positions == input.positions)
    #expect(level.firstMembers == Column(0..<UInt32(input.count)))
    #expect(level.zoom == 4 && pyramid.level(0) == nil)
  }

  @Test(
    "radius clusters of the smallest radius join coincident points, of the largest all",
    arguments: [1, 2])
  func extremeRadii(threads: Int) throws {
    let input = ClusterInput(SamplePoints.coincident.places() + SamplePoints.world.places())
    // The two places are one in single precision.
    let none = RadiusClusterer(try RadiusOptions(radius: 0, maxZoom: 5))
    #expect(none.pyramid(of: input, zooms: 5...5, threads: threads).level(5)?.counts.max() == 120)
    let all = RadiusClusterer(try RadiusOptions(radius: .greatestFiniteMagnitude, maxZoom: 5))
    #expect(
      all.pyramid(of: input, zooms: 5...5, threads: threads).level(5)?.counts
        == [UInt32(input.count)])
  }
}
