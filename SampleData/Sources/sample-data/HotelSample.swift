#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Invents hotels where hotels would be: dense downtowns, thinning suburbs, motels along highways,
/// lone inns, and some that share one building.
///
/// Rows are `longitude, latitude, name, country, phone` without a header, degrees with five
/// decimals. Telephone numbers are of the exchange 555, which is kept free for invented ones, and
/// each occurs once, so that it can be a key.
struct HotelSample {
  private var random = RandomNumbers(seed: 87_000)
  private var lastNumber: [Int: Int] = [:]
  private var last: (longitude: Double, latitude: Double)?
  private let cities = UnitedStates.cities
  private let byName: [String: UnitedStates.City]
  private let cumulative: [Double]

  init() {
    byName = Dictionary(cities.map { ($0.name, $0) }) { first, _ in first }
    var sum = 0.0
    cumulative = cities.map { city in
      sum += pow(city.thousands, 0.82) * city.appeal
      return sum
    }
  }

  /// Appends the next rows of the file.
  mutating func append(rows: Int, to text: inout String) {
    text.reserveCapacity(text.utf8.count + rows * 80)
    var written = 0
    while written < rows {
      let kind = random.unit()
      let city: UnitedStates.City
      var place: (longitude: Double, latitude: Double)
      if kind < 0.04, let last {
        // The same building: a second brand under one roof.
        place = last
        city = nearest(to: last)
      } else if kind < 0.70 {
        city = weightedCity()
        place = urban(city)
      } else {
        (place, city) = roadside()
      }
      place = (rounded(place.longitude), rounded(place.latitude))
      guard isOnLand(place) else { continue }
      last = place
      let digits = number(in: city.areaCode)
      text += "\(fixed(place.longitude)), \(fixed(place.latitude)), \(name(in: city)), "
      text += "USA-United States, +1 \(city.areaCode)-555-\(padded(digits))\n"
      written += 1
    }
  }

  // MARK: Places

  private mutating func weightedCity() -> UnitedStates.City {
    let target = random.unit() * (cumulative.last ?? 0)
    let index = cumulative.firstIndex { $0 > target } ?? 0
    return cities[index]
  }

  /// Half of a city's hotels stand downtown, the others thin out to the suburbs.
  private mutating func urban(_ city: UnitedStates.City) -> (Double, Double) {
    let reach = 0.9 + 1.1 * sqrt(city.thousands / 100)
    let kilometres = random.unit() < 0.5 ? 0.35 * reach : 2.6 * reach
    return moved(
      from: (city.longitude, city.latitude), by: random.exponential() * kilometres)
  }

  /// A motel near an exit of a highway, or an inn in the country beside it.
  private mutating func roadside() -> ((Double, Double), UnitedStates.City) {
    let chain = random.pick(UnitedStates.highways)
    let leg = random.below(chain.count - 1)
    guard let from = byName[chain[leg]], let to = byName[chain[leg + 1]] else {
      let city = weightedCity()
      return (urban(city), city)
    }
    // Exits lie some 12 km apart; the road bends a little to either side of the straight line.
    let length = hypot(
      (to.longitude - from.longitude) * 85, (to.latitude - from.latitude) * 111)
    let exits = max(2, Int(length / 12))
    let share = (Double(random.below(exits)) + 0.5) / Double(exits)
    let bend = sin(share * Double.pi * 3) * 0.02 * length / 100
    let onRoad = (
      from.longitude + (to.longitude - from.longitude) * share + bend * 0.4,
      from.latitude + (to.latitude - from.latitude) * share + bend * 0.3
    )
    let isInn = random.unit() < 0.22
    let place = moved(from: onRoad, by: random.exponential() * (isInn ? 22 : 0.8))
    return (place, share < 0.5 ? from : to)
  }

  private mutating func moved(from place: (Double, Double), by kilometres: Double)
    -> (Double, Double)
  {
    let direction = random.direction()
    let east = kilometres * direction.x / (111.32 * cos(place.1 * Double.pi / 180))
    return (place.0 + east, place.1 + kilometres * direction.y / 110.57)
  }

  /// Inside the lower 48's outline, or near a city of Alaska, Hawaii or an island.
  private func isOnLand(_ place: (longitude: Double, latitude: Double)) -> Bool {
    let islands = place.longitude < -130 || place.latitude < 25.1
    if islands || isCape(place) {
      return cities.contains { city in
        abs(city.longitude - place.longitude) < 0.06 && abs(city.latitude - place.latitude) < 0.05
      }
    }
    var inside = false
    var previous = UnitedStates.outline[UnitedStates.outline.count - 1]
    for corner in UnitedStates.outline {
      if (corner.1 > place.latitude) != (previous.1 > place.latitude) {
        let crossing =
          (previous.0 - corner.0) * (place.latitude - corner.1) / (previous.1 - corner.1)
          + corner.0
        if place.longitude < crossing { inside.toggle() }
      }
      previous = corner
    }
    return inside
  }

  /// Cape Cod's arm, which the coarse outline cuts short.
  private func isCape(_ place: (longitude: Double, latitude: Double)) -> Bool {
    place.longitude > -70.55 && place.latitude > 41.5 && place.latitude < 42.1
  }

  private func nearest(to place: (longitude: Double, latitude: Double)) -> UnitedStates.City {
    var best = cities[0]
    var distance = Double.infinity
    for city in cities {
      let own =
        abs(city.longitude - place.longitude) + abs(city.latitude - place.latitude)
      if own < distance {
        best = city
        distance = own
      }
    }
    return best
  }

  // MARK: Texts

  private static let first = [
    "Amber", "Birch", "Blue Heron", "Cedar", "Copper", "Coral", "Cottonwood", "Desert", "Eagle",
    "Elm", "Falcon", "Garden", "Golden", "Grand", "Harbor", "Hilltop", "Ivy", "Juniper", "Lakeside",
    "Lantern", "Magnolia", "Maple", "Meadow", "Mesa", "Mission", "Oak", "Orchard", "Palm",
    "Pioneer", "Prairie", "Redwood", "Ridge", "River", "Rose", "Sage", "Silver", "Starlight",
    "Summit", "Sunset", "Valley", "Willow", "Yucca",
  ]
  private static let second = [
    "Court Motel", "Grove Inn", "Gate Hotel", "House", "Inn", "Inn & Suites", "Lodge", "Motel",
    "Motor Lodge", "Park Hotel", "Plaza Hotel", "Point Inn", "Rest Motel", "Suites",
    "Tourist Court",
    "Tower Hotel", "Trail Inn", "View Motel",
  ]

  private mutating func name(in city: UnitedStates.City) -> String {
    let base = "\(random.pick(Self.first)) \(random.pick(Self.second))"
    return random.unit() < 0.3 ? "\(base) \(city.name)" : base
  }

  /// The next free number of an area code's exchange 555; the 10,001st has five digits.
  private mutating func number(in areaCode: Int) -> Int {
    let number = lastNumber[areaCode, default: -1] + 1
    lastNumber[areaCode] = number
    return number
  }

  private func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Degrees with five decimals, 1.1 m.
  private func rounded(_ degrees: Double) -> Double { (degrees * 100_000).rounded() / 100_000 }

  private func fixed(_ degrees: Double) -> String {
    let units = Int((degrees * 100_000).rounded())
    let fraction = String(abs(units) % 100_000)
    let padding = String(repeating: "0", count: 5 - fraction.count)
    return "\(units < 0 ? "-" : "")\(abs(units) / 100_000).\(padding)\(fraction)"
  }
}
