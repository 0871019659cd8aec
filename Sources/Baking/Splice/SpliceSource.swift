import Features
import Hashing
import MBTiles
import Reuse
import SystemPackage
import Tiling

/// The images of the rows of an archive that is made from the last one.
struct SpliceSource {
  private let state: TileState
  private let difference: RowDifference
  private let fresh: FreshImages
  private let stored: StoredImages

  /// The index of the last archive's tile that is looked at next, and of the next added row.
  private var old = 0
  private var added = 0
  private var buffer: [UInt8] = []

  /// The hashes of images that several tiles show.
  private var hashes: [MD5Digest: SHA256Digest] = [:]

  private static let keptHashes = 1 << 16

  init(
    _ archive: FilePath, _ state: TileState, _ difference: RowDifference, _ fresh: FreshImages
  ) throws(ArchiveError) {
    self.state = state
    self.difference = difference
    self.fresh = fresh
    stored = try StoredImages(archive, layout: state.layout)
  }

  /// Returns the image of a row; rows are requested in archive order.
  mutating func image(of row: PlannedRowCursor.Row) throws -> FreshImages.Image {
    if added < difference.added.count, difference.added[added].number < row.number {
      added = difference.firstAdded(from: row.number)
    }
    if added < difference.added.count, difference.added[added].number == row.number {
      guard let image = fresh.images[row.scene] else { throw ArchiveSplice.Misfit() }
      return image
    }
    let tiles = state.contents.tiles
    // Rows that are written anew follow one another.
    if old < tiles.count, tiles[old] != row.number { old += 1 }
    if old >= tiles.count || tiles[old] != row.number {
      old = state.contents.index(from: row.number)
    }
    guard old < tiles.count, tiles[old] == row.number else { throw ArchiveSplice.Misfit() }
    return image(ofTile: old)
  }

  private func image(ofTile index: Int) -> FreshImages.Image {
    FreshImages.Image(ofTile: index, in: state.contents)
  }

  /// Calls `body` with the bytes of an image.
  ///
  /// - Throws: also ``ArchiveSplice/Misfit`` if the last archive does not hold it.
  mutating func withBytes(
    of image: FreshImages.Image, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    switch image.source {
    case .painted(let place): try body(place)
    case .row(let row):
      buffer.removeAll(keepingCapacity: true)
      guard stored.append(Int64(row), named: image.md5, to: &buffer),
        buffer.withUnsafeBytes({ MD5Digest(of: $0) }) == image.md5
      else { throw ArchiveSplice.Misfit() }
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
          throw ArchiveSplice.Misfit()
        }
        try add(comes, image, to: &tree)
        row += 1
      }
    }
    blocks.append(contentsOf: tree.finish())
  }

  private mutating func add(
    _ number: UInt64, _ image: FreshImages.Image, to tree: inout DigestTree
  ) throws {
    guard let tile = TileCoord(number: number) else { throw ArchiveSplice.Misfit() }
    if let known = hashes[image.md5] { return tree.add(tile, known) }
    var hash: SHA256Digest?
    try withBytes(of: image) { hash = SHA256Digest(of: $0) }
    guard let hash else { throw ArchiveSplice.Misfit() }
    if hashes.count >= Self.keptHashes { hashes.removeAll(keepingCapacity: true) }
    hashes[image.md5] = hash
    tree.add(tile, hash)
  }
}
