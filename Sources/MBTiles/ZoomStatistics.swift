import Tiling

/// What an archive holds at one zoom.
package struct ZoomStatistics: Hashable, Sendable {
  /// Rows.
  package var tiles = 0

  /// Different images among them.
  package var distinct = 0

  /// Rows that show the blank tile.
  package var empty = 0

  /// Bytes of all rows, repeats counted every time.
  package var bytes = 0

  /// Bytes of the different images.
  package var distinctBytes = 0

  /// How the bytes lie over the tiles.
  package var sizes = TileSizes()

  /// The columns and rows that occur.
  package private(set) var extent: TileExtent

  package var zoom: Int { extent.zoom }

  init(first tile: TileCoord) {
    extent = TileExtent(tile)
  }
}

/// What an archive holds, and its fingerprints.
package struct ArchiveSummary: Hashable, Sendable {
  /// The zooms that have tiles, ascending.
  package let zooms: [ZoomStatistics]

  /// Different images in the whole archive.
  package let distinct: Int

  /// Bytes of the different images.
  package let distinctBytes: Int

  /// The fingerprints; `nil` where they were not computed.
  package let hashes: TileHashes?

  /// What there is for taps; `nil` without grids.
  package var grids: GridSummary?

  /// Rows in the whole archive.
  package var tiles: Int { zooms.reduce(0) { $0 + $1.tiles } }

  /// Rows that show the blank tile.
  package var empty: Int { zooms.reduce(0) { $0 + $1.empty } }

  /// Bytes of all rows, repeats counted every time.
  package var bytes: Int { zooms.reduce(0) { $0 + $1.bytes } }
}

/// Counts rows into ``ZoomStatistics`` as they pass, in any order of zooms.
struct TileTally {
  private struct Image {
    var count: Int
    var isBlank: Bool
    /// The zooms that have shown it, a bit each.
    var zooms: UInt32 = 0
  }

  private var images: ContiguousArray<Image> = []
  private var zooms: [ZoomStatistics?] = Array(repeating: nil, count: TileCoord.maxZoom + 1)
  private var sizes = Array(repeating: SizeCounter(), count: TileCoord.maxZoom + 1)
  private(set) var imageBytes = 0

  /// Adds the next image; images are numbered 0, 1, 2 …
  mutating func addImage(count: Int, isBlank: Bool) {
    images.append(Image(count: count, isBlank: isBlank))
    imageBytes += count
  }

  /// Counts a tile, which must be valid, that shows an image that was added.
  ///
  /// - Complexity: O(1).
  mutating func addTile(_ tile: TileCoord, image number: Int) {
    let bit = UInt32(1) << UInt32(tile.z)
    let image = images[number]
    if zooms[tile.z] == nil { zooms[tile.z] = ZoomStatistics(first: tile) }
    zooms[tile.z]?.count(
      tile, bytes: image.count, isBlank: image.isBlank, isNew: image.zooms & bit == 0)
    images[number].zooms = image.zooms | bit
    if !image.isBlank { sizes[tile.z].add(image.count) }
  }

  /// Whether a tile has shown the image.
  func isUsed(_ number: Int) -> Bool { images[number].zooms != 0 }

  /// What was counted.
  func statistics() -> [ZoomStatistics] {
    zooms.compactMap { zoom in
      var zoom = zoom
      if let number = zoom?.zoom { zoom?.sizes = sizes[number].sizes }
      return zoom
    }
  }

  func summary(hashes: TileHashes?) -> ArchiveSummary {
    ArchiveSummary(
      zooms: statistics(), distinct: images.count, distinctBytes: imageBytes, hashes: hashes)
  }
}

extension ZoomStatistics {
  fileprivate mutating func count(_ tile: TileCoord, bytes: Int, isBlank: Bool, isNew: Bool) {
    include(tile, bytes: bytes)
    if isBlank { empty += 1 }
    if isNew {
      distinct += 1
      distinctBytes += bytes
    }
  }

  /// Counts a row, whatever it shows.
  mutating func include(_ tile: TileCoord, bytes: Int) {
    tiles += 1
    self.bytes += bytes
    extent.include(tile)
  }
}
