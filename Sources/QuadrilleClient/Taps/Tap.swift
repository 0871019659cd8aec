public import Foundation

/// A feature or a cluster that is shown at a place.
public struct Tap: Hashable, Sendable {
  /// The feature's key, by which ``MapArchive/tap(forKey:)`` finds it again.
  public let key: String

  /// The entry as the archive has it: JSON; empty if the archive has none.
  public let json: Data

  /// The members of the entry: the fields that the pipeline chose, and those of docs/taps.md.
  public let fields: [String: JSONValue]

  /// Creates a tap from its entry.
  ///
  /// - Parameter key: the key; `nil` for the `id` of the entry.
  init(key: String? = nil, entry: [UInt8]) {
    json = Data(entry)
    fields = (try? JSONDecoder().decode([String: JSONValue].self, from: json)) ?? [:]
    self.key = key ?? fields["id"]?.string ?? ""
  }

  /// The text that the pipeline made for people; `nil` if it made none.
  public var text: String? { fields["text"]?.string }

  /// The cluster; `nil` for a single feature.
  public var cluster: TapCluster? { TapCluster(fields) }
}

/// A cluster of features that was tapped.
public struct TapCluster: Hashable, Sendable {
  /// The number of features.
  public let count: Int

  /// The number as it is shown, such as `1.2k`.
  public let abbreviatedCount: String?

  /// The box around the features.
  public let box: MapBox?

  /// The lowest zoom at which the cluster falls apart.
  public let expansionZoom: Int?

  /// Some of the features, in the order of the file.
  public let members: [JSONValue]

  init?(_ fields: [String: JSONValue]) {
    guard fields["cluster"]?.bool == true, let count = fields["point_count"]?.integer else {
      return nil
    }
    self.count = count
    abbreviatedCount =
      fields["point_count_abbreviated"]?.string
      ?? fields["point_count_abbreviated"]?.integer.map { "\($0)" }
    box = fields["bbox"]?.array.flatMap { MapBox($0.compactMap(\.number)) }
    expansionZoom = fields["expansion_zoom"]?.integer
    members = fields["members"]?.array ?? []
  }

  /// The view that shows what the cluster consists of: the middle of its box at the zoom at which
  /// it falls apart; `nil` for archives of other programs.
  public var expansion: (center: MapCoordinate, zoom: Int)? {
    guard let box, let expansionZoom else { return nil }
    let center = MapCoordinate(
      longitude: (box.west + box.east) / 2, latitude: (box.south + box.north) / 2)
    return (center, expansionZoom)
  }
}
