import Foundation

/// Islands in the middle of the Atlantic that are on no other map: with fields, rivers, towns, and
/// sea routes whose names are written in seven scripts.
struct Archipelago {
  /// Countries of several islands each: name, people, and longitude, latitude and radius of islands.
  private static let countries: [(name: String, people: Int, islands: [(Double, Double, Double)])] =
    [
      ("Astervale", 412_000, [(-30.2, 47.1, 0.62), (-32.05, 46.65, 0.22), (-29.0, 47.9, 0.17)]),
      ("Brinmoor", 158_000, [(-27.4, 47.6, 0.46), (-26.3, 48.1, 0.2)]),
      ("Callis", 890_000, [(-25.1, 46.4, 0.55), (-24.2, 47.3, 0.24), (-26.2, 45.9, 0.15)]),
      ("Dunreth", 61_000, [(-28.3, 45.9, 0.36), (-27.4, 45.4, 0.18), (-28.2, 46.7, 0.12)]),
      ("Esterholm", 237_000, [(-31.0, 45.2, 0.42), (-29.7, 44.8, 0.26)]),
    ]

  /// The islands themselves, which ``islands`` describe by country.
  private(set) var land: [Island] = []

  /// Their heights, with valleys.
  private(set) var terrain = Terrain(of: [])

  /// GeoJSON features, one text each.
  private(set) var islands: [String] = []
  private(set) var fields: [String] = []
  private(set) var rivers: [String] = []
  private(set) var routes: [String] = []

  /// CSV with a header.
  private(set) var towns = "lng,lat,name,people,kind\n"

  private var random = RandomNumbers(seed: 1_834)
  private var names: Set<String> = []

  init() {
    for country in Self.countries { addLand(of: country.name, country.people, country.islands) }
    terrain = Terrain(of: land)
    addRivers()
    for island in land {
      if island.radius > 0.3 { addFields(on: island) }
      addTowns(on: island)
    }
    addRoutes()
  }

  private mutating func addLand(
    of country: String, _ people: Int, _ islands: [(Double, Double, Double)]
  ) {
    let parts = islands.map {
      Island(longitude: $0.0, latitude: $0.1, radius: $0.2, random: &random)
    }
    land += parts
    self.islands.append(
      GeoJSON.feature(
        "\"name\":\"\(country)\",\"people\":\(people)", "MultiPolygon",
        "[" + parts.map { "[\(GeoJSON.ring($0.coast))]" }.joined(separator: ",") + "]"))
  }

  private mutating func addFields(on island: Island) {
    for field in IslandFields(of: island, on: terrain, random: &random).fields {
      fields.append(
        GeoJSON.feature(
          "\"kind\":\"\(field.kind)\",\"yield\":\(field.yield)", "Polygon",
          "[\(GeoJSON.ring(field.ring))]"))
    }
  }

  private mutating func addRivers() {
    let drainage = Drainage(of: terrain)
    rivers = drainage.reaches().map { reach in
      GeoJSON.feature("\"flow\":\(reach.flow)", "LineString", GeoJSON.positions(reach.line))
    }
    terrain.carve(along: drainage)
  }

  // MARK: Towns and routes

  private static let syllables = [
    "Al", "Bar", "Cor", "Den", "Ey", "Fal", "Gar", "Hol", "Ing", "Kel", "Lor", "Mar", "Nor", "Ost",
    "Pen", "Ros", "Sel", "Thor", "Ul", "Wen",
  ]
  private static let endings = [
    "harbour": ["haven", "vik", "mouth", "port", "ness"],
    "inn": ["by", "ton", "stead", "wick", "ford", "mere"],
    "peak": ["fell", "horn", "crag", "tor"],
  ]
  private static let kinds = ["harbour", "inn", "peak"]

  /// Harbours on the coast, inns inland and peaks near the middle, none near another.
  private mutating func addTowns(on island: Island) {
    var places: [(Double, Double)] = []
    for number in 0..<(3 + Int(island.radius * 26)) {
      let kind = Self.kinds[number % 3]
      var place: (Double, Double)
      var tries = 0
      repeat {
        let share =
          switch kind {
          case "harbour": 0.985
          case "inn": 0.4 + 0.42 * random.unit()
          default: 0.1 + 0.4 * random.unit()
          }
        place = island.place(random.unit() * 2 * .pi, share)
        tries += 1
      } while tries < 200 && places.contains { Self.isNear($0, place) }
      guard tries < 200 else { continue }
      places.append(place)
      let people = number == 0 ? 20_000 + random.below(90_000) : 300 + random.below(9_000)
      towns += "\(GeoJSON.fixed(place.0)),\(GeoJSON.fixed(place.1)),\(name(of: kind)),"
      towns += "\(people),\(kind)\n"
    }
  }

  /// Whether two towns are less than 18 km apart from west to east and 14 km from north to south,
  /// which their names need.
  private static func isNear(_ one: (Double, Double), _ other: (Double, Double)) -> Bool {
    abs(one.0 - other.0) < 0.24 && abs(one.1 - other.1) < 0.13
  }

  /// A name that no other town has.
  private mutating func name(of kind: String) -> String {
    var name: String
    repeat {
      name = random.pick(Self.syllables) + random.pick(Self.endings[kind] ?? [])
    } while !names.insert(name).inserted
    return name
  }

  /// Names, and the turns of routes between the islands.
  private static let lanes = [
    (
      "Northern Passage",
      "-33.34,48.22 -30.67,48.35 -28.00,48.44 -26.15,48.52 -24.71,48.47 -22.66,48.26"
    ),
    (
      "Северный морской путь",
      "-29.59,46.65 -28.82,46.34 -27.79,46.30 -26.77,46.53 -25.94,47.04 -25.23,47.45 -24.51,47.46"
    ),
    (
      "Θαλάσσιος δρόμος",
      "-33.44,47.11 -32.62,47.43 -31.70,47.88 -30.67,48.05 -29.64,48.02 -29.23,47.95"
    ),
    (
      "طريق البحر الكبير",
      "-33.44,44.27 -31.70,44.18 -29.23,44.21 -27.59,44.51 -25.94,44.84 -24.51,44.98 -22.56,44.84"
    ),
    ("נתיב הים הגדול", "-27.07,45.34 -26.05,45.35 -25.02,45.39 -23.99,45.52 -22.56,45.97"),
    ("ზღვის დიდი გზა", "-27.38,44.11 -26.15,44.31 -24.71,44.43 -23.48,44.40 -22.56,44.23"),
    ("Ծովային մեծ ուղի", "-25.89,47.95 -25.23,47.99 -24.51,48.05 -23.89,48.05 -23.12,47.95"),
    (
      "Route des Açores",
      "-33.26,46.61 -33.11,46.01 -32.81,45.46 -32.31,44.94 -31.61,44.54 -30.93,44.28"
    ),
  ]

  private mutating func addRoutes() {
    for (number, lane) in Self.lanes.enumerated() {
      routes.append(
        GeoJSON.feature(
          "\"name\":\"\(lane.0)\",\"trips\":\(1 + number * 3 % 7)", "LineString",
          GeoJSON.positions(Coast.smooth(Coast.positions(lane.1)))))
    }
  }
}
