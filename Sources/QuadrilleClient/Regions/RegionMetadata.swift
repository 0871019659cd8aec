import Foundation

/// The metadata of a region: those of its archive without what describes a whole build, as
/// `quadrille extract` keeps them.
struct RegionMetadata {
  private let source: [(name: String, value: String)]
  let region: Region

  /// The key under which an archive records where it was taken from.
  private static let originKey = "quadrille:extract"

  /// A region and the state of the archive that it was taken from.
  struct Region: Codable, Hashable, Sendable {
    var name: String?
    var digest: String
    var taps: String?
    var box: [Double]
    var minzoom: Int
    var maxzoom: Int

    var state: ArchiveState { ArchiveState(digest: digest, taps: taps) }

    /// Reads the region of an archive; `nil` for one that is none.
    init?(_ info: ArchiveInfo) {
      guard let text = info.metadata[originKey],
        let region = try? JSONDecoder().decode(Region.self, from: Data(text.utf8)),
        region.box.count == 4, (0...TileAddress.maxZoom).contains(region.minzoom),
        (region.minzoom...TileAddress.maxZoom).contains(region.maxzoom)
      else { return nil }
      self = region
    }

    init(_ box: MapBox, _ zooms: ClosedRange<Int>, of state: ArchiveState) {
      self.box = [box.west, box.south, box.east, box.north]
      let zooms = zooms.clamped(to: 0...TileAddress.maxZoom)
      (minzoom, maxzoom) = (zooms.lowerBound, zooms.upperBound)
      (digest, taps) = (state.digest, state.taps)
    }

    var mapBox: MapBox? { MapBox(box) }
  }

  init(_ source: [(name: String, value: String)], _ region: Region) {
    self.source = source
    var region = region
    region.name = source.first { $0.name == "name" }?.value
    self.region = region
  }

  private subscript(name: String) -> String? { source.first { $0.name == name }?.value }

  /// Names that are written anew, or that a part of an archive does not have.
  private static let own: Set = [
    "bounds", "center", "minzoom", "maxzoom", "agg_tiles_hash", "scheme",
  ]

  /// Returns all rows.
  ///
  /// - Parameter extents: the columns and rows of the tiles of each zoom.
  func rows(
    _ state: ArchiveState, _ extents: [RegionTiles.Span]
  ) -> [(name: String, value: String)] {
    let box = bounds(extents)
    let zooms = (extents.first?.zoom ?? 0)...(extents.last?.zoom ?? 0)
    var rows = source.filter { !Self.own.contains($0.name) && !$0.name.hasPrefix("quadrille:") }
    rows += [
      (
        "bounds",
        [box.west, box.south, box.east, box.north].map(Self.degrees).joined(separator: ",")
      ),
      ("center", center(box, zooms)), ("minzoom", "\(zooms.lowerBound)"),
      ("maxzoom", "\(zooms.upperBound)"), ("quadrille:digest", state.digest),
    ]
    if let version = self["quadrille:version"] { rows.append(("quadrille:version", version)) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let text = try? encoder.encode(region) {
      rows.append((Self.originKey, String(decoding: text, as: UTF8.self)))
    }
    if let taps = state.taps { rows.append(("quadrille:taps", taps)) }
    rows.append(("quadrille:seal", Self.seal(rows)))
    return rows
  }

  private static func seal(_ rows: [(name: String, value: String)]) -> String {
    var hash = SHA256Hash()
    for (name, value) in rows where name != "quadrille:digest" {
      for text in [name, value] { hash.update(Array("\(text.utf8.count):\(text)".utf8)) }
    }
    return hash.text
  }

  /// Returns the part of the archive's bounds that is in the region, or a larger box that reaches
  /// into each tile: readers ask for no others.
  private func bounds(_ extents: [RegionTiles.Span]) -> MapBox {
    let limit = MapCoordinate.maxLatitude
    let stored = self["bounds"].flatMap { MapBox(text: $0) }
    var box = region.mapBox ?? MapBox(west: -180, south: -limit, east: 180, north: limit)
    if box.west > box.east || box.east > 180 || box.west < -180 {
      box = MapBox(west: -180, south: box.south, east: 180, north: box.north)
    }
    if let stored {
      let shared = MapBox(
        west: max(box.west, stored.west), south: max(box.south, stored.south),
        east: min(box.east, stored.east), north: min(box.north, stored.north))
      if shared.west <= shared.east, shared.south <= shared.north { box = shared }
    }
    var (west, east) = (box.west, box.east)
    var (south, north) = (min(max(box.south, -limit), limit), min(max(box.north, -limit), limit))
    for span in extents {
      let count = Double(1 << span.zoom)
      // A quarter of a tile is enough to reach into it.
      west = min(west, (Double(span.columns.lowerBound) + 0.75) / count * 360 - 180)
      east = max(east, (Double(span.columns.upperBound) + 0.25) / count * 360 - 180)
      north = max(
        north, MapCoordinate.latitude(ofShare: (Double(span.rows.lowerBound) + 0.75) / count))
      south = min(
        south, MapCoordinate.latitude(ofShare: (Double(span.rows.upperBound) + 0.25) / count))
    }
    return MapBox(west: west, south: south, east: east, north: north)
  }

  private func center(_ box: MapBox, _ zooms: ClosedRange<Int>) -> String {
    let told = (self["center"] ?? "").split(separator: ",").compactMap { Double($0) }
    var place = ((box.west + box.east) / 2, (box.south + box.north) / 2)
    if told.count >= 2, box.west...box.east ~= told[0], box.south...box.north ~= told[1] {
      place = (told[0], told[1])
    }
    func row(_ latitude: Double) -> Double {
      MapCoordinate(longitude: 0, latitude: latitude).world?.y ?? 0
    }
    let share = max((box.east - box.west) / 360, row(box.south) - row(box.north))
    var zoom = 0
    while zoom < TileAddress.maxZoom, share * Double(256 << (zoom + 1)) <= 1024 { zoom += 1 }
    zoom = min(max(zoom, zooms.lowerBound), zooms.upperBound)
    return "\(Self.degrees(place.0)),\(Self.degrees(place.1)),\(zoom)"
  }

  /// Formats degrees with at most seven decimals.
  private static func degrees(_ number: Double) -> String {
    let units = Int((abs(number) * 1e7).rounded())
    let decimals = "\(units % 10_000_000)"
    var text =
      "\(units / 10_000_000)." + String(repeating: "0", count: 7 - decimals.count) + decimals
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return number < 0 && units > 0 ? "-" + text : text
  }
}
