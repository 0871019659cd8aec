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
  /// - Throws: ``ArchiveError``, also for tiles that are packed in another way than by gzip.
  package init(_ reader: PMTilesReader) throws(ArchiveError) {
    self.reader = reader
    let header = reader.header
    var head = TilesetHead(MetadataObject.members(try reader.metadata()))
    // What the header says counts.
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

  package func forEachAddress(
    zoom: Int, in range: TileRange?, _ body: (TileCoord) -> Bool
  ) throws(ArchiveError) {
    guard (0...TileCoord.maxZoom).contains(zoom), range.map({ $0.zoom == zoom }) ?? true else {
      return
    }
    // A run may be any number of tiles, so only what is wanted of it is walked through.
    let wanted =
      range.map { HilbertIntervals.of($0) }
      ?? [HilbertTile.first(of: zoom)..<HilbertTile.first(of: zoom + 1)]
    var first = 0
    var isDone = false
    try reader.forEachEntry { entry in
      // The sum has been checked.
      let run = entry.tile..<(entry.tile + UInt64(entry.runLength))
      while first < wanted.count, wanted[first].upperBound <= run.lowerBound { first += 1 }
      for interval in wanted[first...].prefix(while: { $0.lowerBound < run.upperBound })
      where !isDone {
        for number in run.clamped(to: interval) {
          guard let tile = HilbertTile(rawValue: number).tile else { continue }
          guard body(tile) else {
            isDone = true
            break
          }
        }
      }
    }
  }
}
