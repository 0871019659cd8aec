package import Columns
package import SystemPackage
package import TapBlocks
package import Tiling

/// An image of the archive under construction.
package struct ImageRef: BitwiseCopyable, Hashable, Sendable {
  /// The number of the image, from 0 in order of first use.
  package let number: Int32
}

/// A writer of whole archives: writes one archive, once, from front to back. `SpliceWriter` makes one
/// from the last archive, `ExtractWriter` one from parts of another.
///
/// Images come in the order of their first use and tiles in archive order (zoom, quadkey), so equal
/// input gives equal bytes. Nothing is synced or journalled: the file is a temporary one
/// (``ArchivePublication``), and it is deleted after any error. Not thread-safe. The hash tree is
/// computed concurrently on a separate thread; the indexes of 970,000 tiles with 430,000 images
/// take 0.4 s. It uses 140 bytes of memory per distinct image and 8 per tile.
package final class ArchiveWriter: TapSink, GridEntrySink {
  private let path: FilePath
  package let layout: ArchiveLayout
  private var tables: ArchiveTables?
  /// The writer of UTFGrids; `nil` where the archive has none.
  private let grids: GridWriter?
  private let store: ImageStore
  private let hasher: TileHasher
  private let hasAggTilesHash: Bool
  private var batch: TileBatch
  private var index: ImageIndex
  /// The address of each image's bytes; `nil` for those that are not kept.
  private var places: Column<UnsafeRawBufferPointer>
  private var tally: TileTally

  /// The checksums of images that no tile has shown yet, by number, where they are known.
  private var checksums: [Int: UInt64] = [:]

  /// The number of images that tiles have shown; the next new one must have this number.
  private var usedImages = 0

  /// One more than the key of the previous tile; 0 before the first.
  private var nextKey: UInt64 = 0

  /// Creates the file, which must not exist, and an unlinked one for the images' bytes.
  ///
  /// - Parameters:
  ///   - scratch: the folder of the unlinked file; `nil` for the archive's folder.
  ///   - hasAggTilesHash: whether to compute ``TileHashes/aggTilesHash``, which reads all tiles again.
  ///   - hasGrids: whether to create tables for UTFGrids; only in the layout `dedup`.
  ///   - hasTaps: whether to create tables for compact taps.
  ///   - isCollecting: whether to collect ``contents``.
  ///   - columns: decides where what is kept of each tile and image lies; `nil` for memory.
  ///   - isStopped: whether the run should stop; creating the indexes then throws
  ///     ``ArchiveError/Code/stopped``.
  package init(
    path: FilePath, layout: ArchiveLayout, pageSize: PageSize = .small,
    scratch: FilePath? = nil,
    hasAggTilesHash: Bool = false, hasGrids: Bool = false, hasTaps: Bool = false,
    isCollecting: Bool = false, columns: Scratch? = nil,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(ArchiveError) {
    self.path = path
    self.layout = layout
    self.hasAggTilesHash = hasAggTilesHash
    hasher = TileHasher(in: columns)
    index = ImageIndex(in: columns)
    places = Column(in: columns)
    tally = TileTally(in: columns)
    let hasGrids = hasGrids && layout == .dedup
    contents = isCollecting ? ArchiveContents(in: columns, hasGrids: hasGrids) : nil
    let tables = try ArchiveTables(
      path: path, layout: layout, pageSize: pageSize, hasGrids: hasGrids,
      hasTaps: hasTaps, isRecording: false, in: columns, isStopped: isStopped)
    self.tables = tables
    grids = hasGrids ? GridWriter(tables) : nil
    store = try ImageStore(
      path: FilePath(
        (scratch?.appending(path.lastComponent?.string ?? "tiles") ?? path).string + "-images"))
    batch = hasher.batch()
  }

  deinit {
    // Pending batches refer to the store's bytes.
    hasher.wait()
  }

  /// The hash tree over the tiles, once the archive is finished.
  package private(set) var blocks: BlockHashes?

  /// The tiles with their images and segments; `nil` unless they are to be collected.
  package private(set) var contents: ArchiveContents?

  /// The checksum of rows and indexes once the archive is finished; `nil` before.
  package private(set) var checksum: ContentChecksum?

  /// The statistics of the tiles so far, by zoom.
  package var statistics: [ZoomStatistics] { tally.statistics() }

  /// Adds an image unless one with the same MD5 exists, and returns its reference either way.
  ///
  /// - Parameters:
  ///   - bytes: The PNG; not needed after the call.
  ///   - md5: Its digest, which workers compute in parallel.
  ///   - checksum: Its ``ImageChecksum``; `nil` where it has not been computed.
  package func addImage(
    _ bytes: UnsafeRawBufferPointer, md5: MD5Digest, checksum: UInt64? = nil
  ) throws(ArchiveError) -> ImageRef {
    if let number = index.number(of: md5) {
      // It was added as shown only once.
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
    guard tables != nil, index.count < Int32.max else { throw misuse("an image after the end") }
    places.append(place)
    if let checksum { checksums[index.count] = checksum }
    let size = StoredSize(of: bytes)
    tally.addImage(count: size.bytes, isBlank: size.isBlank)
    return ImageRef(number: Int32(index.add(md5)))
  }

  /// Returns the image with an MD5, if it was added.
  ///
  /// - Complexity: O(1) on average.
  package func image(of md5: MD5Digest) -> ImageRef? {
    index.number(of: md5).map { ImageRef(number: Int32($0)) }
  }

  /// The number of the row that holds an image, once a tile has shown it: that of the first such
  /// tile.
  package func row(of image: ImageRef) -> UInt64? { tables?.row(ofImage: Int(image.number)) }

  /// Adds a tile that shows an image, with a grid if it answers taps.
  ///
  /// - Throws: ``ArchiveError/Code/misuse`` if the tile does not come after the one before, or if an
  ///   image that came earlier has not been shown yet.
  package func addTile(
    _ tile: TileCoord, _ image: ImageRef, grid: GridRef? = nil
  ) throws(ArchiveError) {
    let number = Int(image.number)
    // A repeated image needs no bytes where it is stored once.
    guard places.indices.contains(number),
      places[number].baseAddress != nil || layout == .dedup && number < usedImages
    else { throw misuse("tile \(tile), whose image \(number) it does not have") }
    try insert(tile, number, store.bytes(at: places[number]), grid: grid)
    batch.append(tile.archiveKey, at: places[number], image: image.number)
    if batch.isFull { try submit() }
  }

  /// Adds a tile and an image that no other tile will show: its bytes are not kept, which saves
  /// writing them twice.
  ///
  /// If another tile does show the image after all, it must be added once more before.
  /// - Parameters:
  ///   - checksum: The image's ``ImageChecksum``; `nil` where it has not been computed.
  ///   - grid: Adds the tile's grid, if it has one.
  /// - Returns: the same reference as ``addImage(_:md5:checksum:)``.
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
    if !batch.append(tile.archiveKey, copying: bytes, image: image.number) {
      try submit()
      // An empty batch always has room.
      _ = batch.append(tile.archiveKey, copying: bytes, image: image.number)
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
    let isFirst = number == usedImages
    if isFirst { usedImages += 1 }
    nextKey = tile.archiveKey + 1
    let checksum = isFirst ? checksums.removeValue(forKey: number) : nil
    switch layout {
    case .dedup:
      if isFirst {
        try tables.insertImage(
          bytes, name: index.digests[number], checksum: checksum ?? ImageChecksum.of(bytes),
          by: tile)
      }
      let grid = grid.flatMap { grids?.use($0, by: tile) }
      try tables.insertTile(tile, name: index.digests[number], grid: grid?.name)
      contents?.grids?.append(grid)
    case .flat:
      try tables.insertTile(tile, bytes: bytes)
    }
    count(tile, number, of: tables)
  }

  /// Counts a tile whose rows are written.
  private func count(_ tile: TileCoord, _ number: Int, of tables: ArchiveTables) {
    tally.addTile(tile, image: number)
    contents?.append(
      tile, image: index.digests[number], row: tables.row(ofImage: number) ?? tile.number,
      size: tally.size(ofImage: number))
  }

  /// Adds a grid and its keys unless one with the same MD5 exists, and returns its reference.
  ///
  /// - Parameters:
  ///   - bytes: The grid as ``UTFGridEncoder`` encodes it.
  ///   - keys: The keys of the grid, without "", ascending, so that a delta can reproduce the
  ///     order.
  ///   - tile: The tile that is added next, with the grid.
  package func addGrid(
    _ bytes: UnsafeRawBufferPointer, md5: MD5Digest, keys: [[UInt8]],
    by tile: TileCoord
  ) throws(ArchiveError) -> GridRef {
    guard tables != nil, let grids else { throw misuse("a grid") }
    return try grids.add(bytes, md5: md5, keys: keys, by: tile)
  }

  /// Returns the grid with an MD5, if it was added.
  package func grid(of md5: MD5Digest) -> GridRef? { grids?.grid(of: md5) }

  package var usedKeys: Set<UInt64> { grids?.usedKeys ?? [] }

  package func addEntry(key: [UInt8], json: [UInt8]) throws(ArchiveError) {
    guard tables != nil, let grids else { throw misuse("a key") }
    try grids.addEntry(key: key, json: json)
    contents?.grids?.append(key: key, json: json)
  }

  package func addTaps(
    _ coord: TapBlockCoord, _ stream: [UInt8], tiles: Int
  ) throws(ArchiveError) {
    guard let taps = try tables?.beginTaps() else { throw misuse("taps") }
    try taps.add(coord, stream, tiles: tiles)
  }

  package func addTapEntries(
    first: UInt64, _ stream: [UInt8], count: Int
  ) throws(ArchiveError) {
    guard let taps = try tables?.beginTaps() else { throw misuse("taps") }
    try taps.add(first: first, stream, count: count)
  }

  /// The statistics of the taps, and the value of ``ArchiveMetadata/tapsKey``; `nil` without taps
  /// and once the archive is finished.
  package var taps: (summary: GridSummary, digest: String)? {
    guard let tables else { return nil }
    return grids.map { ($0.summary, $0.digest) } ?? tables.tapRows
  }

  /// Calls `body` with the bytes of an image that was added; empty where they were not kept.
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

  /// Creates the indexes, writes the metadata and closes the file, which is then complete.
  ///
  /// - Throws: Also ``ArchiveError/Code/misuse`` if an image was never shown.
  package func finish(metadata: ArchiveMetadata) throws(ArchiveError) -> ArchiveSummary {
    try finish { (hashes) throws(ArchiveError) in metadata.entries(hashes: hashes) }
  }

  /// Finishes the archive with rows of metadata that are written as they are.
  ///
  /// - Parameter rows: Called once, with the fingerprints of all tiles.
  package func finish(
    rows: (TileHashes) throws(ArchiveError) -> [MetadataEntry]
  ) throws(ArchiveError) -> ArchiveSummary {
    guard let tables else { throw misuse("a second end") }
    guard usedImages == places.count else {
      throw misuse("\(places.count - usedImages) images that no tile shows")
    }
    try submit()
    try tables.makeIndexes(names: index)
    contents?.segments = tables.segments
    let blocks = hasher.finish()
    self.blocks = blocks
    let hashes = TileHashes(
      digest: blocks.digest, aggTilesHash: hasAggTilesHash ? try tables.aggTilesHash() : nil)
    try tables.finish(metadata: try rows(hashes))
    checksum = tables.checksum
    var summary = tally.summary(hashes: hashes)
    summary.grids = grids?.summary ?? tables.tapRows?.summary
    if let grids { contents?.grids?.close(grids.summary, keySum: grids.keySum) }
    self.tables = nil
    return summary
  }

  private func submit() throws(ArchiveError) {
    try store.flush()
    hasher.submit(batch)
    batch = hasher.batch()
  }

  private func misuse(_ what: String) -> ArchiveError {
    ArchiveError(.misuse(of: "archive writer", given: what), path: path)
  }
}
