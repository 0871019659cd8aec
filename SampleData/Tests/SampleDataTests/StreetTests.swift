import Testing

@testable import sample_data

@Suite struct StreetTests {
  @Test(arguments: [
    // Corners of the plan, by what maps say of them; within 200 feet.
    (0.0, 59, -73.9731, 40.7645), (0.0, 14, -73.9940, 40.7353), (-1020.0, 145, -73.9365, 40.8204),
    (2040.0, 125, -73.9355, 40.8034), (-5431.0, 110, -73.9664, 40.8040),
  ])
  func `corners of the plan lie where maps have them`(
    x: Double, street: Int, longitude: Double, latitude: Double
  ) {
    let place = Manhattan.plane.place(
      PlanePoint(x: feet(x), y: feet(Manhattan.middles[street])))
    let east = (Double(place.longitude) / 10_000_000 - longitude) * 276_993
    let north = (Double(place.latitude) / 10_000_000 - latitude) * 364_335
    #expect(abs(east) < 200)
    #expect(abs(north) < 200)
  }

  @Test func `a place and its point are the same to a hundredth of a foot`() {
    for (longitude, latitude) in [(-74.01, 40.70), (-73.98, 40.75), (-73.91, 40.87)] {
      let point = Manhattan.plane.point(longitude: longitude, latitude: latitude)
      let place = Manhattan.plane.place(point)
      #expect(abs(place.longitude - Int((longitude * 10_000_000).rounded())) <= 1)
      #expect(abs(place.latitude - Int((latitude * 10_000_000).rounded())) <= 1)
    }
  }

  @Test(arguments: [
    (Frontage(road: "West 45 Street", numbers: (199, 101), isOdd: true), 0.0, "197 West 45 Street"),
    (
      Frontage(road: "West 45 Street", numbers: (199, 101), isOdd: false), 1.0, "100 West 45 Street"
    ),
    (Frontage(road: "Park Avenue", numbers: (780, 798), isOdd: true), 0.1, "779 Park Avenue"),
    (Frontage(road: "Pike Street", numbers: (0, 0), isOdd: true), 0.5, "1 Pike Street"),
  ])
  func `houses are numbered along a side, odd or even`(
    frontage: Frontage, share: Double, address: String
  ) {
    #expect(frontage.address(at: share) == address)
  }

  @Test(arguments: OldTown.all.map(\.name))
  func `a neighbourhood outside the plan is convex and counterclockwise`(name: String) throws {
    let town = try #require(OldTown.all.first { $0.name == name })
    let corners = town.corners.map {
      Manhattan.plane.point(longitude: $0.longitude, latitude: $0.latitude)
    }
    for index in corners.indices {
      let side = Cut(start: corners[index], end: corners[(index + 1) % corners.count])
      #expect(corners.allSatisfy { side.side($0) >= 0 })
    }
  }
}
