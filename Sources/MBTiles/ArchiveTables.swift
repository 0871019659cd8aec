import Columns
import SQLite
import SystemPackage
import Tiling

/// The tables and indexes of an ``ArchiveWriter``'s file.
///
/// This program writes the pages itself (``PageFile``), which saves what SQLite does for rows that
/// may come in any order. SQLite verifies the result before it is published.
final class ArchiveTables {
  private let path: FilePath
  private let layout: ArchiveLayout
  private let isStopped: @Sendable () -> Bool
  private let file: PageFile
  private var record = RecordBuffer()

  /// The rows of tiles: table `map` or `tiles`.
  private var tiles: TableTree

  /// The rows of images; empty in the layout `flat`.
  private var images: TableTree

  /// The `TileCoord.archiveKey` of every tile, for the index.
  private var keys: Column<UInt64>

  /// The number of each image's row, which is that of the first tile that shows it.
  private var imageRows: Column<UInt64>

  /// The bytes that are stored with the tile being inserted.
  private var storedBytes = 0

  /// The segments so far.
  private(set) var segments: SegmentList

  /// The first page of the segment that is being written, and the number of the last tile in it;
  /// `nil` between segments.
  private var segment: (firstPage: UInt32, lastTile: UInt64, overflowPages: Int)?

  /// The checksum of all rows and index entries so far; rows are not counted in the layout `flat`.
  private(set) var checksum = ContentChecksum()

  /// The name of the row being inserted, in hexadecimal digits.
  private let name = UnsafeMutableRawBufferPointer.allocate(
    byteCount: MD5Digest.hexadecimalCount, alignment: 8)

  /// The name of its grid.
  private let gridName = UnsafeMutableRawBufferPointer.allocate(
    byteCount: MD5Digest.hexadecimalCount, alignment: 8)

  /// The trees whose leaves are written, but not the pages above them.
  private var trees: [UpperPages] = []

  /// The roots of finished trees, by the names of their tables or indexes.
  private var roots: [String: UInt32] = [:]

  /// The first pages of the head, which the metadata fill: a leaf, and another one or that of the index
  /// unless pages are large.
  private let metadataPages: Int

  /// The writer of UTFGrids; `nil` where the archive has none.
  private let grids: GridTables?

  /// The writer of compact taps; `nil` where the archive has none.
  private let taps: TapTables?

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - isRecording: whether to keep checksums of what is written.
  ///   - isStopped: whether the run should stop, which aborts creating indexes.
  init(
    path: FilePath, layout: ArchiveLayout, pageSize: PageSize, hasGrids: Bool, hasTaps: Bool,
    isRecording: Bool,
    in scratch: Scratch?, isStopped: @escaping @Sendable () -> Bool
  ) throws(ArchiveError) {
    self.path = path
    self.layout = layout
    self.isStopped = isStopped
    keys = Column(in: scratch)
    imageRows = Column(in: scratch)
    segments = SegmentList(in: scratch)
    // The roots of tiles and images, or of their indexes; those of taps and their indexes.
    let roots = (layout == .dedup ? 2 : 1) + (hasGrids || hasTaps ? 4 : 0)
    metadataPages = pageSize == .small ? 2 : 1
    file = try PageFile(
      path: path, pageSize: pageSize, headPages: UInt32(metadataPages + roots),
      isRecording: isRecording)
    tiles = TableTree(file)
    images = TableTree(file)
    grids = hasGrids ? GridTables(file, in: scratch) : nil
    taps = hasTaps ? TapTables(file, in: scratch) : nil
  }

  deinit {
    name.deallocate()
    gridName.deallocate()
  }

