package import MBTiles
import Pictures
package import Tiling

/// A tile that represents others in a report.
package struct GalleryTile: Hashable, Sendable {
  package let tile: TileCoord

  /// Size of the tile's image in bytes.
  package let bytes: Int
}

/// The tiles of an archive that show its content at a glance: of each zoom the emptiest, the median
/// and the densest by their bytes, and the largest of all.
///
/// Among tiles with equally many bytes, the first in archive order is taken; blank ones only where
/// a zoom has no others.
package struct ArchiveGallery: Hashable, Sendable {
  /// The tiles of one zoom; fewer than three where they coincide.
  package struct Sheet: Hashable, Sendable {
    package let zoom: Int
    package var emptiest: GalleryTile?
    package var median: GalleryTile?
    package var densest: GalleryTile?

    init(zoom: Int) {
      self.zoom = zoom
    }
  }

  /// The sheets by ascending zoom.
  package private(set) var sheets: [Sheet] = []

  /// The largest tiles, in descending order of size, then in archive order.
  package private(set) var biggest: [GalleryTile] = []

  /// Selects the tiles of an archive.
  ///
  /// - Parameters:
  ///   - zooms: the statistics by zoom, from the archive's summary.
  ///   - biggest: the number of largest tiles of the whole archive.
  /// - Throws: ``ArchiveError`` if it cannot be read.
  /// - Complexity: O(tiles); images are not read, only their lengths.
  package init(
    _ reader: ArchiveReader, zooms: [ZoomStatistics], biggest limit: Int = 10
  ) throws(ArchiveError) {
    var choices = zooms.map { SheetChoice($0) }
    var largest = LargestTiles(limit: limit)
    try reader.forEachTileSize { tile, bytes in
      largest.add(GalleryTile(tile: tile, bytes: bytes))
      guard let index = choices.firstIndex(where: { $0.zoom == tile.z }) else { return }
      choices[index].add(GalleryTile(tile: tile, bytes: bytes))
    }
    for choice in choices { sheets.append(try choice.sheet(of: reader)) }
    biggest = largest.tiles
  }
}

/// The candidates of one zoom while its tiles pass.
private struct SheetChoice {
  /// The number of tiles kept per size: a blank tile may have as many bytes as one with content.
  private static let candidates = 8

  let zoom: Int

  /// The sizes to select: smallest, median, largest.
  private let wanted: [Int]
  private var found: [[GalleryTile]] = [[], [], []]
  private var first: GalleryTile?

  init(_ zoom: ZoomStatistics) {
    self.zoom = zoom.zoom
    wanted = [zoom.sizes.smallest, zoom.sizes.median, zoom.sizes.largest]
  }

  mutating func add(_ tile: GalleryTile) {
    if first == nil { first = tile }
    for index in wanted.indices
    where wanted[index] == tile.bytes && found[index].count < Self.candidates {
      found[index].append(tile)
    }
  }

  /// Returns the tiles of the zoom, each once.
  func sheet(of reader: ArchiveReader) throws(ArchiveError) -> ArchiveGallery.Sheet {
    var sheet = ArchiveGallery.Sheet(zoom: zoom)
    sheet.densest = try shown(found[2], reader) ?? first
    let median = try shown(found[1], reader)
    if median != sheet.densest { sheet.median = median }
    let emptiest = try shown(found[0], reader)
    if emptiest != sheet.densest, emptiest != median { sheet.emptiest = emptiest }
    return sheet
  }

  /// Returns the first tile that is not blank.
  private func shown(
    _ tiles: [GalleryTile], _ reader: ArchiveReader
  ) throws(ArchiveError) -> GalleryTile? {
    for tile in tiles {
      guard let bytes = try reader.tile(tile.tile) else { continue }
      let isBlank = unsafe bytes.withUnsafeBytes {
        (try? unsafe PictureStructure($0))?.isBlank ?? false
      }
      if !isBlank { return tile }
    }
    return tiles.first
  }
}

/// The tiles with the most bytes of all that pass in archive order.
private struct LargestTiles {
  let limit: Int
  private(set) var tiles: [GalleryTile] = []

  mutating func add(_ tile: GalleryTile) {
    guard limit > 0 else { return }
    if tiles.count == limit, let last = tiles.last, last.bytes >= tile.bytes { return }
    let index = tiles.firstIndex { $0.bytes < tile.bytes } ?? tiles.endIndex
    tiles.insert(tile, at: index)
    if tiles.count > limit { tiles.removeLast() }
  }
}
