import Columns
import Tiling

/// The statistics of an archive whose contents are known.
struct ContentTally {
  /// The zooms that have tiles, ascending.
  let zooms: [ZoomStatistics]

  /// The number and the bytes of the distinct images.
  let distinct: Int
  let distinctBytes: Int

  /// - Complexity: O(tiles).
  init(_ contents: ArchiveContents, _ layout: ArchiveLayout) {
    switch layout {
    case .dedup: self.init(byRowsOf: contents)
    case .flat: self.init(byNamesOf: contents)
    }
  }

  /// Counts tiles whose images are stored once: equal images have one row.
  private init(byRowsOf contents: ArchiveContents) {
    var zooms: [ZoomStatistics] = []
    var sizes = SizeCounter()
    var (distinct, distinctBytes) = (0, 0)
    /// The first number of the zoom, and the rows of lower zooms that it has shown.
    var start: UInt64 = 0
    var shown: Set<UInt64> = []
    func endZoom() {
      guard !zooms.isEmpty else { return }
      zooms[zooms.count - 1].sizes = sizes.sizes
      sizes = SizeCounter()
      shown.removeAll(keepingCapacity: true)
    }
    for index in 0..<contents.count {
      let (number, row) = (contents.tiles[index], contents.imageRows[index])
      guard let tile = TileCoord(number: number) else { continue }
      if zooms.last?.zoom != tile.z {
        endZoom()
        zooms.append(ZoomStatistics(first: tile))
        start = TileCoord.firstNumber(ofZoom: tile.z)
      }
      let size = contents.sizes[index]
      if row == number {
        distinct += 1
        distinctBytes += size.bytes
      }
      zooms[zooms.count - 1].count(
        tile, bytes: size.bytes, isBlank: size.isBlank,
        isNew: row == number || row < start && shown.insert(row).inserted)
      if !size.isBlank { sizes.add(size.bytes) }
    }
    endZoom()
    self.zooms = zooms
    self.distinct = distinct
    self.distinctBytes = distinctBytes
  }

  /// Counts tiles each of which is stored with its image.
  private init(byNamesOf contents: ArchiveContents) {
    var tally = TileTally(in: contents.tiles.scratch)
    var names = ImageIndex(in: contents.tiles.scratch)
    for index in 0..<contents.count {
      guard let tile = TileCoord(number: contents.tiles[index]) else { continue }
      let (image, size) = (contents.images[index], contents.sizes[index])
      var number = names.number(of: image)
      if number == nil {
        tally.addImage(count: size.bytes, isBlank: size.isBlank)
        number = names.add(image)
      }
      if let number { tally.addTile(tile, image: number) }
    }
    zooms = tally.statistics()
    distinct = names.count
    distinctBytes = tally.imageBytes
  }
}
