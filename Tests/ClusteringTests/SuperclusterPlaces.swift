import Clustering
import Columns
import Foundation
import TestSupport
import Tiling

/// The fixtures of supercluster's own tests, from the shared data.
struct SuperclusterPlaces {
  /// The 162 features that have a geometry.
  let places: [LngLat]

  /// The `scalerank` of each place.
  let ranks: [Double]

  /// All features, the one without geometry included.
  let featureCount: Int

  /// The folder of the fixtures; `nil` where it is absent.
  static let folder: URL? = {
    let points = SharedData.folder?.appendingPathComponent("points")
    let file = points?.appendingPathComponent("supercluster_places.json").path
    return file.map(FileManager.default.fileExists(atPath:)) == true ? points : nil
  }()

  init() throws {
    let file = Self.folder?.appendingPathComponent("supercluster_places.json")
    let json = try JSONSerialization.jsonObject(
      with: Data(contentsOf: file ?? URL(fileURLWithPath: "/")))
    let features = (json as? [String: Any])?["features"] as? [[String: Any]] ?? []
    featureCount = features.count
    var places: [LngLat] = []
    var ranks: [Double] = []
    for feature in features {
      guard let geometry = feature["geometry"] as? [String: Any],
        let coordinates = geometry["coordinates"] as? [Double]
      else { continue }
      places.append(LngLat(longitude: coordinates[0], latitude: coordinates[1]))
      let properties = feature["properties"] as? [String: Any]
      ranks.append((properties?["scalerank"] as? NSNumber)?.doubleValue ?? .nan)
    }
    self.places = places
    self.ranks = ranks
  }

  /// supercluster keeps the number of the feature as the id of a place; ours numbers the points.
  func input() -> ClusterInput {
    ClusterInput(
      places,
      aggregates: [
        AggregateColumn(
          name: "sum", values: Column(ranks.map { .number($0) }), operation: .sum)
      ],
      featureCount: featureCount)
  }

  /// One feature of an expected tile; `count` and `id` are `nil` of a lone place.
  struct TileFeature: Hashable, CustomStringConvertible {
    let x: Int
    let y: Int
    let count: Int?
    let id: Int?

    var description: String { "(\(x), \(y)) count \(count ?? 1) id \(id ?? -1)" }
  }

  static func expected(_ name: String) throws -> [TileFeature] {
    let file = folder?.appendingPathComponent("supercluster_expected/\(name)")
    let json = try JSONSerialization.jsonObject(
      with: Data(contentsOf: file ?? URL(fileURLWithPath: "/")))
    let features = (json as? [String: Any])?["features"] as? [[String: Any]] ?? []
    return features.compactMap { feature in
      guard let geometry = feature["geometry"] as? [[NSNumber]],
        let tags = feature["tags"] as? [String: Any]
      else { return nil }
      let isCluster = tags["cluster"] != nil
      return TileFeature(
        x: geometry[0][0].intValue, y: geometry[0][1].intValue,
        count: (tags["point_count"] as? NSNumber)?.intValue,
        id: isCluster ? (feature["id"] as? NSNumber)?.intValue : nil)
    }
  }

  /// The items of a level as supercluster's `getTile` lists them for a tile of 512 units whose
  /// buffer is the radius: first those of the world, then those over its west, then its east edge.
  static func tile(z: Int, x: Int, y: Int, of level: ClusterLevel, radius: Double = 40) -> [(
    item: Int, feature: TileFeature
  )] {
    let extent = 512.0
    let tiles = Double(1 << z)
    let pad = radius / extent
    func list(_ columns: ClosedRange<Double>, shownAt column: Double) -> [(Int, TileFeature)] {
      (0..<level.count).compactMap { item in
        let position = unitSquare(level.longitudes[item], level.latitudes[item])
        let rows = (Double(y) - pad) / tiles...(Double(y) + 1 + pad) / tiles
        guard columns.contains(position.x), rows.contains(position.y) else { return nil }
        let isCluster = level.isCluster(item)
        return (
          item,
          TileFeature(
            x: Int((extent * (position.x * tiles - column) + 0.5).rounded(.down)),
            y: Int((extent * (position.y * tiles - Double(y)) + 0.5).rounded(.down)),
            count: isCluster ? Int(level.counts[item]) : nil,
            id: isCluster ? Int(level.ids[item]) : nil)
        )
      }
    }
    let left = Double(x)
    var features = list((left - pad) / tiles...(left + 1 + pad) / tiles, shownAt: left)
    if x == 0 { features += list(1 - pad / tiles...1, shownAt: tiles) }
    if left == tiles - 1 { features += list(0...pad / tiles, shownAt: -1) }
    return features.map { (item: $0.0, feature: $0.1) }
  }

  private static func unitSquare(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double)
  {
    let sine = sin(latitude * .pi / 180)
    return (longitude / 360 + 0.5, 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi)
  }
}
