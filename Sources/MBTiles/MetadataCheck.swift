import Pictures
import Tiling

/// The check of the table `metadata` against what readers demand and against the tiles.
struct MetadataCheck {
  let metadata: StoredMetadata

  /// The statistics of the archive, by zoom; empty if it could not be read.
  let zooms: [ZoomStatistics]

  /// Side of a tile in pixels, if there is a tile.
  let tileSize: Int?

  /// The format of the tiles, if there is one.
  let format: TileFormat?

  private static let required = [
    "name", "format", "bounds", "center", "minzoom", "maxzoom", "type", "version", "description",
    "attribution",
  ]
  private static let optional = [
    AggTilesHash.key, "scale", "scheme", "json", "template", "legend", "formatter", "grids_format",
  ]

  func run(_ log: inout FindingLog) {
    checkEntries(&log)
    for name in Self.required where metadata[name] == nil {
      log.error(.metadata, "there is no '\(name)'.")
    }
    if let said = metadata["format"] { checkFormat(said, &log) }
    let wanted = (metadata["format"].flatMap { TileFormat(rawValue: $0) } ?? .png).tilesetType
    if let type = metadata["type"], type != wanted {
      log.error(.metadata, "'type' is '\(type)', not \(wanted).")
    }
    if let scheme = metadata["scheme"], scheme != "tms" {
      log.error(.metadata, "'scheme' is '\(scheme)'; rows are TMS in every archive.")
    }
    if let json = metadata["json"], json.contains("\"tiles\"") {
      log.error(.metadata, "'json' holds 'tiles', which readers fetch.")
    }
    if let scale = metadata["scale"] { checkScale(scale, &log) }
    if let seal = metadata[ArchiveMetadata.sealKey],
      seal != ArchiveMetadata.seal(of: metadata.entries)
    {
      log.error(
        .metadata,
        "the rows are not those that were written: '\(ArchiveMetadata.sealKey)' does not fit them.")
    }
    checkZooms(&log)
    checkBounds(&log)
  }

  private func checkFormat(_ said: String, _ log: inout FindingLog) {
    guard let named = TileFormat(rawValue: said), TileFormat.pictures.contains(named) else {
      return log.error(.metadata, "'format' is '\(said)', not png, webp or jpg.")
    }
    if let format, format != named {
      log.error(.metadata, "'format' is '\(said)', and the tiles are \(format.title).")
    }
  }

  private func checkEntries(_ log: inout FindingLog) {
    if metadata.otherRows > 0 {
      log.error(.metadata, "\(metadata.otherRows) rows have a name or value that is no text.")
    }
    var names: Set<String> = []
    for entry in metadata.entries {
      if !names.insert(entry.name).inserted {
        log.error(.metadata, "'\(entry.name)' occurs twice.")
      }
      if let fault = MetadataRules.fault(of: entry) { log.error(.metadata, fault) }
      if !entry.name.hasPrefix(ArchiveMetadata.prefix), !Self.required.contains(entry.name),
        !Self.optional.contains(entry.name)
      {
        log.warning(.metadata, "'\(entry.name)' is no standard name and has no prefix.")
      }
    }
  }

  private func checkScale(_ scale: String, _ log: inout FindingLog) {
    guard let factor = PlainNumber.zoom(scale), (1...4).contains(factor) else {
      return log.error(.metadata, "'scale' is '\(scale)', not 1 to 4.")
    }
    if let tileSize, tileSize < 256 * factor {
      log.error(.metadata, "'scale' is \(scale), but tiles have \(tileSize) pixels a side.")
    }
  }

  private func checkZooms(_ log: inout FindingLog) {
    for (name, zoom) in [("minzoom", zooms.first?.zoom), ("maxzoom", zooms.last?.zoom)] {
      guard let text = metadata[name] else { continue }
      guard let value = PlainNumber.zoom(text) else {
        log.error(.metadata, "'\(name)' is '\(text)', not a plain integer.")
        continue
      }
      if let zoom, zoom != value {
        log.error(.zooms, "'\(name)' is \(value), but the tiles have \(zoom).")
      }
    }
    for (zoom, next) in zip(zooms, zooms.dropFirst()) where next.zoom != zoom.zoom + 1 {
      log.error(.zooms, "there are no tiles between zoom \(zoom.zoom) and zoom \(next.zoom).")
    }
  }

  private func checkBounds(_ log: inout FindingLog) {
    guard let text = metadata["bounds"] else { return }
    let values = text.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { PlainNumber.decimal($0) }
    guard text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 3, values.count == 4 else {
      return log.error(.bounds, "'bounds' is '\(text)', not four plain numbers.")
    }
    let box = GeoBounds(west: values[0], south: values[1], east: values[2], north: values[3])
    guard box.west <= box.east, box.south <= box.north, values.allSatisfy({ abs($0) <= 180 }),
      abs(box.south) <= 90, abs(box.north) <= 90
    else { return log.error(.bounds, "'bounds' \(text) are not west, south, east, north.") }
    for extent in zooms.map(\.extent) where ![extent].isReached(by: box) {
      log.error(
        .bounds,
        "'bounds' \(text) do not reach all tiles of zoom \(extent.zoom), columns"
          + " \(extent.columns.lowerBound)…\(extent.columns.upperBound), rows"
          + " \(extent.rows.lowerBound)…\(extent.rows.upperBound); readers do not ask for the others."
      )
    }
    checkCenter(in: box, &log)
  }

  private func checkCenter(in box: GeoBounds, _ log: inout FindingLog) {
    guard let text = metadata["center"] else { return }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3, let longitude = PlainNumber.decimal(parts[0]),
      let latitude = PlainNumber.decimal(parts[1]), let zoom = PlainNumber.zoom(parts[2])
    else {
      return log.error(.bounds, "'center' is '\(text)', not longitude, latitude and a whole zoom.")
    }
    if !(box.west...box.east).contains(longitude) || !(box.south...box.north).contains(latitude) {
      log.error(.bounds, "'center' \(text) is outside the bounds.")
    }
    let first = metadata["minzoom"].flatMap { PlainNumber.zoom($0) } ?? 0
    let last = metadata["maxzoom"].flatMap { PlainNumber.zoom($0) } ?? TileCoord.maxZoom
    if zoom < first || zoom > last {
      log.error(.bounds, "the zoom of 'center' \(text) is not in \(first)…\(last).")
    }
  }
}
