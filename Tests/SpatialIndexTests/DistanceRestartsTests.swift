import Testing

@testable import SpatialIndex

@Suite struct DistanceRestartsTests {
  /// Tiles of 512 px, whose buffer is 8 px.
  private let restarts = DistanceRestarts(side: 512 * 256, originX: 0, originY: 0)

  @Test(
    arguments: [
      // Across each side, from a corner, and along 3 : 4 : 5.
      (x: 512, y: 100, dx: 5, dy: 0, expected: 8.0), (512, 100, -5, 0, 8), (100, 512, 0, 9, 8),
      (100, 1024, 0, -9, 8), (512, 100, 4, 3, 10), (512, 100, -4, 3, 10),
      // So flat that it leaves by the side above: 16 px lower, with a buffer of 8.
      (512, 16, 1, 24, 24.02),
    ])
  func `distances in a tile begin at the edge of its buffer`(
    place: (x: Int, y: Int, dx: Int, dy: Int, expected: Double)
  ) throws {
    let vertex = ZoomVertex(x: place.x * 256, y: place.y * 256)
    let next = ZoomVertex(x: vertex.x + place.dx * 256, y: vertex.y + place.dy * 256)
    let found = try #require(restarts.distance(at: vertex, toward: next))
    #expect(abs(Double(found) / 256 - place.expected) < 0.01)
  }

  @Test func `distances go on between borders, in steps of an eighth of a pixel`() {
    let vertex = ZoomVertex(x: 300 * 256, y: 7 * 256)
    #expect(restarts.distance(at: vertex, toward: ZoomVertex(x: 0, y: 0)) == nil)
    #expect(restarts.rounded(100 * 256 + 31) == 100 * 256)
    #expect(restarts.rounded(100 * 256 + 32) == 100 * 256 + 32)
  }
}
