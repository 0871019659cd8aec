import MBTiles
import Testing

/// The side of the antimeridian on which a map opens.
struct OccupiedLongitudesTests {
  @Test(
    "data together across the antimeridian begin in its west; others have no such beginning",
    arguments: [
      ([178, -179], 178), ([150, 170, -160, -140], 150), ([-170, 170, 0], nil), ([10, 20], nil),
      ([-120, 5, 140], nil), ([-170], nil), ([170], nil), ([], nil), ([19, 60, 169, -170], 19),
      ([190, 175], 175),
    ] as [([Double], Double?)])
  func start(longitudes: [Double], west: Double?) {
    var occupied = OccupiedLongitudes()
    for longitude in longitudes {
      let share = longitude / 360 + 0.5
      occupied.insert(share...share)
    }
    #expect((occupied.start == nil) == (west == nil), "\(longitudes)")
    if let start = occupied.start, let west { #expect(abs(start * 360 - 180 - west) < 0.4) }
  }

  @Test("areas occupy what they cover, across the antimeridian, too")
  func ranges() {
    var occupied = OccupiedLongitudes()
    occupied.insert(0.97...1.02)
    #expect(occupied.start.map { abs($0 - 0.97) < 0.001 } == true)
    occupied.insert(0.3...0.6)
    #expect(occupied.start == nil)
    var world = OccupiedLongitudes()
    world.insert(-0.1...1.1)
    #expect(world.start == nil)
  }
}
