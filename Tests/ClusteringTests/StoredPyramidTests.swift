import Clustering
import Columns
import TestSupport
import Testing
import Tiling

@Suite("A stored pyramid") struct StoredPyramidTests {
  /// Points in towns and alone, some coincident, with aggregates of every kind.
  private func input(_ count: Int, seed: UInt64) -> ClusterInput {
    var random = SplitMix64(seed: seed)
    var places: [LngLat] = []
    for index in 0..<count {
      let isTown = index > 0 && random.next() % 3 > 0
      let near =
        isTown ? places[Int(random.next() % UInt64(index))] : LngLat(longitude: 0, latitude: 0)
      let reach = isTown ? Double(random.next() % 3) * 0.01 : 170
      let unit = { Double(random.next() % 2001) / 1000 - 1 }
      places.append(
        LngLat(
          longitude: near.longitude + unit() * reach,
          latitude: min(max(near.latitude + unit() * reach * 0.45, -80), 80)))
    }
    let values = Column(
      (0..<count).map { index -> AggregateValue in
        switch random.next() % 4 {
        case 0: .null
        case 1: .boolean(index % 2 == 0)
        default: .number(Double(index % 7) - 0.1)
        }
      })
    let plain = ClusterInput(places)
    return ClusterInput(
      longitudes: plain.longitudes, latitudes: plain.latitudes, positions: plain.positions,
      aggregates: [
        AggregateColumn(name: "sum", values: values, operation: .sum),
        AggregateColumn(
          name: "own", values: values,
          operation: .custom { .number(($0.number ?? 1) * 2 + ($1.number ?? 3)) }),
        AggregateColumn(
          name: "list", values: values,
          rule: .gathered(GatheredValues(.list(isDistinct: true, limit: 3), of: values)),
          separator: "; "),
      ])
  }

  private func expectEqual(_ left: ClusterPyramid, _ right: ClusterPyramid) {
    #expect(left.zooms == right.zooms && left.clusterMaxZoom == right.clusterMaxZoom)
    for (left, right) in zip(left.levels, right.levels) {
      #expect(left.zoom == right.zoom && left.positions == right.positions)
      #expect(left.longitudes == right.longitudes && left.latitudes == right.latitudes)
      #expect(left.counts == right.counts && left.boxes == right.boxes)
      #expect(left.firstMembers == right.firstMembers)
      #expect(left.expansionZooms == right.expansionZooms)
      #expect(left.ids == right.ids && left.aggregates == right.aggregates)
      #expect(left.isAreal == right.isAreal)
      for column in left.aggregates.indices {
        #expect(
          (0..<left.count).allSatisfy {
            left.aggregate(column, of: $0) == right.aggregate(column, of: $0)
          })
      }
    }
  }

  @Test(
    "a stored pyramid gives back every column of every level", arguments: [0, 1, 2, 50, 700],
    [0...6, 3...3, 7...9, 5...12])
  func roundTrip(count: Int, zooms: ClosedRange<Int>) throws {
    let input = input(count, seed: UInt64(count))
    let pyramids = [
      GridClusterer(try GridOptions(maxZoom: 8)).pyramid(of: input, zooms: zooms),
      RadiusClusterer(try RadiusOptions(maxZoom: 8, minPoints: 3)).pyramid(of: input, zooms: zooms),
      GridClusterer(try GridOptions(maxZoom: 8, shape: .hexagon)).pyramid(of: input, zooms: zooms),
    ]
    for pyramid in pyramids {
      let stored = StoredPyramid(pyramid, of: input)
      let bare = ClusterInput(
        longitudes: input.longitudes, latitudes: input.latitudes, positions: input.positions)
      for threads in [1, 3] {
        let restored = stored.pyramid(
          of: bare, aggregates: input.aggregates.map(\.values), threads: threads)
        expectEqual(try #require(restored), pyramid)
      }
    }
  }

  @Test("a stored pyramid with inconsistent columns or for another input is refused")
  func misfits() throws {
    let input = input(60, seed: 3)
    let values = input.aggregates.map(\.values)
    let stored = StoredPyramid(
      GridClusterer(try GridOptions(maxZoom: 3)).pyramid(of: input, zooms: 0...5), of: input)
    let changes: [(inout StoredPyramid) -> Void] = [
      { $0.order.removeLast() }, { $0.order[5] = 60 }, { $0.clustered.removeLast() },
      { $0.clustered.swapAt(0, 1) }, { $0.points = nil }, { $0.points?.zoom = 4 },
      { $0.clustered[1].members[0] = 60 }, { $0.clustered[1].members = [] },
      { $0.clustered[0].clusters[0] = 60 }, { $0.clustered[0].positions.removeLast() },
      { $0.clustered[0].longitudes.removeLast() }, { $0.clustered[0].latitudes.append(1) },
      { $0.clustered[0].counts.removeAll() }, { $0.clustered[0].boxes.removeLast() },
      { $0.clustered[0].expansionZooms.removeLast() }, { $0.clustered[0].ids.append(1) },
      { $0.tables.removeLast() }, { $0.tables[2].lists.removeAll() },
      { $0.tables[2].lists[0] = .list(start: 0, count: 1) }, { $0.tables[2].lists[0] = .text(0) },
      { $0.clustered[0].aggregates.removeLast() }, { $0.clustered[0].aggregates[1].removeLast() },
    ]
    #expect(stored.pyramid(of: input, aggregates: values) != nil)
    for (index, change) in changes.enumerated() {
      var broken = stored
      change(&broken)
      #expect(broken.pyramid(of: input, aggregates: values) == nil, "change \(index)")
    }
    #expect(stored.pyramid(of: input, aggregates: []) == nil)
    #expect(stored.pyramid(of: self.input(61, seed: 3), aggregates: values) == nil)
  }
}
