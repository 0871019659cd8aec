import Testing

@testable import sample_data

@Suite struct CoastTests {
  private let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]

  @Test func `positions are pairs of numbers between spaces and line breaks`() {
    let positions = Coast.positions("1,2 -3.5,4\n  5,-6")
    #expect(positions.map(\.0) == [1, -3.5, 5])
    #expect(positions.map(\.1) == [2, 4, -6])
  }

  @Test func `a broken ring keeps its corners and doubles with each level`() {
    var random = RandomNumbers(seed: 1)
    let ring = Coast.broken(square, levels: 3, roughness: 0.1, random: &random)
    #expect(ring.count == 32)
    for (index, corner) in square.enumerated() { #expect(ring[index * 8] == corner) }
    #expect(ring.allSatisfy { (-0.2...1.2).contains($0.0) && (-0.2...1.2).contains($0.1) })
  }

  @Test func `a spline goes through its corners`() {
    let line = Coast.smooth(square, steps: 4)
    #expect(line.count == 13)
    for (index, corner) in square.enumerated() { #expect(line[index * 4] == corner) }
    let ring = Coast.smoothRing(square, steps: 4)
    #expect(ring.count == 16)
    for (index, corner) in square.enumerated() { #expect(ring[index * 4] == corner) }
  }

  @Test func `a place is in a ring or beside it`() {
    #expect(Coast.contains(square, (0.5, 0.5)))
    #expect(!Coast.contains(square, (1.5, 0.5)))
    #expect(!Coast.contains(square, (0.5, -0.5)))
    #expect(!Coast.contains([], (0, 0)))
  }
}
