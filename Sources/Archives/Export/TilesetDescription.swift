package import MBTiles
package import Pictures
package import Tiling

/// The description of a set of tiles extracted from an archive, for any container.
package struct TilesetDescription: Hashable, Sendable {
  /// The key under which an extract records the archive that it comes from.
  package static let originKey = ArchiveMetadata.prefix + "extract"

  /// The human-readable name of the tileset.
  package let name: String
  package let description: String
  /// HTML; may be empty.
  package let attribution: String
  package let version: String
  /// `overlay`, or `baselayer` for JPEG.
  package let type: String
  /// The format of the tiles.
  package let format: TileFormat
  /// The ratio of a tile's pixels to those of its grid.
  package let scale: Int
  /// The box that overlaps every tile.
  package let bounds: GeoBounds
  /// The initial centre of a map, inside the bounds.
  package let center: LngLat
  /// The initial zoom, inside the range.
  package let centerZoom: Int
  /// The zooms from the first to the last with tiles.
  package let zooms: ClosedRange<Int>
  /// The row `json`, which names the layers of vector tiles; `nil` if there is none.
  package let json: String?
  /// Rows that other programs define, in the archive's order.
  package let others: [MetadataEntry]
  /// The names of the archive's rows that a new one may not have.
  package let dropped: [String]

  /// Names that are rewritten or have fields of their own.
  private static let own: Set<String> = [
    "name", "format", "bounds", "center", "minzoom", "maxzoom", "type", "version", "description",
    "attribution", "scale", "json", AggTilesHash.key, "scheme",
  ]

  /// Creates the description of the selected tiles.
  ///
  /// The archive's own keys are dropped: ledger, provenance and fingerprint describe a whole build,
  /// which an extract is not.
  ///
  /// - Parameters:
  ///   - fallbackName: the name where the archive has none.
  ///   - taken: the statistics of the selected tiles, by zoom; empty for an archive without tiles.
  package init(
    _ metadata: StoredMetadata, format: TileFormat, fallbackName: String,
    selection: TileSelection, taken: [ZoomStatistics]
  ) {
    func text(_ name: String, or other: String) -> String {
      guard let value = metadata[name], !value.isEmpty,
        MetadataRules.fault(of: MetadataEntry(name, value)) == nil
      else { return other }
      return value
    }
    name = text("name", or: fallbackName)
    description = text("description", or: "")
    attribution = text("attribution", or: "")
    version = text("version", or: "1.0.0")
    type = text("type", or: format.tilesetType)
    scale =
      metadata["scale"].flatMap { PlainNumber.zoom($0) }.flatMap {
        (1...4).contains($0) ? $0 : nil
      } ?? 1
    self.format = format
    let stored = Self.zooms(metadata)
    let first = taken.first?.zoom ?? stored.lowerBound
    let zooms = first...max(first, taken.last?.zoom ?? stored.upperBound)
    self.zooms = zooms
    let place = Placement(metadata, selection, taken, zooms)
    bounds = place.bounds
    center = place.center
    centerZoom = place.zoom
    json = metadata["json"].flatMap { $0.contains("\"tiles\"") ? nil : $0 }
    var names = Self.own
    var others: [MetadataEntry] = []
    var dropped: [String] = []
    for entry in metadata.entries
    where !entry.name.hasPrefix(ArchiveMetadata.prefix) && names.insert(entry.name).inserted {
      if MetadataRules.fault(of: entry) == nil {
        others.append(entry)
      } else {
        dropped.append(entry.name)
      }
    }
    self.others = others
    self.dropped = dropped
  }

  /// Returns the zooms according to an archive's metadata; zoom 0 where it has no valid ones.
  private static func zooms(_ metadata: StoredMetadata) -> ClosedRange<Int> {
    func zoom(_ name: String) -> Int? { metadata[name].flatMap { PlainNumber.zoom($0) } }
    guard let first = zoom("minzoom"), let last = zoom("maxzoom"),
      (0...TileCoord.maxZoom).contains(first), (first...TileCoord.maxZoom).contains(last)
    else { return 0...0 }
    return first...last
  }

  /// Returns the rows of the extract's metadata, sealed.
  ///
  /// - Parameter own: rows whose names begin with ``ArchiveMetadata/prefix``.
  package func rows(hashes: TileHashes, own: [MetadataEntry]) -> [MetadataEntry] {
    var rows = [
      MetadataEntry("name", name), MetadataEntry("format", format.rawValue),
      MetadataEntry("bounds", BoundsText(bounds)?.text ?? "-180,-85.0511287,180,85.0511287"),
      MetadataEntry("center", "\(BoundsText.point(center)),\(centerZoom)"),
      MetadataEntry("minzoom", "\(zooms.lowerBound)"),
      MetadataEntry("maxzoom", "\(zooms.upperBound)"), MetadataEntry("type", type),
      MetadataEntry("version", version), MetadataEntry("description", description),
      MetadataEntry("attribution", attribution),
    ]
    if scale != 1 { rows.append(MetadataEntry("scale", "\(scale)")) }
    rows += ArchiveMetadata.rows(of: hashes)
    if let json { rows.append(MetadataEntry("json", json)) }
    rows += others + own
    rows.append(MetadataEntry(ArchiveMetadata.sealKey, ArchiveMetadata.seal(of: rows)))
    return rows
  }
}

