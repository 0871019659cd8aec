import Clustering
import Columns
import TestSupport
import Tiling

/// Points made for the tests.
enum SamplePoints: String, CaseIterable, Sendable {
  case none, one, world, city, coincident, antimeridian, gridded

  func places() -> [LngLat] {
    var random = SplitMix64(seed: 5)
    func place(_ center: LngLat, _ spread: Double) -> LngLat {
      LngLat(
        longitude: center.longitude + .random(in: -spread...spread, using: &random),
        latitude: center.latitude + .random(in: -spread...spread, using: &random))
    }
    switch self {
    case .none: return []
    case .one: return [LngLat(longitude: -80.26262, latitude: 25.81015)]
    case .world:
      return (0..<400).map { _ in
        LngLat(
          longitude: .random(in: -180..<180, using: &random),
          latitude: .random(in: -85...85, using: &random))
      }
    case .city:
      let center = LngLat(longitude: 13.4, latitude: 52.5)
      return (0..<300).map { place(center, [0.001, 0.02, 0.3][$0 % 3]) }
    case .coincident:
      let two = [
        LngLat(longitude: 2.35, latitude: 48.85), LngLat(longitude: 2.350001, latitude: 48.85),
      ]
      return (0..<120).map { two[$0 % 2] }
    case .antimeridian:
      return (0..<200).map { _ in
        let longitude = Double.random(in: 179.5..<180.5, using: &random)
        return LngLat(longitude: longitude < 180 ? longitude : longitude - 360, latitude: -17)
      }
    case .gridded:
      return (0..<324).map {
        LngLat(longitude: Double($0 % 18) * 20 - 180, latitude: Double($0 / 18) * 9 - 80)
      }
    }
  }
}

extension ClusterInput {
  /// Points without aggregates, in the order given.
  init(_ places: [LngLat], aggregates: [AggregateColumn] = [], featureCount: Int? = nil) {
    self.init(
      longitudes: Column(places.map(\.longitude)),
      latitudes: Column(places.map(\.latitude)),
      positions: Column(places.compactMap { WorldPoint($0) }), aggregates: aggregates,
      featureCount: featureCount)
  }
}
