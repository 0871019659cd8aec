/// The root of the hash tree over an archive's tiles, as docs/archive.md describes it.
struct DigestTree {
  /// The tiles along a side of a block.
  private static let blockBits = 6

  private var root = SHA256Hash()
  private var block = SHA256Hash()
  private var blockName: String?
  private var lastKey: UInt64?

  /// Adds the next tile by zoom and quadkey.
  ///
  /// - Returns: whether the tile is after all those before.
  mutating func add(_ tile: TileAddress, _ digest: [UInt8]) -> Bool {
    let key = Self.key(tile)
    if let lastKey, key <= lastKey { return false }
    lastKey = key
    let name =
      "\(tile.zoom)/\(tile.column >> Self.blockBits)/\(tile.row >> Self.blockBits)\n"
    if name != blockName {
      finishBlock()
      blockName = name
    }
    block.update(Array("\(tile)\n".utf8))
    block.update(digest)
    return true
  }

  /// Returns the root over all tiles so far, in lower-case hexadecimal digits.
  mutating func finish() -> String {
    finishBlock()
    return root.text
  }

  private mutating func finishBlock() {
    guard let blockName else { return }
    root.update(Array(blockName.utf8))
    root.update(block.finish())
    block = SHA256Hash()
    self.blockName = nil
  }

  /// The place of a tile in the order of archives: the zoom above the quadkey, in which each zoom
  /// has two bits, the row's above the column's.
  static func key(_ tile: TileAddress) -> UInt64 {
    UInt64(tile.zoom) << 58 | spread(UInt64(tile.row)) << 1 | spread(UInt64(tile.column))
  }

  /// Returns a number of at most 29 bits with a zero above each of them.
  private static func spread(_ number: UInt64) -> UInt64 {
    var bits = number & 0x1FFF_FFFF
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }
}

/// The tiles of an archive, read one after the other to compute their digest.
///
/// Archives store their tiles in the order of the tree, also after deltas. For an archive in another
/// order the digests of all tiles are collected and sorted.
struct DigestScan {
  private let file: SQLiteFile
  private var rows: SQLiteRows
  private var tree = DigestTree()
  private var unsorted: [(tile: TileAddress, digest: [UInt8])]?

  /// The number of tiles that one step reads.
  private static let portion = 256

  init(_ file: SQLiteFile) throws(ClientError) {
    self.file = file
    rows = try file.prepare(try Self.query(file))
  }

  private static func query(_ file: SQLiteFile) throws(ClientError) -> String {
    let columns = "zoom_level, tile_column, tile_row, tile_data"
    let tables = try ArchiveInfo.tables(file)
    guard tables.isSuperset(of: ["map", "images"]) else {
      return "SELECT \(columns) FROM tiles ORDER BY rowid"
    }
    return "SELECT \(columns) FROM map JOIN images ON images.tile_id = map.tile_id"
      + " ORDER BY map.rowid"
  }

  /// Reads some tiles; returns the digest after the last one.
  mutating func step() throws(ClientError) -> String? {
    for _ in 0..<Self.portion {
      guard try rows.step() else { return finish() }
      guard (0...TileAddress.maxZoom).contains(rows.integer(0)) else { throw impossible }
      let zoom = rows.integer(0)
      let tile = TileAddress(
        zoom: zoom, column: rows.integer(1), row: (1 << zoom) - 1 &- rows.integer(2))
      guard tile.isValid else { throw impossible }
      let digest = rows.withBytes(3) { bytes in
        var hash = SHA256Hash()
        hash.update(bytes)
        return hash.finish()
      }
      if unsorted != nil {
        unsorted?.append((tile, digest))
      } else if !tree.add(tile, digest) {
        unsorted = []
        rows = try file.prepare(try Self.query(file))
      }
    }
    return nil
  }

  private var impossible: ClientError {
    .damaged(file: file.name, reason: "it has a tile that cannot be")
  }

  private mutating func finish() -> String {
    guard let unsorted else { return tree.finish() }
    var tree = DigestTree()
    for (tile, digest) in unsorted.sorted(by: { DigestTree.key($0.tile) < DigestTree.key($1.tile) })
    {
      // Of two tiles at one place the second is left out; the digest tells that something is wrong.
      _ = tree.add(tile, digest)
    }
    return tree.finish()
  }

  /// Compares the digest with the one that the metadata or a list promise.
  static func require(
    _ expected: String, in file: SQLiteFile, isStopped: () -> Bool
  ) throws(ClientError) {
    var scan = try DigestScan(file)
    var found: String?
    while found == nil {
      if isStopped() { throw ClientError.cancelled }
      found = try scan.step()
    }
    guard let found, found == expected else {
      throw ClientError.otherDigest(file: file.name, expected: expected, found: found ?? "none")
    }
  }
}

extension MapArchive {
  /// Verifies that the tiles are those of the archive's digest.
  ///
  /// Other calls are answered meanwhile.
  ///
  /// - Throws: ``ClientError/otherDigest(file:expected:found:)`` if a tile differs,
  ///   ``ClientError/damaged(file:reason:)`` if one cannot be read, and
  ///   ``ClientError/notArchive(file:reason:)`` if the archive has no digest.
  /// - Complexity: O(bytes of the tiles).
  public func verify() async throws(ClientError) {
    guard let expected = info.digest else {
      throw ClientError.notArchive(file: file.name, reason: "it has no 'quadrille:digest'")
    }
    var scan = try DigestScan(file)
    while true {
      if Task.isCancelled { throw ClientError.cancelled }
      if let found = try scan.step() {
        guard found == expected else {
          throw ClientError.otherDigest(file: file.name, expected: expected, found: found)
        }
        return
      }
      await Task.yield()
    }
  }
}
