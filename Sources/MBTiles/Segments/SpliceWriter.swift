package import Columns
package import SystemPackage
package import Tiling

/// The writer of an archive that is made from the last one of the same layout, without grids and
/// taps: segments are copied, or written anew.
///
/// Rows come in archive order. The file has the bytes that an ``ArchiveWriter`` would give it.
package final class SpliceWriter {
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

  /// The blocks that were written, once the archive is finished.
  private var writtenBlocks: [WrittenBlock] = []

  /// Creates the file, which must not exist.
  ///
  /// - Parameters:
  ///   - old: what the last archive holds, and its pages.
  ///   - hasAggTilesHash: whether to compute ``TileHashes/aggTilesHash``, which reads all tiles.
  ///   - columns: decides where what is kept of each tile lies; `nil` for memory.
  package init(
    path: FilePath, layout: ArchiveLayout, from old: ArchiveContents, _ source: StoredPages,
    hasAggTilesHash: Bool = false, columns: Scratch? = nil,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(ArchiveError) {
    self.path = path
    self.layout = layout
    self.hasAggTilesHash = hasAggTilesHash
    self.old = old
    self.source = source
    contents = ArchiveContents(in: columns)
    contents.reserveCapacity(old.count)
    tables = try ArchiveTables(
      path: path, layout: layout, pageSize: source.pageSize, hasGrids: false, hasTaps: false,
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
    _ tile: TileCoord, showing image: MD5Digest, of row: UInt64, size: StoredSize
  ) throws(ArchiveError) {
    guard let tables, layout == .dedup, row < tile.number, isNext(tile.number) else {
      throw misuse("tile \(tile), which is out of order")
    }
    try tables.insertTile(tile, name: image, grid: nil)
    append(tile, image, row: row, size)
  }

  /// Adds a tile with its image, which no earlier one stores.
  package func addTile(
    _ tile: TileCoord, storing bytes: UnsafeRawBufferPointer, _ image: MD5Digest
  ) throws(ArchiveError) {
    guard let tables, isNext(tile.number) else {
      throw misuse("tile \(tile), which is out of order")
    }
    switch layout {
    case .dedup:
      try tables.insertImage(bytes, name: image, checksum: ImageChecksum.of(bytes), by: tile)
      try tables.insertTile(tile, name: image, grid: nil)
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

  // MARK: Indexes

  /// The changes of the indexes: of tiles that come or go, and of images that other tiles show first.
  private struct Changes {
    var tiles: [IndexChange<TileIndexPlace>] = []
    var images: [IndexChange<MD5Digest>] = []
  }

  private lazy var changes = endRows()

  /// Compares the rows that were left out with those written instead, and tells copied tiles the rows
  /// of images that are stored elsewhere now.
  private func endRows() -> Changes {
    if oldEnd < old.count { left.append(oldEnd..<old.count) }
    oldEnd = old.count
    var changes = Changes()
    var images: [MD5Digest: (old: UInt64?, new: UInt64?)] = [:]
    var (before, after) = (RowCursor(old, left), RowCursor(contents, written))
    while let number = [before.number, after.number].compactMap({ $0 }).min() {
      let was = before.number == number ? before.take() : nil
      let now = after.number == number ? after.take() : nil
      if (was == nil) != (now == nil), let tile = TileCoord(number: number) {
        changes.tiles.append(
          IndexChange(key: TileIndexPlace(tile), row: now == nil ? nil : number))
      }
      let (lost, stored) = (was?.storedImage, now?.storedImage)
      guard layout == .dedup, lost != stored else { continue }
      if let lost { images[lost, default: (nil, nil)].old = number }
      if let stored { images[stored, default: (nil, nil)].new = number }
    }
    changes.tiles.sort { $0.key < $1.key }
    changes.images = images.map { IndexChange(key: $0.key, row: $0.value.new) }
      .sorted { $0.key < $1.key }
    let moved = images.filter { $0.value.old != nil }.compactMapValues(\.new)
    if !moved.isEmpty { contents.move(moved) }
    return changes
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
    try tables.makeIndexes(from: source, tiles: changes.tiles, images: changes.images)
    contents.segments = tables.segments
    let hashes = TileHashes(
      digest: blocks.digest, aggTilesHash: hasAggTilesHash ? try tables.aggTilesHash() : nil)
    try tables.finish(metadata: try rows(hashes))
    writtenBlocks = tables.writtenBlocks
    self.tables = nil
    return ArchiveSummary(
      zooms: tally.zooms, distinct: tally.distinct, distinctBytes: tally.distinctBytes,
      hashes: hashes)
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
    /// The image if it is stored with this row.
    let storedImage: MD5Digest?
  }

  /// Returns the next row and advances.
  mutating func take() -> Row {
    let isStored = contents.imageRows[next] == contents.tiles[next]
    let row = Row(storedImage: isStored ? contents.images[next] : nil)
    next += 1
    if let range = ranges.first, next == range.upperBound {
      ranges.removeFirst()
      next = ranges.first?.lowerBound ?? 0
    }
    return row
  }
}
