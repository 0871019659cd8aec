package import Columns
package import SystemPackage
package import TapBlocks
package import Tiling

/// The writer of an archive that is made from the last one of the same layout: segments, with the
/// UTFGrids of their tiles, are copied or written anew. Compact taps and the data of grids' keys are
/// added row by row.
///
/// Rows come in archive order. The file has the bytes that an ``ArchiveWriter`` would give it.
package final class SpliceWriter: TapSink, GridEntrySink {
  private let path: FilePath
  package let layout: ArchiveLayout
  private let hasAggTilesHash: Bool
  private let old: ArchiveContents
  private let source: StoredPages
  private var tables: ArchiveTables?

  /// The rows so far: the tiles with their images.
  package private(set) var contents: ArchiveContents

  /// The rows of the last archive that were not copied, by their indexes there, and those written
  /// instead, by their indexes here.
  private var left: [Range<Int>] = []
  private var written: [Range<Int>] = []

  /// The end of the last archive's rows that were copied or left out.
  private var oldEnd = 0

  /// The UTFGrids that were written; `nil` for an archive without.
  private var grids: SplicedGrids?

  /// The blocks that were written, once the archive is finished.
  private var writtenBlocks: [WrittenBlock] = []

  /// Creates the file, which must not exist.
  ///
  /// - Parameters:
  ///   - old: what the last archive holds, and its pages.
  ///   - hasAggTilesHash: whether to compute ``TileHashes/aggTilesHash``, which reads all tiles.
  ///   - hasTaps: whether to create tables for compact taps.
  ///   - columns: decides where what is kept of each tile lies; `nil` for memory.
  package init(
    path: FilePath, layout: ArchiveLayout, from old: ArchiveContents, _ source: StoredPages,
    hasAggTilesHash: Bool = false, hasTaps: Bool = false, columns: Scratch? = nil,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(ArchiveError) {
    self.path = path
    self.layout = layout
    self.hasAggTilesHash = hasAggTilesHash
    self.old = old
    self.source = source
    contents = ArchiveContents(in: columns, hasGrids: old.grids != nil)
    contents.reserveCapacity(old.count)
    grids = old.grids.map { SplicedGrids(from: $0) }
    tables = try ArchiveTables(
      path: path, layout: layout, pageSize: source.pageSize, hasGrids: old.grids != nil,
      hasTaps: hasTaps,
      isRecording: true, in: columns, isStopped: isStopped)
  }

  // MARK: Rows

  /// Whether a segment of the last archive can follow as it is; if not, its tiles are added.
  package func canCopy(_ segment: Int) -> Bool {
    tables?.canCopy(segment, of: old.segments) ?? false
  }

  /// Appends a segment of the last archive: its tiles show the same images here, which are first
  /// shown by the same tiles.
  ///
  /// - Parameter rows: the tiles of the segment, by their indexes there.
  package func copy(_ segment: Int, _ rows: Range<Int>) throws(ArchiveError) {
    guard let tables, rows.lowerBound >= oldEnd, !rows.isEmpty,
      isNext(old.tiles[rows.lowerBound])
    else { throw misuse("a segment that is out of order") }
    if oldEnd < rows.lowerBound { left.append(oldEnd..<rows.lowerBound) }
    oldEnd = rows.upperBound
    try tables.copy(segment, of: old.segments, from: source)
    contents.append(rows, of: old)
  }

  /// Adds a tile that shows an image which an earlier one stores.
  ///
  /// - Parameter row: the number of that tile.
  package func addTile(
    _ tile: TileCoord, showing image: MD5Digest, of row: UInt64, size: StoredSize,
    grid: SplicedGrid? = nil
  ) throws(ArchiveError) {
    guard let tables, layout == .dedup, row < tile.number, isNext(tile.number) else {
      throw misuse("tile \(tile), which is out of order")
    }
    let shown = try insert(grid, by: tile)
    try tables.insertTile(tile, name: image, grid: shown?.name)
    append(tile, image, row: row, size)
    contents.grids?.append(shown)
  }

  /// Inserts a grid unless an earlier tile stores it, and returns what the tile shows.
  private func insert(
    _ grid: SplicedGrid?, by tile: TileCoord
  ) throws(ArchiveError) -> ShownGrid? {
    guard let grid, let tables else { return nil }
    guard grids != nil, grid.row <= tile.number else { throw misuse("a grid") }
    if grid.row == tile.number {
      try tables.insertGrid(grid.bytes, name: grid.name, keys: grid.keys, by: tile)
      grids?.add(grid)
    }
    return ShownGrid(name: grid.name, row: grid.row, keys: grid.keyHashes)
  }

  /// Adds a tile with its image, which no earlier one stores.
  package func addTile(
    _ tile: TileCoord, storing bytes: UnsafeRawBufferPointer, _ image: MD5Digest,
    grid: SplicedGrid? = nil
  ) throws(ArchiveError) {
    guard let tables, isNext(tile.number) else {
      throw misuse("tile \(tile), which is out of order")
    }
    switch layout {
    case .dedup:
      let shown = try insert(grid, by: tile)
      try tables.insertImage(bytes, name: image, checksum: ImageChecksum.of(bytes), by: tile)
      try tables.insertTile(tile, name: image, grid: shown?.name)
      contents.grids?.append(shown)
    case .flat:
      try tables.insertTile(tile, bytes: bytes)
    }
    append(tile, image, row: tile.number, StoredSize(of: bytes))
  }

  private func isNext(_ number: UInt64) -> Bool { number > contents.tiles.last ?? 0 }

  private func append(_ tile: TileCoord, _ image: MD5Digest, row: UInt64, _ size: StoredSize) {
    let index = contents.count
    if let last = written.last, last.upperBound == index {
      written[written.count - 1] = last.lowerBound..<(index + 1)
    } else {
      written.append(index..<(index + 1))
    }
    contents.append(tile, image: image, row: row, size: size)
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

  package var usedKeys: Set<UInt64> { Set(contents.grids?.keys ?? []) }

  package func addEntry(key: [UInt8], json: [UInt8]) throws(ArchiveError) {
    guard let tables, grids != nil else { throw misuse("a key") }
    try tables.insertEntry(key: key, json: json)
    grids?.add(key: key, json: json)
    contents.grids?.append(key: key, json: json)
  }

  /// Returns the value of ``ArchiveMetadata/tapsKey``; `nil` without taps and once the archive is
  /// finished.
  package func tapsDigest() throws(ArchiveError) -> String? {
    guard let tables else { return nil }
    guard grids != nil else { return tables.tapRows?.digest }
    _ = try closeGrids()
    return grids?.digest(of: contents)
  }

  /// Settles the totals of the grids, once all tiles are added.
  private func closeGrids() throws(ArchiveError) -> GridSummary? {
    let changes = changes
    guard grids != nil else { return nil }
    try grids?.settle(changes.grids, source.path)
    guard let summary = grids?.summary(of: contents), let keySum = grids?.keySum else { return nil }
    contents.grids?.close(summary, keySum: keySum)
    return summary
  }

  // MARK: Indexes

  /// The changes of the indexes: of tiles that come or go, and of images that other tiles show first.
  private struct Changes {
    var tiles: [IndexChange<TileIndexPlace>] = []
    var images: [IndexChange<MD5Digest>] = []
    /// The grids that come, go or have another row, and where their rows were and are.
    var grids = MovedRows()
    var gridKeys: [IndexChange<GridKeyPlace>] = []
  }

  private lazy var changes = endRows()

  /// Compares the rows that were left out with those written instead, and tells copied tiles the rows
  /// of images that are stored elsewhere now.
  private func endRows() -> Changes {
    if oldEnd < old.count { left.append(oldEnd..<old.count) }
    oldEnd = old.count
    var changes = Changes()
    var images = MovedRows()
    var (before, after) = (RowCursor(old, left), RowCursor(contents, written))
    while let number = [before.number, after.number].compactMap({ $0 }).min() {
      let was = before.number == number ? before.take() : nil
      let now = after.number == number ? after.take() : nil
      if (was == nil) != (now == nil), let tile = TileCoord(number: number) {
        changes.tiles.append(
          IndexChange(key: TileIndexPlace(tile), row: now == nil ? nil : number))
      }
      guard layout == .dedup else { continue }
      images.note(was?.storedImage, now?.storedImage, number)
      changes.grids.note(was?.storedGrid, now?.storedGrid, number)
    }
    changes.tiles.sort { $0.key < $1.key }
    changes.images = images.changes
    let moved = images.moved
    if !moved.isEmpty { contents.move(moved) }
    let movedGrids = changes.grids.moved
    if !movedGrids.isEmpty { contents.grids?.move(movedGrids) }
    changes.gridKeys = gridKeys(changes.grids)
    return changes
  }

  /// Returns the changes of the index of grids' keys.
  private func gridKeys(_ grids: MovedRows) -> [IndexChange<GridKeyPlace>] {
    var changes: [IndexChange<GridKeyPlace>] = []
    func add(_ name: MD5Digest, _ tile: UInt64?, of contents: ArchiveContents, isThere: Bool) {
      guard let tile, let grids = contents.grids else { return }
      let first = GridTables.firstKeyRow(of: tile)
      for place in grids.keyRange(contents.index(from: tile)).enumerated() {
        let row = first + UInt64(place.offset)
        changes.append(
          IndexChange(key: GridKeyPlace(grid: name, row: row), row: isThere ? row : nil))
      }
    }
    for (name, rows) in grids.rows {
      add(name, rows.old, of: old, isThere: false)
      add(name, rows.new, of: contents, isThere: true)
    }
    return changes.sorted { $0.key < $1.key }
  }

  // MARK: End

  /// The statistics of the tiles, by zoom, once all are added.
  package var statistics: [ZoomStatistics] { tally.zooms }

  private lazy var tally = {
    _ = changes
    return ContentTally(contents, layout)
  }()

  /// Writes the indexes and the metadata and closes the file, which is then complete.
  ///
  /// - Parameter blocks: the hash tree over the tiles.
  package func finish(
    _ blocks: BlockHashes, metadata: ArchiveMetadata
  ) throws(ArchiveError) -> ArchiveSummary {
    try finish(blocks) { (hashes) throws(ArchiveError) in metadata.entries(hashes: hashes) }
  }

  /// Finishes the archive with rows of metadata that are written as they are.
  ///
  /// - Parameter rows: called once, with the fingerprints of all tiles.
  package func finish(
    _ blocks: BlockHashes, rows: (TileHashes) throws(ArchiveError) -> [MetadataEntry]
  ) throws(ArchiveError) -> ArchiveSummary {
    guard let tables else { throw misuse("a second end") }
    let changes = changes
    let gridSummary = try closeGrids()
    try tables.makeIndexes(
      from: source, tiles: changes.tiles, images: changes.images,
      gridRows: (changes.grids.changes, changes.gridKeys))
    contents.segments = tables.segments
    let hashes = TileHashes(
      digest: blocks.digest, aggTilesHash: hasAggTilesHash ? try tables.aggTilesHash() : nil)
    try tables.finish(metadata: try rows(hashes))
    writtenBlocks = tables.writtenBlocks
    let taps = gridSummary ?? tables.tapRows?.summary
    self.tables = nil
    return ArchiveSummary(
      zooms: tally.zooms, distinct: tally.distinct, distinctBytes: tally.distinctBytes,
      hashes: hashes, grids: taps)
  }

  /// Returns what the finished file no longer holds of that which was written and not copied: the
  /// end of a sentence that begins with its name; `nil` if nothing is missing.
  ///
  /// - Complexity: O(bytes written).
  package func findDamage() throws(ArchiveError) -> String? {
    var buffer: [UInt8] = []
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      defer { try? file.close() }
      for block in writtenBlocks where try !block.isIntact(in: file, &buffer) {
        return "does not hold what was written to it"
      }
    } catch {
      throw ArchiveError(.file(.unreadable(error as? Errno ?? .ioError)), path: path)
    }
    return nil
  }

  private func misuse(_ what: String) -> ArchiveError {
    ArchiveError(.misuse(of: "archive writer", given: what), path: path)
  }
}

/// A cursor over some rows of an archive's contents.
private struct RowCursor {
  private let contents: ArchiveContents
  private var ranges: ArraySlice<Range<Int>>
  private var next = 0

  init(_ contents: ArchiveContents, _ ranges: [Range<Int>]) {
    self.contents = contents
    self.ranges = ranges[...]
    next = ranges.first?.lowerBound ?? 0
  }

  /// The number of the next row's tile; `nil` at the end.
  var number: UInt64? { ranges.isEmpty ? nil : contents.tiles[next] }

  /// A row of the contents.
  struct Row {
    /// The image if it is stored with this row, and the grid if it is.
    let storedImage: MD5Digest?
    let storedGrid: MD5Digest?
  }

  /// Returns the next row and advances.
  mutating func take() -> Row {
    let number = contents.tiles[next]
    let row = Row(
      storedImage: contents.imageRows[next] == number ? contents.images[next] : nil,
      storedGrid: contents.grids?.rows[next] == number ? contents.grids?.names[next] : nil)
    next += 1
    if let range = ranges.first, next == range.upperBound {
      ranges.removeFirst()
      next = ranges.first?.lowerBound ?? 0
    }
    return row
  }
}
