import Clustering
import Columns
import Testing
import Tiling

@Suite struct AggregateTests {
  /// What three coincident points with these values come to.
  private func joined(
    _ values: [AggregateValue], _ operation: AggregateOperation
  ) throws -> AggregateValue {
    let places = values.map { _ in LngLat(longitude: 7, latitude: 46) }
    let column = AggregateColumn(
      name: "value", values: Column(values), operation: operation)
    let input = ClusterInput(places, aggregates: [column])
    let byGrid = GridClusterer(try GridOptions()).pyramid(of: input, zooms: 0...16)
    let byRadius = RadiusClusterer(try RadiusOptions()).pyramid(of: input, zooms: 0...16)
    var found: Set<AggregateValue> = []
    for level in Array(byGrid.levels) + Array(byRadius.levels) {
      #expect(level.counts == [3])
      found.insert(level.aggregates[0][0])
    }
    #expect(found.count == 1)
    return try #require(found.first)
  }

  @Test("aggregates of numbers are their sum, product, minimum and maximum")
  func numbers() throws {
    let values: [AggregateValue] = [.number(2), .number(-3), .number(5)]
    #expect(try joined(values, .sum) == .number(4))
    #expect(try joined(values, .product) == .number(-30))
    #expect(try joined(values, .min) == .number(-3))
    #expect(try joined(values, .max) == .number(5))
    #expect(try joined(values, .any) == .null)
  }

  @Test("aggregates ignore values of another kind")
  func nulls() throws {
    #expect(try joined([.null, .number(4), .boolean(true)], .sum) == .number(4))
    #expect(try joined([.null, .number(4), .null], .min) == .number(4))
    #expect(try joined([.null, .null, .null], .max) == .null)
    #expect(try joined([.null, .boolean(false), .number(1)], .any) == .boolean(false))
  }

  @Test("aggregates combine Booleans with any and all")
  func booleans() throws {
    let mixed: [AggregateValue] = [.boolean(true), .boolean(false), .null]
    #expect(try joined(mixed, .any) == .boolean(true))
    #expect(try joined(mixed, .all) == .boolean(false))
  }

  @Test("a custom aggregate gets the accumulated and the next value")
  func custom() throws {
    let count = AggregateOperation.custom { accumulated, value in
      .number((accumulated.number ?? 0) + (value.number ?? 0))
    }
    #expect(try joined([.number(1), .number(1), .number(1)], count) == .number(3))
  }

  @Test("aggregates of all items add up to the sum of all points at every zoom", arguments: [2, 5])
  func conservation(minPoints: Int) throws {
    let places = SamplePoints.city.places()
    let column = AggregateColumn(
      name: "rooms", values: Column(places.indices.map { .number(Double($0)) }),
      operation: .sum)
    let input = ClusterInput(places, aggregates: [column])
    let total = Double(places.count * (places.count - 1) / 2)
    let grid = GridClusterer(try GridOptions(maxZoom: 14, minPoints: minPoints))
    let radius = RadiusClusterer(try RadiusOptions(maxZoom: 14, minPoints: minPoints))
    for pyramid in [
      grid.pyramid(of: input, zooms: 0...16), radius.pyramid(of: input, zooms: 0...16),
    ] {
      for level in pyramid.levels {
        #expect(level.aggregates[0].count == level.count)
        #expect(level.aggregates[0].reduce(0) { $0 + ($1.number ?? 0) } == total)
      }
    }
  }
}
