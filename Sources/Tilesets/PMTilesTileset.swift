package import MBTiles
package import PMTiles
package import SystemPackage
package import Tiling

/// The tiles of a PMTiles file, found by its directories.
package final class PMTilesTileset: Tileset {
  package let head: TilesetHead

  private let reader: PMTilesReader

  /// Reads the metadata.
  ///
  /// - Throws: ``ArchiveError``, also for tiles with another compression than gzip.
  package init(_ reader: PMTilesReader) throws(ArchiveError) {
    self.reader = reader
    let header = reader.header
    var head = TilesetHead(MetadataObject.members(try reader.metadata()))
    // The header's format takes precedence over the metadata's.
    head.format =
      switch header.tileType {
      case .vector: "pbf"
      case .png: "png"
      case .jpeg: "jpg"
      case .webp: "webp"
      case .avif: "avif"
      case .unknown: head.format
      }
    let last = UInt8(TileCoord.maxZoom)
    if header.minZoom <= header.maxZoom, header.maxZoom <= last {
      (head.minZoom, head.maxZoom) = (Int(header.minZoom), Int(header.maxZoom))
    }
    let box = header.bounds.map { Double($0) / 1e7 }
    if box != [0, 0, 0, 0], box[1] <= box[3] {
      head.bounds = GeoBounds(west: box[0], south: box[1], east: box[2], north: box[3])
      head.center = LngLat(
        longitude: Double(header.center[0]) / 1e7, latitude: Double(header.center[1]) / 1e7)
      head.centerZoom = Double(header.centerZoom)
    }
    head.rows = .xyz
    self.head = head
    switch header.tileCompression {
    case .unknown, .none, .gzip: break
    case .brotli, .zstandard:
      throw ArchiveError(
        .content(
          .damagedPMTiles(fault: "has tiles compressed in another way than gzip, which is not read")
        ), path: reader.path)
    }
  }

  package var path: FilePath { reader.path }

  package func storedTile(_ tile: TileCoord) throws(ArchiveError) -> [UInt8]? {
    try reader.tile(tile)
  }

  package func storedNumber(_ tile: TileCoord) throws(ArchiveError) -> UInt64? {
    try reader.entry(of: tile)?.offset
  }

  package func forEachAddress(
    zoom: Int, in range: TileRange?, _ body: (TileCoord) -> Bool
  ) throws(ArchiveError) {
    guard (0...TileCoord.maxZoom).contains(zoom), range.map({ $0.zoom == zoom }) ?? true else {
      return
    }
    // A run may be any number of tiles: its part in the range is divided into tiles of lower zooms.
    let start = HilbertTile.first(of: zoom)
    let wanted =
      range.map { HilbertIntervals.of($0) } ?? [start..<HilbertTile.first(of: zoom + 1)]
    var first = 0
    var isDone = false
    try reader.forEachEntry { entry in
      // The reader has checked that the sum does not overflow.
      let run = entry.tile..<(entry.tile + UInt64(entry.runLength))
      while first < wanted.count, wanted[first].upperBound <= run.lowerBound { first += 1 }
      for interval in wanted[first...].prefix(while: { $0.lowerBound < run.upperBound })
      where !isDone {
        let places = run.clamped(to: interval)
        isDone = !Self.forEachTile(
          at: (places.lowerBound - start)..<(places.upperBound - start), zoom: zoom, body)
      }
    }
  }

  /// Calls `body` with the fewest tiles, of this zoom or lower ones, that cover exactly these
  /// places of a zoom's curve, until it returns `false`.
  ///
  /// - Returns: whether it went on to the end.
  /// - Complexity: O(zoom²).
  private static func forEachTile(
    at places: Range<UInt64>, zoom: Int, _ body: (TileCoord) -> Bool
  ) -> Bool {
    var next = places.lowerBound
    while next < places.upperBound {
      var (levels, count): (Int, UInt64) = (0, 1)
      while levels < zoom, next & (4 * count - 1) == 0, places.upperBound - next >= 4 * count {
        (levels, count) = (levels + 1, 4 * count)
      }
      let number = HilbertTile.first(of: zoom - levels) + next / count
      if let tile = HilbertTile(rawValue: number).tile, !body(tile) { return false }
      next += count
    }
    return true
  }
}
