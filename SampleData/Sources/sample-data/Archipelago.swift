import Foundation

/// Islands in the middle of the Atlantic that are on no other map: with fields, rivers, towns, and
/// sea routes whose names are written in seven scripts.
struct Archipelago {
  private struct Island {
    var longitude: Double
    var latitude: Double
    /// The mean radius, in degrees of latitude.
    var radius: Double
    /// The waves of its coast: amplitude and phase of the first harmonics.
    var waves: [(amplitude: Double, phase: Double)]

    /// Returns the place at a share of the way from the middle to the coast.
    func place(_ angle: Double, _ share: Double = 1) -> (Double, Double) {
      let swell = waves.enumerated().reduce(1.0) { sum, wave in
        sum + wave.element.amplitude * cos(Double(wave.offset + 1) * angle + wave.element.phase)
      }
      let reach = radius * swell * share
      return (longitude + reach * cos(angle) * 1.45, latitude + reach * sin(angle))
    }
  }

  /// Countries of several islands each: name, people, and longitude, latitude and radius of islands.
  private static let countries: [(name: String, people: Int, islands: [(Double, Double, Double)])] =
    [
      ("Astervale", 412_000, [(-30.2, 47.1, 0.62), (-31.6, 46.5, 0.22), (-29.0, 47.9, 0.17)]),
      ("Brinmoor", 158_000, [(-27.4, 47.6, 0.46), (-26.3, 48.1, 0.2)]),
      ("Callis", 890_000, [(-25.1, 46.4, 0.55), (-24.2, 47.3, 0.24), (-26.2, 45.9, 0.15)]),
      ("Dunreth", 61_000, [(-28.3, 45.9, 0.36), (-27.4, 45.4, 0.18), (-28.2, 46.7, 0.12)]),
      ("Esterholm", 237_000, [(-31.0, 45.2, 0.42), (-29.7, 44.8, 0.26)]),
    ]

  private static let kinds = ["forest", "farmland", "marsh"]

  /// GeoJSON features, one text each.
  private(set) var islands: [String] = []
  private(set) var fields: [String] = []
  private(set) var rivers: [String] = []
  private(set) var routes: [String] = []

  /// CSV with a header.
  private(set) var towns = "lng,lat,name,people,kind\n"

  private var random = RandomNumbers(seed: 1_834)

  init() {
    var ports: [(Double, Double)] = []
    for country in Self.countries {
      let land = country.islands.map { island($0.0, $0.1, $0.2) }
      islands.append(
        Self.feature(
          "\"name\":\"\(country.name)\",\"people\":\(country.people)", "MultiPolygon",
          "[" + land.map { "[\(Self.ring(coast(of: $0)))]" }.joined(separator: ",") + "]"))
      for island in land where island.radius > 0.3 {
        addFields(on: island)
        addRivers(on: island)
      }
      for island in land { ports.append(addTowns(on: island)) }
    }
    addRoutes(ports)
  }

