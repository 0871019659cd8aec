package import Columns
import Files
package import Hashing
package import Tiling

/// A builder of the hash tree over the tiles of an archive, whose root is ``TileHashes/digest``.
///
/// A block is the tiles of one zoom in a square of 64 × 64 places of the grid, so that a tile that
/// changes touches one block. The hash of a block is the SHA-256 over its tiles in archive order,
/// each as `z/x/y\n` in decimal ASCII (y is the XYZ row) and the SHA-256 of its bytes; the root is
/// the SHA-256 over the blocks in the same order, each as `z/X/Y\n` with X and Y a 64th of x and y,
/// rounded down, and its hash (docs/archive.md).
package struct DigestTree {
  /// The bytes of a block that are hashed at once, since each call costs as much as many bytes.
  private static let portion = 4096

  private var blocks: BlockHashes
  private var block: TileCoord?
  private var hash = SHA256()
  private var waiting: [UInt8] = []

  package init(in scratch: Scratch? = nil) {
    blocks = BlockHashes(in: scratch)
  }

  /// Adds the next tile in archive order.
  package mutating func add(_ tile: TileCoord, _ bytes: SHA256Digest) {
    let block = BlockHashes.block(of: tile)
    if block != self.block {
      endBlock()
      self.block = block
    }
    Self.append(tile, bytes, to: &waiting)
    if waiting.count >= Self.portion { flush() }
  }

  /// Returns the hashes of all blocks.
  package mutating func finish() -> BlockHashes {
    endBlock()
    block = nil
    return blocks
  }

  private mutating func endBlock() {
    guard let block else { return }
    flush()
    blocks.append(block, hash.finalize().withUnsafeBytes { SHA256Digest(bytes: $0) })
    hash = SHA256()
  }

  private mutating func flush() {
    waiting.withUnsafeBytes { hash.update(bufferPointer: $0) }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Appends a place as `z/x/y\n`, and a hash.
  fileprivate static func append(
    _ place: TileCoord, _ hash: SHA256Digest, to bytes: inout [UInt8]
  ) {
    append(place.z, &bytes, UInt8(ascii: "/"))
    append(place.x, &bytes, UInt8(ascii: "/"))
    append(place.y, &bytes, UInt8(ascii: "\n"))
    hash.withBytes { bytes.append(contentsOf: $0) }
  }

  /// Appends a number in decimal, and a character.
  private static func append(_ number: Int, _ bytes: inout [UInt8], _ end: UInt8) {
    if number >= 10 {
      append(number / 10, &bytes, UInt8(ascii: "0") + UInt8(number % 10))
    } else {
      bytes.append(UInt8(ascii: "0") + UInt8(number))
    }
    bytes.append(end)
  }
}

/// The hashes of an archive's blocks of tiles, see ``DigestTree``: the level below its digest.
package struct BlockHashes: Sendable {
  /// The side of a block is 2⁶ tiles.
  package static let sideBits = 6

  /// The `archiveKey` of each block's place (``block(of:)``), ascending.
  package private(set) var keys: Column<UInt64>
  package private(set) var hashes: Column<SHA256Digest>

  package init(in scratch: Scratch? = nil) {
    keys = Column(in: scratch)
    hashes = Column(in: scratch)
  }

  /// Creates the hashes from columns of equal length.
  package init(keys: Column<UInt64>, hashes: Column<SHA256Digest>) {
    self.keys = keys
    self.hashes = hashes
  }

  /// Returns the place of a tile's block: the tile's zoom, and its column and row divided by 64.
  package static func block(of tile: TileCoord) -> TileCoord {
    TileCoord(z: tile.z, x: tile.x >> sideBits, y: tile.y >> sideBits)
  }

  package mutating func append(_ block: TileCoord, _ hash: SHA256Digest) {
    keys.append(block.archiveKey)
    hashes.append(hash)
  }

  /// Appends later blocks.
  package mutating func append(contentsOf others: BlockHashes) {
    keys.append(contentsOf: others.keys)
    hashes.append(contentsOf: others.hashes)
  }

  package var count: Int { keys.count }

  /// The root of the tree, in lower-case hexadecimal digits.
  package var digest: String {
    var root = SHA256()
    var line: [UInt8] = []
    for (index, key) in keys.enumerated() {
      line.removeAll(keepingCapacity: true)
      DigestTree.append(TileCoord(archiveKey: key), hashes[index], to: &line)
      line.withUnsafeBytes { root.update(bufferPointer: $0) }
    }
    return Hexadecimal.text(root.finalize())
  }
}
