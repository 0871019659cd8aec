import TapReading

/// A feature or a cluster that is shown at a zoom, with its place.
public struct MapEntry: Hashable, Sendable {
  /// The place of its symbol, or the middle of what a box holds of its lines and areas.
  public let coordinate: MapCoordinate

  /// The number of features: 1 unless it is a cluster.
  public let count: Int

  /// The index of the topmost layer that shows it, from the back.
  public let layer: Int

  /// Its key, text and fields, as a tap answers them.
  public let tap: Tap

  /// The key, by which ``MapArchive/tap(forKey:)`` finds it again.
  public var key: String { tap.key }

  /// The words for it: its text or `name`, and the number of a cluster.
  public var title: String {
    tap.text ?? tap.fields["name"]?.string ?? (count > 1 ? "\(count)" : key)
  }
}

/// The changes to what a map shows when it goes from one zoom to another.
public struct MapEntryChanges: Hashable, Sendable {
  /// The entries that both zooms show, as the new one does.
  public let keep: [MapEntry]

  /// The entries that the new zoom shows alone.
  public let add: [MapEntry]

  /// The entries that the old zoom shows alone.
  public let remove: [MapEntry]

  init(from before: [MapEntry], to after: [MapEntry]) {
    let (oldKeys, newKeys) = (Set(before.map(\.key)), Set(after.map(\.key)))
    keep = after.filter { oldKeys.contains($0.key) }
    add = after.filter { !oldKeys.contains($0.key) }
    remove = before.filter { !newKeys.contains($0.key) }
  }
}

extension MapArchive {
  /// Returns what a zoom shows in a box, the nearest to the box's middle first: for annotations,
  /// lists beside the map and screen readers.
  ///
  /// - Parameters:
  ///   - box: its edges belong to it; one whose west is greater than its east crosses the
  ///     antimeridian.
  ///   - zoom: the zoom of the tiles that are shown; after the last zoom the last one's.
  ///   - limit: the greatest number of entries.
  /// - Throws: ``ClientError/noPlaces(file:)`` unless the archive has compact taps,
  ///   ``ClientError/boxTooLarge(blocks:)`` if the box has too many tiles, and
  ///   ``ClientError/damaged(file:reason:)``.
  /// - Complexity: O(bytes of the blocks).
  public func entries(
    in box: MapBox, zoom: Int, limit: Int = 1000
  ) throws(ClientError) -> [MapEntry] {
    guard info.taps == .compact else { throw ClientError.noPlaces(file: file.name) }
    let zoom = min(zoom, info.maxZoom)
    guard zoom >= info.minZoom, box.south <= box.north else { return [] }
    return try reading { () throws(ClientError) in
      let tiles = try adding(to: TileBox(box, zoom: zoom))
      return tiles.entries(
        limit: limit, try taps(of: tiles.nearest.prefix(max(limit, 0)).map(\.feature)))
    }
  }

  /// Returns a box with what this archive has in it.
  func adding(to tiles: TileBox) throws(ClientError) -> TileBox {
    var tiles = tiles
    for place in try tiles.blocks() {
      let corner = TileAddress(
        zoom: tiles.zoom, column: place.column << TapBlock.sideBits,
        row: place.row << TapBlock.sideBits)
      if let block = try block(of: corner) { tiles.add(block, at: corner) }
    }
    return tiles
  }

  /// Returns the taps of features that have entries.
  func taps(of features: [UInt64]) throws(ClientError) -> [UInt64: Tap] {
    var taps: [UInt64: Tap] = [:]
    // Neighbours by identifier share a page.
    for feature in features.sorted() {
      if let entry = try entry(of: feature) { taps[feature] = Tap(entry: try json(entry)) }
    }
    return taps
  }

  /// Returns the entries of a box to keep, to add and to remove when a map goes from one zoom to
  /// another.
  public func changes(
    from old: Int, to new: Int, in box: MapBox, limit: Int = 1000
  ) throws(ClientError) -> MapEntryChanges {
    MapEntryChanges(
      from: try entries(in: box, zoom: old, limit: limit),
      to: try entries(in: box, zoom: new, limit: limit))
  }
}