  /// A feature collection with a feature a line.
  static func collection(_ features: [String]) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]}\n"
  }

  // MARK: Land

  private mutating func island(_ longitude: Double, _ latitude: Double, _ radius: Double) -> Island
  {
    let waves = (1...9).map { number in
      (amplitude: 0.22 * random.unit() / Double(number).squareRoot(), phase: random.unit() * 6.283)
    }
    return Island(longitude: longitude, latitude: latitude, radius: radius, waves: waves)
  }

  private func coast(of island: Island) -> [(Double, Double)] {
    let corners = island.radius > 0.3 ? 120 : 48
    return (0..<corners).map { island.place(Double($0) / Double(corners) * 2 * .pi) }
  }

  /// Sectors of an island between a small lake in its middle and a strip along its coast.
  private mutating func addFields(on island: Island) {
    let count = 6 + random.below(3)
    for number in 0..<count {
      let from = Double(number) / Double(count) * 2 * .pi
      let width = 2 * .pi / Double(count)
      let reach = 0.72 + 0.2 * random.unit()
      let angles = (0...12).map { from + width * Double($0) / 12 }
      let ring =
        angles.map { island.place($0, reach) } + angles.reversed().map { island.place($0, 0.16) }
      fields.append(
        Self.feature(
          "\"kind\":\"\(Self.kinds[(number + fields.count / 5) % 3])\",\"yield\":\(2 + random.below(9))",
          "Polygon", "[\(Self.ring(ring))]"))
    }
  }

  /// Rivers from near the middle to the coast, each in pieces that carry more water downstream.
  private mutating func addRivers(on island: Island) {
    for _ in 0..<4 {
      var angle = random.unit() * 6.283
      let bend = (random.unit() - 0.5) * 1.6
      let points = (0...24).map { step -> (Double, Double) in
        angle += bend / 24 + (random.unit() - 0.5) * 0.09
        return island.place(angle, 0.18 + 0.82 * Double(step) / 24)
      }
      for piece in 0..<4 {
        rivers.append(
          Self.feature(
            "\"flow\":\((piece + 1) * (piece + 1) * (2 + random.below(3)))", "LineString",
            Self.positions(Array(points[(piece * 6)...(piece * 6 + 6)]))))
      }
    }
  }

  // MARK: Towns and routes

  private static let syllables = [
    "Al", "Bar", "Cor", "Den", "Ey", "Fal", "Gar", "Hol", "Ing", "Kel", "Lor", "Mar", "Nor", "Ost",
  ]
  private static let endings = ["by", "ton", "vik", "mere", "haven", "stead", "wick", "fell"]

  /// - Returns: the port of the island.
  private mutating func addTowns(on island: Island) -> (Double, Double) {
    let count = 3 + Int(island.radius * 26)
    var port = (island.longitude, island.latitude)
    for number in 0..<count {
      let place = island.place(
        random.unit() * 6.283, number % 3 == 0 ? 0.97 : 0.3 + 0.55 * random.unit())
      if number == 0 { port = place }
      let kind = number % 3 == 0 ? "harbour" : number % 3 == 1 ? "inn" : "peak"
      let people = number == 0 ? 20_000 + random.below(90_000) : 300 + random.below(9_000)
      let name = random.pick(Self.syllables) + random.pick(Self.endings)
      towns += "\(Self.fixed(place.0)),\(Self.fixed(place.1)),\(name),\(people),\(kind)\n"
    }
    return port
  }

  private static let names = [
    "Northern Passage", "Северный морской путь", "Θαλάσσιος δρόμος", "طريق البحر الكبير",
    "נתיב הים הגדול",
    "ზღვის დიდი გზა", "Ծովային մեծ ուղի", "Route des Açores",
  ]

  /// Curved routes over the open sea.
  private mutating func addRoutes(_ ports: [(Double, Double)]) {
    for (number, name) in Self.names.enumerated() {
      let (west, east) = (-32.6, -23.4)
      let base = 44.25 + 0.56 * Double(number)
      let phase = Double(number) * 0.8
      let points = (0...40).map { step -> (Double, Double) in
        let share = Double(step) / 40
        return (west + (east - west) * share, base + 0.22 * sin(share * 7 + phase))
      }
      routes.append(
        Self.feature(
          "\"name\":\"\(name)\",\"trips\":\(1 + number * 3 % 7)", "LineString",
          Self.positions(points)))
    }
  }

  // MARK: Text

  private static func feature(_ properties: String, _ type: String, _ coordinates: String) -> String
  {
    "{\"type\":\"Feature\",\"properties\":{\(properties)},"
      + "\"geometry\":{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}}"
  }

  private static func positions(_ places: [(Double, Double)]) -> String {
    "[\(places.map { "[\(fixed($0.0)),\(fixed($0.1))]" }.joined(separator: ","))]"
  }

  /// A ring that ends where it begins.
  private static func ring(_ places: [(Double, Double)]) -> String {
    positions(places + places.prefix(1))
  }

  private static func fixed(_ degrees: Double) -> String { String(format: "%.4f", degrees) }
}