/// The placement of the selected tiles.
private struct Placement {
  let bounds: GeoBounds
  let center: LngLat
  let zoom: Int

  init(
    _ metadata: StoredMetadata, _ selection: TileSelection, _ taken: [ZoomStatistics],
    _ zooms: ClosedRange<Int>
  ) {
    let stored = Self.stored(metadata)
    let area = selection.area?.bounds
    var box = area ?? stored ?? Self.extent(of: taken)
    if box.crossesAntimeridian || box.east > 180 || box.west < -180 {
      (box.west, box.east) = (-180, 180)
    }
    if area != nil, let stored {
      let shared = GeoBounds(
        west: max(box.west, stored.west), south: max(box.south, stored.south),
        east: min(box.east, stored.east), north: min(box.north, stored.north))
      // A symbol may extend into an area that the data's own box does not reach.
      if shared.west <= shared.east, shared.south <= shared.north { box = shared }
    }
    let limit = WorldPoint.maxLatitude
    box.south = min(max(box.south, -limit), limit)
    box.north = min(max(box.north, -limit), limit)
    let bounds = taken.map(\.extent).bounds(reachedBy: box)
    self.bounds = bounds
    let center = Self.center(metadata)
    if let center, area == nil || Self.isInside(center.place, box),
      Self.isInside(center.place, bounds)
    {
      self.center = center.place
    } else {
      self.center = LngLat(
        longitude: (box.west + box.east) / 2, latitude: (box.south + box.north) / 2)
    }
    let wished = area == nil ? center?.zoom : nil
    zoom = min(max(wished ?? box.overviewZoom(tileSize: 256), zooms.lowerBound), zooms.upperBound)
  }

  private static func isInside(_ place: LngLat, _ box: GeoBounds) -> Bool {
    box.west <= place.longitude && place.longitude <= box.east
      && box.south <= place.latitude && place.latitude <= box.north
  }

  /// Returns the archive's own bounds, if they are valid.
  private static func stored(_ metadata: StoredMetadata) -> GeoBounds? {
    guard let text = metadata["bounds"], let bounds = GeoBounds(text), BoundsText(bounds) != nil,
      !bounds.crossesAntimeridian
    else { return nil }
    return bounds
  }

  private static func center(_ metadata: StoredMetadata) -> (place: LngLat, zoom: Int?)? {
    let parts = (metadata["center"] ?? "").split(separator: ",").map { text in
      text.filter { $0 != " " }
    }
    guard parts.count == 2 || parts.count == 3, let longitude = PlainNumber.decimal(parts[0]),
      let latitude = PlainNumber.decimal(parts[1])
    else { return nil }
    return (
      LngLat(longitude: longitude, latitude: latitude),
      parts.count == 3 ? PlainNumber.decimal(parts[2]).flatMap { Int(exactly: $0.rounded()) } : nil
    )
  }

  /// Returns the box of the tiles of the deepest zoom.
  private static func extent(of taken: [ZoomStatistics]) -> GeoBounds {
    guard let last = taken.last?.extent else { return .world }
    let size = UInt64(1) << UInt64(32 - last.zoom)
    func place(_ number: Int) -> UInt32 { UInt32(clamping: UInt64(number) * size) }
    return GeoBounds(
      WorldBox(
        west: place(last.columns.lowerBound), north: place(last.rows.lowerBound),
        east: place(last.columns.upperBound + 1), south: place(last.rows.upperBound + 1)))
  }
}

extension GeoBounds {
  /// Returns the deepest zoom at which the box fits into some 1,024 px.
  package func overviewZoom(tileSize: Int) -> Int {
    let box = WorldBox(self)
    let share = Double(max(box.east &- box.west, box.south &- box.north)) / 4_294_967_296
    var zoom = 0
    while zoom < TileCoord.maxZoom, share * Double(tileSize << (zoom + 1)) <= 1024 { zoom += 1 }
    return zoom
  }
}
