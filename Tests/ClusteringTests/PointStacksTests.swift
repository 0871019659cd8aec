import Clustering
import Columns
import TestSupport
import Testing
import Tiling

@Suite struct PointStacksTests {
  /// The width of a pixel at zoom 14.
  private static let pixel = 0x1p32 / Double(256 << 14)

  private func stacks(
    _ points: [WorldPoint], _ form: StackForm.Name, distance: Double = 12, names: [Int]? = nil
  ) -> PointStacks {
    let names = names ?? Array(points.indices)
    return PointStacks(
      Column(points), distance: distance, pixel: Self.pixel, form: StackForm(form, spacing: 20),
      isAlone: { _ in true }, precedes: { names[Int($0)] < names[Int($1)] })
  }

  private static func distance(_ one: WorldPoint, _ other: WorldPoint) -> Double {
    let dx = Double(Int32(bitPattern: one.x &- other.x)) / pixel
    let dy = (Double(one.y) - Double(other.y)) / pixel
    return (dx * dx + dy * dy).squareRoot()
  }

  @Test(
    "the points of a stack stand a spacing apart around its middle",
    arguments: StackForm.Name.allCases, [2, 3, 8, 300])
  func spacing(form: StackForm.Name, count: Int) {
    let spot = WorldPoint(x: 1 << 30, y: 1 << 31)
    let stacks = stacks(Array(repeating: spot, count: count), form)
    #expect(stacks.count == 1 && stacks.middles.count == count)
    #expect(stacks.middles.values.allSatisfy { $0 == spot })
    let places = Array(stacks.positions)
    for first in places.indices {
      for second in 0..<first {
        #expect(Self.distance(places[first], places[second]) > 19.99)
      }
    }
    let east = places.map { Double($0.x) - Double(spot.x) }.reduce(0, +) / Double(count)
    #expect(abs(east) / Self.pixel < 20)
  }

  @Test("points that are farther apart, or in a cluster, stay where they are")
  func alone() {
    let points = [0, 11, 100, 113, 113].map { WorldPoint(x: UInt32($0 * Self.pixel), y: 1 << 20) }
    let stacks = PointStacks(
      Column(points), distance: 12, pixel: Self.pixel, form: StackForm(.ring, spacing: 20),
      isAlone: { $0 != 4 }, precedes: { $0 < $1 })
    #expect(stacks.middles.keys.sorted() == [0, 1])
    #expect(Array(stacks.positions)[2...] == points[2...])
  }

  @Test("stacks do not depend on the order of the points", arguments: StackForm.Name.allCases)
  func order(form: StackForm.Name) {
    var random = SplitMix64(seed: 9)
    let points = (0..<400).map { _ in
      WorldPoint(
        x: UInt32(random.below(60)) &* UInt32(4 * Self.pixel) &- 1 << 16,
        y: 1 << 28 + UInt32(random.below(60)) * UInt32(4 * Self.pixel))
    }
    let first = stacks(points, form)
    let order = points.indices.shuffled(using: &random)
    let second = stacks(order.map { points[$0] }, form, names: order)
    for (place, row) in order.enumerated() {
      #expect(second.positions[place] == first.positions[row])
      #expect(second.middles[UInt32(place)] == first.middles[UInt32(row)])
    }
    #expect(first.count > 10 && first.count == second.count)
  }

  @Test("a stack lies across the antimeridian")
  func antimeridian() throws {
    let west = WorldPoint(x: .max - UInt32(2 * Self.pixel), y: 1 << 31)
    let stacks = stacks([west, WorldPoint(x: UInt32(4 * Self.pixel), y: 1 << 31)], .ring)
    let middle = try #require(stacks.middles[0])
    #expect(Self.distance(middle, west) < 3.5 && middle == stacks.middles[1])
  }
}
