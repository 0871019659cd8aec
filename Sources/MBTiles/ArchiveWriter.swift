package import SystemPackage
package import TapBlocks
package import Tiling

/// An image of the archive under construction.
package struct ImageRef: Hashable, Sendable {
  /// Counted from 0 in order of first use.
  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }
}

/// Writes one archive, once, from front to back: the only writer there is.
///
/// Images come in the order of their first use and tiles in archive order (zoom, column, TMS row),
/// so equal input gives equal bytes. Nothing is synced or journalled: the file is a temporary one
/// (``ArchivePublication``), and after any error it is thrown away. Not for use by two threads at
/// once. The fingerprints are computed on threads of their own meanwhile; the indexes of 970,000 tiles
/// with 430,000 images take 0.4 s. Memory is 100 bytes a distinct image and 8 a tile.
package final class ArchiveWriter {
  private let path: FilePath
  private let layout: ArchiveLayout
  private var tables: ArchiveTables?
  private let store: ImageStore
  private let hasher = TileHasher()
  private let knownHashes: TileHashes?
  private var batch: TileBatch
  private var index = ImageIndex()
  /// Where the bytes of each image are kept; without an address where they are not.
  private var places: ContiguousArray<UnsafeRawBufferPointer> = []
  private var tally = TileTally()

  /// The number of images that tiles have shown; the next new one must be this.
  private var usedImages = 0

  /// One more than the key of the tile before, so that 0 is before the first.
  private var nextKey: UInt64 = 0

  /// Creates the file, which must not exist, and an unlinked one for the images' bytes.
  ///
  /// - Parameters:
  ///   - scratch: the folder of the unlinked file; `nil` is the archive's own.
  ///   - hashes: the fingerprints of all tiles that will come, if they are known; otherwise they are
  ///     computed.
  ///   - hasGrids: whether tables for taps are made; only in the layout `dedup`.
  ///   - hasTaps: whether tables for compact taps are made.
  ///   - isStopped: whether the run is to end; making the indexes then ends with
  ///     ``ArchiveError/Code/stopped``.
  package init(
    path: FilePath, layout: ArchiveLayout, scratch: FilePath? = nil, hashes: TileHashes? = nil,
    hasGrids: Bool = false, hasTaps: Bool = false,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(ArchiveError) {
    self.path = path
    self.layout = layout
    knownHashes = hashes
    tables = try ArchiveTables(
      path: path, layout: layout, hasGrids: hasGrids && layout == .dedup, hasTaps: hasTaps,
      isStopped: isStopped)
    store = try ImageStore(
      path: FilePath(
        (scratch?.appending(path.lastComponent?.string ?? "tiles") ?? path).string + "-images"))
    batch = hasher.batch()
  }

  deinit {
    // Batches on their way refer to the store's bytes.
    hasher.wait()
  }

  /// Of rows and indexes, after the end; `nil` before it.
  package private(set) var checksum: ContentChecksum?

  /// What the tiles so far amount to, by zoom.
  package var statistics: [ZoomStatistics] { tally.statistics() }

  /// Adds an image unless one of the same MD5 is there, and returns its reference either way.
  ///
  /// - Parameters:
  ///   - bytes: The PNG; not needed after the call.
  ///   - md5: Its digest, which workers compute in parallel.
  ///   - checksum: Its ``ImageChecksum``; `nil` where nobody has computed it.
  package func addImage(
    _ bytes: UnsafeRawBufferPointer, md5: MD5Digest, checksum: UInt64? = nil
  ) throws(ArchiveError) -> ImageRef {
    if let number = index.number(of: md5) {
      // It was thought to be shown once.
      if places[number].baseAddress == nil { places[number] = try store.store(bytes) }
      return ImageRef(number: Int32(number))
    }
    let place = try store.store(bytes)
    return try addImage(bytes, md5: md5, checksum, keptAt: place)
  }

  private func addImage(
    _ bytes: UnsafeRawBufferPointer, md5: MD5Digest, _ checksum: UInt64?,
    keptAt place: UnsafeRawBufferPointer
  ) throws(ArchiveError) -> ImageRef {
    guard let tables, index.count < Int32.max else { throw misuse("an image after the end") }
    places.append(place)
    if layout == .dedup {
      try tables.insertImage(bytes, name: md5, checksum: checksum ?? ImageChecksum.of(bytes))
    }
    // The blank tile of any size is far shorter than this, so others need not be looked into.
    let isBlank = bytes.count <= 1024 && (try? PNGStructure(bytes))?.isBlank == true
    tally.addImage(count: bytes.count, isBlank: isBlank)
    return ImageRef(number: Int32(index.add(md5)))
  }

  /// The image of an MD5, if it was added.
  ///
  /// - Complexity: O(1) on average.
  package func image(of md5: MD5Digest) -> ImageRef? {
    index.number(of: md5).map { ImageRef(number: Int32($0)) }
  }

  /// Adds a tile that shows an image, and a grid if it answers taps.
  ///
  /// - Throws: ``ArchiveError/Code/misuse`` if the tile does not come after the one before, or if an
  ///   image that came earlier has not been shown yet.
  package func addTile(
    _ tile: TileCoord, _ image: ImageRef, grid: GridRef? = nil
  ) throws(ArchiveError) {
    let number = Int(image.number)
    guard places.indices.contains(number), places[number].baseAddress != nil else {
      throw misuse("tile \(tile), whose image \(number) it does not have")
    }
    try insert(tile, number, store.bytes(at: places[number]), grid: grid)
    guard knownHashes == nil else { return }
    batch.append(tile.archiveKey, at: places[number])
    if batch.isFull { try submit() }
  }

  /// Adds a tile and an image that no other tile is going to show: its bytes are not kept, which
  /// spares writing them twice.
  ///
  /// Should another tile show the image after all, it has to be added once more before.
  /// - Parameters:
  ///   - checksum: The image's ``ImageChecksum``; `nil` where nobody has computed it.
  ///   - grid: Adds the tile's grid, if it has one. The image is inserted before the grid, as where
  ///     both are added by themselves: the file's bytes depend on the order.
  /// - Returns: the image, as ``addImage(_:md5:checksum:)`` would.
  package func addTile(
    _ tile: TileCoord, showingOnly bytes: UnsafeRawBufferPointer, md5: MD5Digest,
    checksum: UInt64? = nil, grid: () throws -> GridRef? = { nil }
  ) throws -> ImageRef {
    guard index.number(of: md5) == nil else {
      let image = try addImage(bytes, md5: md5, checksum: checksum)
      try addTile(tile, image, grid: try grid())
      return image
    }
    let place = UnsafeRawBufferPointer(start: nil, count: 0)
    let image = try addImage(bytes, md5: md5, checksum, keptAt: place)
    try insert(tile, Int(image.number), bytes, grid: try grid())
    guard knownHashes == nil else { return image }
    if !batch.append(tile.archiveKey, copying: bytes) {
      try submit()
      // An empty batch always has room.
      _ = batch.append(tile.archiveKey, copying: bytes)
    }
    if batch.isFull { try submit() }
    return image
  }

  /// Inserts a tile, and counts it.
  private func insert(
    _ tile: TileCoord, _ number: Int, _ bytes: UnsafeRawBufferPointer, grid: GridRef?
  ) throws(ArchiveError) {
    guard let tables, tile.isValid, tile.archiveKey >= nextKey else {
      throw misuse("tile \(tile), which is out of order")
    }
    guard number <= usedImages else {
      throw misuse("tile \(tile), whose image \(number) is not the next one")
    }
    if number == usedImages { usedImages += 1 }
    nextKey = tile.archiveKey + 1
    switch layout {
    case .dedup:
      try tables.insertTile(
        tile, name: index.digests[number],
        grid: grid.flatMap { tables.grids?.use($0, by: tile) })
    case .flat:
      try tables.insertTile(tile, bytes: bytes)
    }
    tally.addTile(tile, image: number)
  }

  /// Adds a grid and its keys unless one of the same MD5 is there, and returns its reference.
  ///
  /// - Parameters:
  ///   - bytes: As ``UTFGridEncoder`` writes them.
  ///   - keys: What the grid names, without "", ascending: so a delta can do the same.
  package func addGrid(
    _ bytes: UnsafeRawBufferPointer, md5: MD5Digest, keys: some Sequence<[UInt8]>
  ) throws(ArchiveError) -> GridRef {
    guard let grids = tables?.grids else { throw misuse("a grid") }
    return try grids.add(bytes, md5: md5, keys: keys)
  }

  /// The grid of an MD5, if it was added.
  package func grid(of md5: MD5Digest) -> GridRef? { tables?.grids?.grid(of: md5) }

  /// Adds what a key stands for; each key once, in the order in which grids first name them.
  package func addEntry(key: [UInt8], json: [UInt8]) throws(ArchiveError) {
    guard let grids = tables?.grids else { throw misuse("a key") }
    try grids.addEntry(key: key, json: json)
  }

  /// Adds a block of compact taps.
  ///
  /// - Parameters:
  ///   - stream: its bytes, compressed.
  ///   - tiles: how many of its tiles answer.
  package func addTaps(
    _ coord: TapBlockCoord, _ stream: [UInt8], tiles: Int
  ) throws(ArchiveError) {
    guard let taps = tables?.taps else { throw misuse("taps") }
    try taps.add(coord, stream, tiles: tiles)
  }

  /// Adds what features of compact taps are: a page, compressed, of so many entries, whose first one's
  /// number is greater than all before.
  package func addTapEntries(
    first: UInt32, _ stream: [UInt8], count: Int
  ) throws(ArchiveError) {
    guard let taps = tables?.taps else { throw misuse("taps") }
    try taps.add(first: first, stream, count: count)
  }

  /// What was written for taps, and the value of ``ArchiveMetadata/tapsKey``; `nil` without them and
  /// after the end.
  package var taps: (summary: GridSummary, digest: String)? {
    tables?.grids.map { ($0.summary, $0.digest) }
      ?? tables?.taps.map { ($0.summary, $0.digest) }
  }

  /// Lends the bytes of an image that was added; none where they were not kept.
  package func withBytes<Result>(
    of image: ImageRef, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let number = Int(image.number)
    guard places.indices.contains(number) else {
      return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return try body(store.bytes(at: places[number]))
  }

  /// Adds a tile, and its image if that is new.
  package func append(_ encoded: EncodedTile) throws(ArchiveError) {
    let image = try encoded.bytes.withUnsafeBufferPointer { (bytes) throws(ArchiveError) in
      try addImage(UnsafeRawBufferPointer(bytes), md5: encoded.md5)
    }
    try addTile(encoded.tile, image)
  }

  /// Makes the indexes, writes the metadata and closes the file, which is then complete.
  ///
  /// - Throws: Also ``ArchiveError/Code/misuse`` if an image was never shown.
  package func finish(metadata: ArchiveMetadata) throws(ArchiveError) -> ArchiveSummary {
    try finish { (hashes) throws(ArchiveError) in metadata.entries(hashes: hashes) }
  }

  /// The same with rows of metadata that are written as they are.
  ///
  /// - Parameter rows: Is asked once, with the fingerprints of all tiles.
  package func finish(
    rows: (TileHashes) throws(ArchiveError) -> [MetadataEntry]
  ) throws(ArchiveError) -> ArchiveSummary {
    guard let tables else { throw misuse("a second end") }
    guard usedImages == places.count else {
      throw misuse("\(places.count - usedImages) images that no tile shows")
    }
    try submit()
    try tables.makeIndexes(names: index)
    let hashes = knownHashes ?? hasher.finish()
    try tables.finish(metadata: try rows(hashes))
    checksum = tables.checksum
    var summary = tally.summary(hashes: hashes)
    summary.grids = tables.grids?.summary ?? tables.taps?.summary
    self.tables = nil
    return summary
  }

  private func submit() throws(ArchiveError) {
    try store.flush()
    hasher.submit(batch)
    batch = hasher.batch()
  }

  private func misuse(_ what: String) -> ArchiveError {
    ArchiveError(.misuse, "the archive writer was given \(what).", path: path)
  }
}