  /// Inserts an image before the first tile that shows it.
  func insertImage(
    _ bytes: UnsafeRawBufferPointer, name digest: MD5Digest, checksum imageChecksum: UInt64,
    by tile: TileCoord
  ) throws(ArchiveError) {
    digest.writeHexadecimal(to: name)
    checksum.addImage(
      count: bytes.count, checksum: imageChecksum, name: UnsafeRawBufferPointer(name))
    beginSegment(tile)
    imageRows.append(tile.number)
    storedBytes += bytes.count
    record.begin()
    record.add(text: name)
    try record.withPayload(blob: bytes) { (payload) throws(ArchiveError) in
      try images.append(payload, row: tile.number)
    }
  }

  /// Inserts a grid, with its keys, before the first tile that shows it.
  func insertGrid(
    _ bytes: UnsafeRawBufferPointer, name: MD5Digest, keys: [[UInt8]],
    by tile: TileCoord
  ) throws(ArchiveError) {
    guard let grids else { throw misuse("a grid") }
    beginSegment(tile)
    // A key takes its bytes and the name of the grid.
    storedBytes += keys.reduce(bytes.count) { $0 + $1.count + MD5Digest.hexadecimalCount }
    try grids.insert(bytes, name: name, keys: keys, by: tile)
  }

  /// Inserts the data of a key of grids, once all tiles are inserted.
  func insertEntry(key: [UInt8], json: [UInt8]) throws(ArchiveError) {
    guard let grids else { throw misuse("a key") }
    try endSegment(isClosed: false)
    try grids.insertEntry(key: key, json: json)
  }

  /// Returns the number of an image's row.
  func row(ofImage number: Int) -> UInt64? {
    imageRows.indices.contains(number) ? imageRows[number] : nil
  }

  func insertTile(
    _ tile: TileCoord, name digest: MD5Digest, grid: MD5Digest?
  ) throws(ArchiveError) {
    digest.writeHexadecimal(to: name)
    grid?.writeHexadecimal(to: gridName)
    checksum.add(
      tile, name: UnsafeRawBufferPointer(name),
      grid: UnsafeRawBufferPointer(rebasing: gridName[..<(grid == nil ? 0 : gridName.count)]))
    begin(tile)
    record.add(text: name)
    if let grid { record.add(grid) } else { record.addNull() }
    try record.withPayload { (payload) throws(ArchiveError) in
      try tiles.append(payload, row: tile.number)
    }
    try endSegment(after: tile)
  }

  func insertTile(_ tile: TileCoord, bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    begin(tile)
    storedBytes += bytes.count
    try record.withPayload(blob: bytes) { (payload) throws(ArchiveError) in
      try tiles.append(payload, row: tile.number)
    }
    try endSegment(after: tile)
  }

  /// Ends the leaves after a tile that ends a segment.
  private func endSegment(after tile: TileCoord) throws(ArchiveError) {
    defer { storedBytes = 0 }
    segment?.lastTile = tile.number
    if ArchiveSegments.isLast(tile, storedBytes: storedBytes, file.pageSize) {
      try endSegment(isClosed: true)
    }
  }

  /// Ends the leaves, and with them the segment.
  private func endSegment(isClosed: Bool) throws(ArchiveError) {
    guard let segment else { return }
    try images.endLeaf()
    try tiles.endLeaf()
    try grids?.endLeaves()
    let pages = segment.firstPage..<(file.pageCount + 1)
    segments.append(
      lastTile: segment.lastTile, pages: pages,
      isMovable: segment.overflowPages == file.overflowPages,
      isClosed: isClosed)
    self.segment = nil
  }

  /// Whether a segment of another archive can follow here without being written anew.
  func canCopy(_ segment: Int, of list: SegmentList) -> Bool {
    self.segment == nil && file.canCopy(list.pages(segment))
  }

