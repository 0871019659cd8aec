import Columns
import Features
import TestSupport
import Testing
import Tiling

@testable import Clustering

@Suite("Aggregates of all values of a cluster")
struct GatheredValuesTests {
  private static let places = SamplePoints.city.places() + SamplePoints.coincident.places()

  /// Numbers, Booleans and nulls with many repetitions.
  private static func values(seed: UInt64, of count: Int) -> Column<AggregateValue> {
    var random = SplitMix64(seed: seed)
    return Column(
      (0..<count).map { _ in
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .null
        case 1: .boolean(true)
        default: .number(Double(Int.random(in: -4...9, using: &random)) / 2)
        }
      })
  }

  private static func pyramids(
    _ measures: [GatheredMeasure], places: [LngLat] = places, _ values: Column<AggregateValue>,
    by keys: Column<AggregateValue>? = nil, isDescending: Bool = false
  ) throws -> [ClusterPyramid] {
    // The members of a cluster are the list of its points' own numbers.
    let numbers = Column(places.indices.map { AggregateValue.number(Double($0)) })
    let members = GatheredValues(.list(isDistinct: true, limit: .max), of: numbers)
    let columns =
      [AggregateColumn(name: "members", values: numbers, rule: .gathered(members))]
      + measures.map { measure in
        let gathered = GatheredValues(measure, of: values, by: keys, isDescending: isDescending)
        return AggregateColumn(name: "\(measure)", values: values, rule: .gathered(gathered))
      }
    let input = ClusterInput(places, aggregates: columns)
    let grid = try GridOptions(cellSizes: [0: 88, 5: 60], maxZoom: 14)
    return [
      GridClusterer(grid).pyramid(of: input, zooms: 0...14),
      RadiusClusterer(try RadiusOptions(maxZoom: 14)).pyramid(of: input, zooms: 0...14),
    ]
  }

  /// Calls `body` with the values of each cluster's points and the properties of the cluster.
  private static func forEachCluster(
    of pyramids: [ClusterPyramid], _ values: Column<AggregateValue>,
    _ body: (_ members: [Int], _ values: [AggregateValue], _ results: [PropertyValue]) -> Void
  ) {
    for pyramid in pyramids {
      var clusters = 0
      for zoom in pyramid.zooms {
        guard let level = pyramid.level(zoom) else { continue }
        for item in 0..<level.count where level.isCluster(item) {
          guard case .array(let found) = level.aggregate(0, of: item) else {
            Issue.record("no members at zoom \(zoom)")
            continue
          }
          let members = found.compactMap(\.double).map { Int($0) }
          #expect(members.count == Int(level.counts[item]))
          clusters += 1
          body(
            members, members.map { values[$0] }.filter { $0 != .null },
            (1..<level.aggregates.count).map { level.aggregate($0, of: item) })
        }
      }
      #expect(clusters > 30)
    }
  }

  private static func property(_ value: AggregateValue?) -> PropertyValue {
    AggregateTable().property(value ?? .null)
  }

  @Test("mode, distinct count and lists equal a plain count of each cluster's points")
  func counts() throws {
    let values = Self.values(seed: 3, of: Self.places.count)
    let pyramids = try Self.pyramids(
      [
        .mode, .distinctCount, .list(isDistinct: true, limit: 4),
        .list(isDistinct: false, limit: 5),
      ], values)
    Self.forEachCluster(of: pyramids, values) { _, own, results in
      let counts = Dictionary(grouping: own) { $0 }.mapValues(\.count)
      let sorted = own.sorted(by: AggregateValue.precedes)
      let distinct = counts.keys.sorted(by: AggregateValue.precedes)
      let most = counts.values.max()
      #expect(results[0] == Self.property(distinct.first { counts[$0] == most }))
      #expect(results[1] == .number(Double(distinct.count)))
      func list(_ values: [AggregateValue], _ limit: Int) -> PropertyValue {
        values.isEmpty ? .null : .array(values.prefix(limit).map { Self.property($0) })
      }
      #expect(results[2] == list(distinct, 4))
      #expect(results[3] == list(sorted, 5))
    }
  }

  @Test("quantiles interpolate between the nearest ranks of the numbers")
  func quantiles() throws {
    let values = Self.values(seed: 4, of: Self.places.count)
    let fractions = [0, 0.1, 0.5, 0.9, 1]
    let pyramids = try Self.pyramids(fractions.map { .quantile($0) }, values)
    Self.forEachCluster(of: pyramids, values) { _, own, results in
      let numbers = own.compactMap(\.number).sorted()
      for (fraction, result) in zip(fractions, results) {
        guard !numbers.isEmpty else {
          #expect(result == .null)
          continue
        }
        let place = fraction * Double(numbers.count - 1)
        let low = numbers[Int(place.rounded(.down))]
        let high = numbers[Int(place.rounded(.up))]
        #expect(result == .number(low + (high - low) * (place - place.rounded(.down))))
      }
    }
  }

  @Test("first and lists follow the keys of an order, nulls last", arguments: [false, true])
  func order(isDescending: Bool) throws {
    let values = Self.values(seed: 5, of: Self.places.count)
    let keys = Self.values(seed: 6, of: Self.places.count)
    let pyramids = try Self.pyramids(
      [.first, .list(isDistinct: false, limit: 3)], values, by: keys, isDescending: isDescending)
    Self.forEachCluster(of: pyramids, values) { members, _, results in
      let sorted = members.filter { values[$0] != .null }.sorted { left, right in
        let (a, b) = (keys[left], keys[right])
        guard a != b else { return AggregateValue.precedes(values[left], values[right]) }
        if a == .null || b == .null { return b == .null }
        return isDescending ? AggregateValue.precedes(b, a) : AggregateValue.precedes(a, b)
      }
      #expect(results[0] == Self.property(sorted.first.map { values[$0] }))
      let list = sorted.prefix(3).map { Self.property(values[$0]) }
      #expect(results[1] == (list.isEmpty ? .null : .array(list)))
    }
  }

  @Test("grid aggregates do not depend on the order of the points")
  func shuffled() throws {
    let values = Self.values(seed: 7, of: Self.places.count)
    var random = SplitMix64(seed: 8)
    let order = Self.places.indices.shuffled(using: &random)
    let measures: [GatheredMeasure] = [
      .mode, .first, .quantile(0.25), .list(isDistinct: false, limit: 9),
    ]
    let one = try Self.pyramids(measures, values, by: values)[0]
    let moved = Column(order.map { values[$0] })
    let two = try Self.pyramids(
      measures, places: order.map { Self.places[$0] }, moved, by: moved)[0]
    for zoom in 0...14 {
      let (left, right) = (try #require(one.level(zoom)), try #require(two.level(zoom)))
      #expect(left.counts == right.counts)
      for item in 0..<left.count where left.isCluster(item) {
        for column in 1..<left.aggregates.count {
          #expect(left.aggregate(column, of: item) == right.aggregate(column, of: item))
        }
      }
    }
  }

  @Test("minimum and maximum are of the texts only where no point has a number")
  func extremes() {
    let pairs: [(AggregateValue, AggregateValue, AggregateValue)] = [
      (.text(3), .text(1), .text(1)), (.text(0), .number(9), .number(9)),
      (.null, .text(2), .text(2)), (.boolean(true), .text(2), .text(2)),
    ]
    for (left, right, smallest) in pairs {
      #expect(AggregateOperation.min(left, right) == smallest)
      #expect(AggregateOperation.min(right, left) == smallest)
    }
    #expect(AggregateOperation.max(.text(3), .text(1)) == .text(3))
  }

  @Test("zeros of both signs are one value, and what is not a number is none")
  func zeros() {
    let values = Column<AggregateValue>([.number(0), .number(-0.0), .number(.nan)])
    var work = GatheredWork(GatheredValues(.distinctCount, of: values))
    #expect(work.value(of: [0, 1, 2]) == .number(1))
    #expect(work.value(of: [2]) == .number(0))
  }
}
