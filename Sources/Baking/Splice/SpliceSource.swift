import Features
import Hashing
import MBTiles
import Reuse
import SystemPackage
import Tiling

/// The images and UTFGrids of the rows of an archive that is made from the last one.
struct SpliceSource {
  private let state: TileState
  private let difference: RowDifference
  private let fresh: RepaintedImages
  private let stored: StoredImages

  /// The grids of the last archive; `nil` for an archive without.
  private let storedGrids: StoredKeys?

  /// The index of the last archive's tile that is examined next, and of the next added row.
  private var old = 0
  private var added = 0
  private var buffer: [UInt8] = []

  /// The hashes of images that several tiles show.
  private var hashes: [MD5Digest: SHA256Digest] = [:]

  private static let keptHashes = 1 << 16

  init(
    _ archive: FilePath, _ state: TileState, _ difference: RowDifference, _ fresh: RepaintedImages
  ) throws(ArchiveError) {
    self.state = state
    self.difference = difference
    self.fresh = fresh
    stored = try StoredImages(archive, layout: state.layout)
    storedGrids =
      state.contents.grids == nil ? nil : try StoredKeys(ArchiveReader(archive))
  }

  /// Returns the image of a row; rows are requested in archive order.
  mutating func image(of row: PlannedRowCursor.Row) throws -> RepaintedImages.Image {
    if isAdded(row) {
      guard let image = fresh.images[row.scene] else { throw ArchiveSplice.StaleState() }
      return image
    }
    try find(row)
    return image(ofTile: old)
  }

  /// The name of a grid, and the number of the last archive's row that holds it; `nil` for a fresh one.
  struct GridPlace {
    let name: MD5Digest
    let row: UInt64?
  }

  /// Returns the grid of a row whose image was requested last; `nil` for a row without. Its bytes are
  /// valid until the next call.
  ///
  /// - Parameter first: returns the number of the first tile that shows a grid.
  mutating func grid(
    of row: PlannedRowCursor.Row, first: (GridPlace) -> UInt64
  ) throws -> SplicedGrid? {
    if let grid = fresh.grids[row.number] {
      let first = first(GridPlace(name: grid.md5, row: nil))
      return first < row.number
        ? SplicedGrid(grid.md5, of: first, keyHashes: grid.keys.map { GridKey.hash($0) })
        : SplicedGrid(grid.md5, grid.bytes, keys: grid.keys, row: first)
    }
    guard let grids = state.contents.grids, let storedGrids, !isNext(row), grids.rows[old] != 0
    else { return nil }
    let name = grids.names[old]
    let first = first(GridPlace(name: name, row: grids.rows[old]))
    if first < row.number {
      return SplicedGrid(name, of: first, keyHashes: Array(grids.keys[grids.keyRange(old)]))
    }
    let keys = try storedGrids.keys(ofGrid: name.description)
    let bytes = try storedGrids.grid(name.description)
    guard MD5Digest(of: bytes) == name, keys.count == grids.keyRange(old).count else {
      throw ArchiveSplice.StaleState()
    }
    return SplicedGrid(name, bytes, keys: keys, row: first)
  }

  /// Whether a row is the next added one.
  private func isNext(_ row: PlannedRowCursor.Row) -> Bool {
    added < difference.added.count && difference.added[added].number == row.number
  }

  /// Goes on to a row among the added ones; returns whether it is one of them.
  private mutating func isAdded(_ row: PlannedRowCursor.Row) -> Bool {
    if added < difference.added.count, difference.added[added].number < row.number {
      added = difference.firstAdded(from: row.number)
    }
    return isNext(row)
  }

  /// Goes on to a row among those of the last archive.
  private mutating func find(_ row: PlannedRowCursor.Row) throws {
    let tiles = state.contents.tiles
    // Rows that change are often consecutive, so the next tile is tried first.
    if old < tiles.count, tiles[old] != row.number { old += 1 }
    if old >= tiles.count || tiles[old] != row.number {
      old = state.contents.index(from: row.number)
    }
    guard old < tiles.count, tiles[old] == row.number else { throw ArchiveSplice.StaleState() }
  }

  private func image(ofTile index: Int) -> RepaintedImages.Image {
    RepaintedImages.Image(ofTile: index, in: state.contents)
  }

  /// Calls `body` with the bytes of an image.
  ///
  /// - Throws: also ``ArchiveSplice/StaleState`` if the last archive does not hold it.
  mutating func withBytes(
    of image: RepaintedImages.Image, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    switch image.source {
    case .painted(let place): try body(place)
    case .row(let row):
      buffer.removeAll(keepingCapacity: true)
      guard stored.append(Int64(row), named: image.md5, to: &buffer),
        buffer.withUnsafeBytes({ MD5Digest(of: $0) }) == image.md5
      else { throw ArchiveSplice.StaleState() }
      try buffer.withUnsafeBytes(body)
    }
  }

  /// Adds the hash of a block of tiles, if it has any.
  mutating func append(_ block: TileCoord, to blocks: inout BlockHashes) throws {
    let shift = UInt64(2 * BlockHashes.sideBits)
    let first = TileCoord.firstNumber(ofZoom: block.z)
    let start = first + TileKey(block).rawValue << shift
    let end = min(start + 1 << shift, TileCoord.firstNumber(ofZoom: block.z + 1))
    var tree = DigestTree()
    var tile = state.contents.index(from: start)
    var removed = difference.firstRemoved(from: tile)
    var row = difference.firstAdded(from: start)
    while true {
      let isRemoved =
        removed < difference.removed.count && Int(difference.removed[removed]) == tile
      let stays = tile < state.contents.count ? state.contents.tiles[tile] : .max
      let comes = row < difference.added.count ? difference.added[row].number : .max
      guard min(stays, comes) < end else { break }
      if isRemoved {
        (tile, removed) = (tile + 1, removed + 1)
      } else if stays < comes {
        try add(stays, image(ofTile: tile), to: &tree)
        tile += 1
      } else {
        guard let image = fresh.images[difference.added[row].scene] else {
          throw ArchiveSplice.StaleState()
        }
        try add(comes, image, to: &tree)
        row += 1
      }
    }
    blocks.append(contentsOf: tree.finish())
  }

  private mutating func add(
    _ number: UInt64, _ image: RepaintedImages.Image, to tree: inout DigestTree
  ) throws {
    guard let tile = TileCoord(number: number) else { throw ArchiveSplice.StaleState() }
    if let known = hashes[image.md5] { return tree.add(tile, known) }
    var hash: SHA256Digest?
    try withBytes(of: image) { hash = SHA256Digest(of: $0) }
    guard let hash else { throw ArchiveSplice.StaleState() }
    if hashes.count >= Self.keptHashes { hashes.removeAll(keepingCapacity: true) }
    hashes[image.md5] = hash
    tree.add(tile, hash)
  }
}