  /// Appends a segment of another archive.
  func copy(
    _ segment: Int, of list: SegmentList, from source: StoredPages
  ) throws(ArchiveError) {
    let pages = list.pages(segment)
    let first = try file.append(pages, of: source)
    let isMovable = list.isMovable[segment] != 0
    if first != pages.lowerBound, !isMovable {
      let shift = Int64(first) - Int64(pages.lowerBound)
      for (page, bytes) in try source.shifted(pages, by: shift) {
        try file.overwrite(page - pages.lowerBound + first, bytes)
      }
    }
    for leaf in source.leaves(of: \.images, on: pages) {
      images.addLeaf(leaf.page - pages.lowerBound + first, lastRow: leaf.lastRow)
    }
    for leaf in source.leaves(of: \.tiles, on: pages) {
      tiles.addLeaf(leaf.page - pages.lowerBound + first, lastRow: leaf.lastRow)
    }
    grids?.addLeaves(of: source, on: pages, at: first)
    segments.append(
      lastTile: list.lastTiles[segment], pages: first..<(first + UInt32(pages.count)),
      isMovable: isMovable, isClosed: segment < list.count - 1 || list.isClosed)
  }

  /// Returns the writer of compact taps, whose rows follow those of all tiles; `nil` where the archive
  /// has none.
  func beginTaps() throws(ArchiveError) -> TapTables? {
    if taps != nil { try endSegment(isClosed: false) }
    return taps
  }

  /// The statistics and the digest of the compact taps so far; `nil` where the archive has none.
  var tapRows: (summary: GridSummary, digest: String)? { taps.map { ($0.summary, $0.digest) } }

  /// The blocks that were written and not copied, if they are recorded.
  var writtenBlocks: [WrittenBlock] { file.writtenBlocks }

  private func begin(_ tile: TileCoord) {
    beginSegment(tile)
    keys.append(tile.archiveKey)
    beginRecord(tile)
  }

  private func beginSegment(_ tile: TileCoord) {
    if segment == nil { segment = (file.nextPage, tile.number, file.overflowPages) }
  }

  private func beginRecord(_ tile: TileCoord) {
    record.begin()
    record.add(Int64(tile.z))
    record.add(Int64(tile.x))
    record.add(Int64(tile.tmsRow))
  }

  /// Finishes the tables of tiles, images and taps and writes the indexes of the first two.
  ///
  /// - Parameter names: the names of the images, by number.
  package func makeIndexes(names: borrowing ImageIndex) throws(ArchiveError) {
    try endTables()
    try indexTiles()
    if layout == .dedup { try indexImages(names) }
    if let grids {
      trees += try grids.writeIndexes()
      checksum.takeGrids(of: grids.checksum)
    }
    try finishTrees()
  }

  /// Finishes the tables of tiles and images and writes their indexes from those of another archive.
  ///
  /// - Parameters:
  ///   - tiles: the tiles that come or go, in the order of the index.
  ///   - images: the images that come, go or have another row, in the order of the index.
  ///   - gridRows: the grids that come, go or have another row, and the keys of theirs.
  func makeIndexes(
    from source: StoredPages, tiles: [IndexChange<TileIndexPlace>],
    images: [IndexChange<MD5Digest>],
    gridRows: (grids: [IndexChange<MD5Digest>], keys: [IndexChange<GridKeyPlace>])
  ) throws(ArchiveError) {
    try endTables()
    let index = try IndexSplice.write(
      TileIndexEntry.self, tiles, to: file, from: source.tileIndex, of: source)
    trees.append(UpperPages("\(layout.tileTable)_index", index))
    if layout == .dedup {
      let index = try IndexSplice.write(
        ImageIndexEntry.self, images, to: file, from: source.imageIndex, of: source)
      trees.append(UpperPages("images_index", index))
    }
    if let grids {
      trees += try grids.writeIndexes(from: source, grids: gridRows.grids, keys: gridRows.keys)
    }
    try finishTrees()
  }

  /// Ends the tables, in the order in which their roots go into the head.
  private func endTables() throws(ArchiveError) {
    try endSegment(isClosed: false)
    trees.append(UpperPages(layout.tileTable, try tiles.end()))
    if layout == .dedup { trees.append(UpperPages("images", try images.end())) }
    if let taps {
      trees += try taps.end()
      trees += try taps.writeIndexes(to: file)
    }
    if let grids { trees += try grids.end() }
  }

