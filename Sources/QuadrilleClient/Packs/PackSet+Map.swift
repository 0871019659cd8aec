import Foundation

extension PackSet {
  /// Returns the picture to show for a tile: that of a pack, of the shared one, or the enlarged part
  /// of the nearest parent's where the region is not on this device; `nil` where the map is empty.
  public func picture(_ address: TileAddress) async throws(ClientError) -> TilePicture? {
    guard let shown = try await shown(address),
      let data = try await shown.archive.tile(shown.address)
    else { return nil }
    return TilePicture(
      data: data, address: shown.address,
      part: shown.address == address ? .whole : TilePart(of: address, in: shown.address))
  }

  /// Returns what the tiles show at a place; `nil` where there is nothing.
  public func tap(at place: MapCoordinate, zoom: Int) async throws(ClientError) -> Tap? {
    guard let (tile, _, _) = place.tile(zoom: min(max(zoom, 0), lastZoom)),
      let shown = try await shown(tile)
    else { return nil }
    return try await shown.archive.tap(at: place, zoom: shown.address.zoom)
  }

  /// Returns the feature or cluster with a key; `nil` if no pack here has it.
  public func tap(forKey key: String) async throws(ClientError) -> Tap? {
    for archive in try held() {
      if let tap = try await archive.tap(forKey: key) { return tap }
    }
    return nil
  }

  /// Returns the features whose entries contain a text, whatever its case, each once.
  public func taps(
    containing text: String, limit: Int = 50
  ) async throws(ClientError) -> [Tap] {
    var (found, keys): ([Tap], Set<String>) = ([], [])
    for archive in try held() {
      for tap in try await archive.taps(containing: text, limit: limit)
      where found.count < limit && keys.insert(tap.key).inserted {
        found.append(tap)
      }
    }
    return found
  }

  /// Returns what the packs that have a zoom show in a box; see
  /// ``MapArchive/entries(in:zoom:limit:)``.
  public func entries(
    in box: MapBox, zoom: Int, limit: Int = 1000
  ) async throws(ClientError) -> [MapEntry] {
    let zoom = min(zoom, lastZoom)
    let archives = try held(zoom)
    for archive in archives where archive.info.taps != .compact {
      throw ClientError.noPlaces(file: archive.url.lastPathComponent)
    }
    guard !archives.isEmpty, box.south <= box.north else { return [] }
    var tiles = TileBox(box, zoom: zoom)
    for archive in archives { tiles = try await archive.adding(to: tiles) }
    let features = tiles.nearest.prefix(max(limit, 0)).map(\.feature)
    var taps: [UInt64: Tap] = [:]
    for archive in archives {
      taps.merge(try await archive.taps(of: features)) { first, _ in first }
    }
    return tiles.entries(limit: limit, taps)
  }

  /// Returns the entries of a box to keep, to add and to remove when a map goes from one zoom to
  /// another.
  public func changes(
    from old: Int, to new: Int, in box: MapBox, limit: Int = 1000
  ) async throws(ClientError) -> MapEntryChanges {
    MapEntryChanges(
      from: try await entries(in: box, zoom: old, limit: limit),
      to: try await entries(in: box, zoom: new, limit: limit))
  }

  private var lastZoom: Int { list?.all.map(\.zooms.upperBound).max() ?? 0 }

  /// Returns the archives on this device, or those of a zoom, in the order of the list.
  private func held(_ zoom: Int? = nil) throws(ClientError) -> [MapArchive] {
    var archives: [MapArchive] = []
    for pack in list?.all ?? [] where zoom.map({ pack.zooms.contains($0) }) ?? true {
      if let archive = try archive(pack) { archives.append(archive) }
    }
    return archives
  }

  /// Returns the archive that shows a tile, and the tile of it.
  private func shown(
    _ address: TileAddress
  ) async throws(ClientError) -> (archive: MapArchive, address: TileAddress)? {
    guard let list, address.isValid else { return nil }
    let first = list.packs.map(\.zooms.lowerBound).min() ?? .max
    let hasRest = list.shared.map { isHeld($0) } ?? true
    for zoom in (0...min(address.zoom, lastZoom)).reversed() {
      let tile = address.ancestor(at: zoom)
      for archive in try held(zoom) where try await archive.tile(tile) != nil {
        return (archive, tile)
      }
      let regions = zoom >= first ? packs(in: tile.box) : []
      // Where the region is there, or none is, nothing is shown.
      if regions.contains(where: { isHeld($0) }) || regions.isEmpty && hasRest { return nil }
    }
    return nil
  }
}

extension MapBox {
  /// Whether two boxes touch by more than an edge.
  func touches(_ other: MapBox) -> Bool {
    func width(_ box: MapBox) -> Double {
      box.east - box.west >= 360 ? 360 : TileBox.modulo(box.east - box.west, 360)
    }
    let far = TileBox.modulo(other.west - west, 360)
    return other.south < north && other.north > south
      && (far < width(self) || far + width(other) > 360)
  }
}

extension TileAddress {
  /// The box of the tile in degrees.
  fileprivate var box: MapBox {
    let side = Double(1 << zoom)
    return MapBox(
      west: Double(column) / side * 360 - 180,
      south: MapCoordinate.latitude(ofShare: Double(row + 1) / side),
      east: Double(column + 1) / side * 360 - 180,
      north: MapCoordinate.latitude(ofShare: Double(row) / side))
  }
}
