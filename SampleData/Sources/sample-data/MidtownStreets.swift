/// The streets of a part of Midtown by their middles, with names as on their signs, and its parks.
enum MidtownStreets {
  private static let streets = 25...46
  private static let ends = -3_000.0...3_300.0

  /// A feature collection: lines with `name` and `width` in feet, and polygons with `kind: park`.
  static func collection() -> String {
    GeoJSON.collection(parks() + avenues() + crossStreets() + broadway())
  }

  private static func parks() -> [String] {
    Manhattan.parks.filter { $0.name == "Bryant Park" || $0.name == "Madison Square" }.map { park in
      let (south, north) = (
        Manhattan.middles[park.streets.lowerBound] + 30,
        Manhattan.middles[park.streets.upperBound] - 50
      )
      let (west, east) = (park.x.lowerBound + 50, park.x.upperBound - 50)
      let ring = [(west, south), (east, south), (east, north), (west, north)].map {
        place($0.0, $0.1)
      }
      return GeoJSON.feature(
        "\"kind\":\"park\",\"name\":\"\(park.name)\"", "Polygon",
        "[\(exact(ring + ring.prefix(1)))]")
    }
  }

  private static func avenues() -> [String] {
    Manhattan.avenues.compactMap { avenue in
      guard ends.contains(avenue.x), avenue.streets.contains(34) else { return nil }
      let line = [streets.lowerBound, streets.upperBound].map {
        place(avenue.x, Manhattan.middles[$0])
      }
      return street(avenue.name, width: avenue.width, line)
    }
  }

  private static func crossStreets() -> [String] {
    streets.flatMap { number in
      let y = Manhattan.middles[number]
      let width = Manhattan.width(ofStreet: number)
      return [("West", ends.lowerBound, 0), ("East", 0, ends.upperBound)].map { side, west, east in
        street("\(side) \(number) Street", width: width, [place(west, y), place(east, y)])
      }
    }
  }

  private static func broadway() -> [String] {
    [street("Broadway", width: 80, Manhattan.broadway)]
  }

  private static func street(
    _ name: String, width: Double, _ line: [(longitude: Double, latitude: Double)]
  ) -> String {
    GeoJSON.feature("\"name\":\"\(name)\",\"width\":\(Int(width))", "LineString", exact(line))
  }

  private static func place(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double) {
    let place = Manhattan.plane.place(PlanePoint(x: feet(x), y: feet(y)))
    return (Double(place.longitude) / 10_000_000, Double(place.latitude) / 10_000_000)
  }

  private static func exact(_ line: [(longitude: Double, latitude: Double)]) -> String {
    GeoJSON.positions(line, decimals: 6)
  }
}
