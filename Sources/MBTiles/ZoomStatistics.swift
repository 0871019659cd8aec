import Columns
package import Tiling

/// Statistics of an archive at one zoom.
package struct ZoomStatistics: Hashable, Sendable {
  /// The number of rows.
  package var tiles = 0

  /// The number of distinct images among them.
  package var distinct = 0

  /// The number of rows that show the blank tile.
  package var empty = 0

  /// The bytes of all rows, including repeats.
  package var bytes = 0

  /// The bytes of the distinct images.
  package var distinctBytes = 0

  /// The distribution of tile sizes.
  package var sizes = TileSizes()

  /// The columns and rows that occur.
  package private(set) var extent: TileExtent

  package var zoom: Int { extent.zoom }

  package init(first tile: TileCoord) {
    extent = TileExtent(tile)
  }
}

/// Statistics of an archive, and its fingerprints.
package struct ArchiveSummary: Hashable, Sendable {
  /// The zooms that have tiles, ascending.
  package let zooms: [ZoomStatistics]

  /// The number of distinct images in the whole archive.
  package let distinct: Int

  /// The bytes of the distinct images.
  package let distinctBytes: Int

  /// The fingerprints; `nil` where they were not computed.
  package let hashes: TileHashes?

  /// The statistics of taps; `nil` if there are none.
  package var grids: GridSummary?

  /// The number of rows in the whole archive.
  package var tiles: Int { zooms.reduce(0) { $0 + $1.tiles } }

  /// The number of rows that show the blank tile.
  package var empty: Int { zooms.reduce(0) { $0 + $1.empty } }

  /// The bytes of all rows, including repeats.
  package var bytes: Int { zooms.reduce(0) { $0 + $1.bytes } }
}

/// A tally of ``ZoomStatistics`` as rows pass, in any order of zooms.
struct TileTally {
  private struct Image {
    var count: Int
    var isBlank: Bool
    /// The zooms that have shown the image, a bit each.
    var zooms: UInt32 = 0
  }

  private var images: Column<Image>
  private var zooms: [ZoomStatistics?] = Array(repeating: nil, count: TileCoord.maxZoom + 1)
  private var sizes = Array(repeating: SizeCounter(), count: TileCoord.maxZoom + 1)
  private(set) var imageBytes = 0

  init(in scratch: Scratch? = nil) {
    images = Column(in: scratch)
  }

  /// Adds the next image; images are numbered 0, 1, 2 …
  mutating func addImage(count: Int, isBlank: Bool) {
    images.append(Image(count: count, isBlank: isBlank))
    imageBytes += count
  }

  /// Counts a tile, which must be valid, that shows an image already added.
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

  /// Returns the size of an image, and whether it is blank.
  func size(ofImage number: Int) -> StoredSize {
    StoredSize(bytes: images[number].count, isBlank: images[number].isBlank)
  }

  /// Whether a tile has shown the image.
  func isUsed(_ number: Int) -> Bool { images[number].zooms != 0 }

  /// Returns the statistics by zoom.
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
  /// Counts a row.
  ///
  /// - Parameter isNew: whether it is the zoom's first that shows the image.
  mutating func count(_ tile: TileCoord, bytes: Int, isBlank: Bool, isNew: Bool) {
    include(tile, bytes: bytes)
    if isBlank { empty += 1 }
    if isNew {
      distinct += 1
      distinctBytes += bytes
    }
  }

  /// Counts a row, whatever it shows.
  package mutating func include(_ tile: TileCoord, bytes: Int) {
    tiles += 1
    self.bytes += bytes
    extent.include(tile)
  }
}
