package import MBTiles
import Columns
import Pictures
package import Tiling

/// A selection of an archive's tiles.
package struct TileSelection {
  /// Whether all tiles of an archive are selected.
  package var isEverything: Bool { area == nil && zooms == 0...TileCoord.maxZoom }

  /// The selected zooms.
  package var zooms = 0...TileCoord.maxZoom

  /// The area that tiles must meet; `nil` for the whole world.
  package var area: (any TileArea)?
}

/// The selected tiles of an archive, in archive order.
///
/// A missing tile is not a transparent one: readers draw an enlarged parent there. A
/// non-rectangular area omits tiles inside the archive's new bounds, which readers request: those
/// whose parents are selected and drawn become transparent ones. Outside of the bounds readers do
/// not request tiles.
package struct SelectedTiles {
  private let reader: ArchiveReader
  private let selection: TileSelection

  /// Returns the bytes of a transparent picture with this many pixels per side.
  private let transparent: (_ size: Int) -> [UInt8]

  /// The statistics of the selected tiles, by zoom: rows, columns and bytes; distinct images are
  /// not counted.
  package private(set) var zooms: [ZoomStatistics] = []

  /// The number of tiles that were made transparent.
  package private(set) var cleared = 0

  /// The tiles that close gaps between zooms; `nil` for a container that may have gaps.
  package var gaps: ZoomGaps?

  /// The number of skipped rows without bytes.
  package private(set) var hollow = 0

  /// The number of rows skipped because a row of the same tile came before.
  package private(set) var repeated = 0

  /// The number of rows skipped because they do not name a tile.
  package private(set) var misplaced = 0

  /// The number of rows that were read.
  package private(set) var read = 0

  /// Keys of the drawn tiles that were selected in the zoom before and in this one, ascending.
  private var parents = ContiguousArray<UInt64>()
  private var drawn = ContiguousArray<UInt64>()
  private var zoom = -1
  private var blank: (size: Int, bytes: [UInt8])?

  /// Whether all rows of the archive were taken, as they are.
  package var isWhole: Bool {
    selection.isEverything
      && cleared + hollow + repeated + misplaced + (gaps?.count ?? 0) == 0
  }

  package init(
    _ reader: ArchiveReader, _ selection: TileSelection,
    transparent: @escaping (_ size: Int) -> [UInt8]
  ) {
    self.reader = reader
    self.selection = selection
    self.transparent = transparent
  }

  /// Calls `body` with each tile and whether it was made transparent; `body` may throw to stop.
  ///
  /// - Complexity: O(tiles of the archive) and 8 bytes per tile of two zooms where the area is not
  ///   a box.
  package mutating func forEach(
    _ body: (TileCoord, UnsafeRawBufferPointer, _ isCleared: Bool) throws -> Void
  ) throws {
    var area = selection.area
    var parentArea = selection.area
    let box = (selection.area is BoxArea) ? nil : selection.area.map { BoxArea($0.bounds) }
    // A condition on zooms would hide rows with an invalid zoom.
    let zooms = selection.zooms == 0...TileCoord.maxZoom ? nil : selection.zooms
    var cursor = try TileCursor(reader, content: .bytes, zooms: zooms, keepsHollow: true)
    try cursor.step()
    while let tile = cursor.tile {
      read += 1
      enter(zoom: tile.z)
      let isTaken = area?.meets(tile) ?? true
      if isTaken {
        try cursor.withContent { bytes in
          try take(tile, bytes, keepsKey: box != nil, isCleared: false, body)
        }
      } else if let box, let parent = tile.parent, box.meets(tile),
        parentArea?.meets(parent) ?? true, parents.hasKey(parent.archiveKey),
        let size = cursor.withContent({ (try? PictureStructure($0))?.width })
      {
        cleared += 1
        if blank?.size != size { blank = (size, transparent(size)) }
        try (blank?.bytes ?? []).withUnsafeBytes {
          try take(tile, $0, keepsKey: false, isCleared: true, body)
        }
      }
      try cursor.step()
      if isTaken { repeated += cursor.repeated }
    }
    misplaced = cursor.misplaced
  }

  private mutating func enter(zoom: Int) {
    guard zoom != self.zoom else { return }
    parents = zoom == self.zoom + 1 ? drawn : []
    drawn.removeAll()
    self.zoom = zoom
  }

  private mutating func count(_ tile: TileCoord, bytes: Int) {
    if zooms.last?.zoom != tile.z { zooms.append(ZoomStatistics(first: tile)) }
    zooms[zooms.count - 1].include(tile, bytes: bytes)
  }

  private mutating func take(
    _ tile: TileCoord, _ bytes: UnsafeRawBufferPointer, keepsKey: Bool, isCleared: Bool,
    _ body: (TileCoord, UnsafeRawBufferPointer, _ isCleared: Bool) throws -> Void
  ) throws {
    guard bytes.count > 0 else {
      hollow += 1
      return
    }
    for added in try gaps?.tiles(before: tile, bytes) ?? [] {
      count(added.tile, bytes: added.bytes.count)
      try added.bytes.withUnsafeBytes { try body(added.tile, $0, true) }
    }
    count(tile, bytes: bytes.count)
    if keepsKey {
      let isBlank = bytes.count <= 1024 && (try? PictureStructure(bytes))?.isBlank == true
      if !isBlank { drawn.append(tile.archiveKey) }
    }
    try body(tile, bytes, isCleared)
  }
}

extension ContiguousArray<UInt64> {
  /// Whether an ascending array contains a key.
  ///
  /// - Complexity: O(log count).
  package func hasKey(_ key: UInt64) -> Bool {
    let index = bisectedIndex(notBefore: { $0 < key })
    return index < count && self[index] == key
  }
}
