/// What stands on a lot: how high, since when and for what.
struct LotBuilding {
  /// Floors above ground; 0 on a vacant lot.
  var floors: Int
  /// 0 where nothing stands.
  var yearBuilt: Int
  /// The city's codes of two digits: 01–03 homes, 04 mixed, 05 shops and offices, 06 industry,
  /// 08 public, 10 parking, 11 vacant.
  var landUse: String

  /// How dense the city is at a place, 0 ... 1: it peaks in Midtown and at Wall Street.
  static func density(at place: Place) -> Double {
    max(
      peak(place, longitude: -73.9790, latitude: 40.7560, reach: 5_200),
      0.9 * peak(place, longitude: -74.0105, latitude: 40.7065, reach: 3_000))
  }

  /// Falls from 1 to a half at `reach` feet, and then ever faster.
  private static func peak(
    _ place: Place, longitude: Double, latitude: Double, reach: Double
  ) -> Double {
    let east = (Double(place.longitude) / 10_000_000 - longitude) * 276_993
    let north = (Double(place.latitude) / 10_000_000 - latitude) * 364_335
    let square = (east * east + north * north) / (reach * reach)
    return 1 / (1 + square * square)
  }

  /// - Parameters:
  ///   - area: the lot's, in square feet.
  ///   - density: 0 ... 1.
  init(area: Double, density: Double, onAvenue: Bool, _ random: inout RandomNumbers) {
    if random.unit() < 0.015, area < 20_000 {
      (floors, yearBuilt, landUse) = (0, 0, random.unit() < 0.4 ? "10" : "11")
      return
    }
    floors = Self.floors(area: area, density: density, onAvenue: onAvenue, &random)
    yearBuilt =
      switch floors {
      case 35...: random.unit() < 0.3 ? 1925 + random.below(9) : 1958 + random.below(66)
      case 13...: random.unit() < 0.5 ? 1913 + random.below(28) : 1950 + random.below(74)
      default: random.unit() < 0.9 ? 1870 + random.below(62) : 1935 + random.below(88)
      }
    let kind = random.unit()
    landUse =
      switch kind {
      case ..<0.03: "08"
      case ..<(0.05 + 0.6 * density): "05"
      case ..<(0.08 + 0.6 * density): "06"
      case ..<(onAvenue ? 0.8 : 0.3 + 0.5 * density): "04"
      default: floors > 6 ? "03" : floors > 4 ? "02" : "01"
      }
  }

  private static func floors(
    area: Double, density: Double, onAvenue: Bool, _ random: inout RandomNumbers
  ) -> Int {
    let chance = random.unit()
    if area > 9_000, chance < 0.22 * density {
      // Most towers have 30 to 50 floors, few reach 100.
      return 30 + random.below(22) + (random.unit() < 0.25 ? random.below(50) : 0)
    }
    if area > 5_000, chance < 0.04 + 0.55 * density { return 12 + random.below(20) }
    if area > 3_500, chance < (onAvenue ? 0.5 : 0.3) { return 6 + random.below(onAvenue ? 10 : 6) }
    if density > 0.5, chance < 0.6 { return 5 + random.below(12) }
    return random.pick(onAvenue ? [4, 5, 5, 5, 6, 6] : [2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6])
  }
}