  /// Writes the pages above the leaves of all trees, side by side; of the roots the first go into the
  /// head.
  private func finishTrees() throws(ArchiveError) {
    for tree in trees {
      roots[tree.name] = try tree.pages.finish(in: file, sparing: metadataPages)
    }
    trees = []
  }

  private func indexTiles() throws(ArchiveError) {
    var index = IndexTree(file)
    for (entry, place) in BucketSort.places(ofTiles: keys).enumerated() {
      if entry & 0xFFFF == 0 { try checkStopped() }
      let tile = place.tile
      checksum.addEntry(tile, row: Int64(tile.number))
      TileIndexEntry.write(place, row: tile.number, to: &record)
      try record.withPayload { (payload) throws(ArchiveError) in
        try index.append(payload, endsRun: TileIndexEntry.endsRun(place))
      }
    }
    keys = []
    trees.append(UpperPages("\(layout.tileTable)_index", try index.end()))
  }

  private func indexImages(_ names: borrowing ImageIndex) throws(ArchiveError) {
    var index = IndexTree(file)
    for (entry, number) in names.numbersInOrder().enumerated() {
      if entry & 0xFFFF == 0 { try checkStopped() }
      let (digest, row) = (names.digests[Int(number)], imageRows[Int(number)])
      digest.writeHexadecimal(to: name)
      checksum.addEntry(image: UnsafeRawBufferPointer(name), row: Int64(row))
      ImageIndexEntry.write(digest, row: row, to: &record)
      try record.withPayload { (payload) throws(ArchiveError) in
        try index.append(payload, endsRun: ImageIndexEntry.endsRun(digest))
      }
    }
    trees.append(UpperPages("images_index", try index.end()))
  }

  /// Returns the MD5 over all tiles (``TileHashes/aggTilesHash``), which reads the file as it is
  /// before its metadata are written.
  func aggTilesHash() throws(ArchiveError) -> String {
    let objects = schema.filter { $0.root > 0 || $0.statement.type == "view" }
    try file.show(try SchemaPage(objects, pageCount: file.pageCount, file.pageSize))
    do {
      let database = try Database(path: path.string, mode: .immutable)
      database.stopWhen(isStopped)
      return try AggTilesHash.of(database)
    } catch {
      if error.isInterrupted { throw stopped }
      throw ArchiveError(error, doing: "read", path: path)
    }
  }

  /// Writes the metadata and closes the file.
  ///
  /// - Throws: ``ArchiveError/Code/badValue`` also for two rows with one name.
  func finish(metadata: [MetadataEntry]) throws(ArchiveError) {
    let written = try file.fillHead { () throws(ArchiveError) in
      try MetadataTable.write(metadata, to: file, path)
    }
    roots.merge(written) { $1 }
    try SchemaPage(schema, pageCount: file.pageCount, file.pageSize).finish(file)
  }

  /// All tables, views and indexes of the archive, with the roots of those that are written; 0 for
  /// others.
  private var schema: [(statement: SchemaStatement, root: UInt32)] {
    var texts = [layout.tables]
    if grids != nil { texts.append(GridSchema.tables) }
    if taps != nil { texts.append(TapSchema.tables) }
    texts.append(layout.indexes)
    if grids != nil { texts.append(GridSchema.indexes) }
    if taps != nil { texts.append(TapSchema.indexes) }
    return texts.flatMap { SchemaStatement.all(of: $0) }
      .map { ($0, root: $0.type == "view" ? 0 : roots[$0.name] ?? 0) }
  }

  private func checkStopped() throws(ArchiveError) {
    if isStopped() { throw stopped }
  }

  private func misuse(_ what: String) -> ArchiveError {
    ArchiveError(.misuse(of: "archive writer", given: what), path: path)
  }

  private var stopped: ArchiveError { ArchiveError(.stopped(while: "writing"), path: path) }
}
