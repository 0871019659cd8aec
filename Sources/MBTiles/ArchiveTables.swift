import Columns
import SQLite
import SystemPackage
import Tiling

/// The tables and indexes of an ``ArchiveWriter``'s file.
///
/// This program writes the pages itself (``PageFile``), which saves what SQLite does for rows that
/// may come in any order; SQLite itself only creates the indexes of taps. SQLite verifies the
/// result before it is published.
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

  /// The roots of finished trees, by the names of their tables or indexes.
  private var roots: [String: UInt32] = [:]

  /// The writer of UTFGrids; `nil` where the archive has none.
  let grids: GridWriter?

  /// The writer of compact taps; `nil` where the archive has none.
  let taps: TapTables?

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
    file = try PageFile(path: path, pageSize: pageSize, isRecording: isRecording)
    tiles = TableTree(file)
    images = TableTree(file)
    grids = hasGrids ? GridWriter(file) : nil
    taps = hasTaps ? TapTables(file) : nil
  }

  deinit { name.deallocate() }

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

  /// Returns the number of an image's row.
  func row(ofImage number: Int) -> UInt64? {
    imageRows.indices.contains(number) ? imageRows[number] : nil
  }

  func insertTile(
    _ tile: TileCoord, name digest: MD5Digest, grid: MD5Digest?
  ) throws(ArchiveError) {
    digest.writeHexadecimal(to: name)
    checksum.add(tile, name: UnsafeRawBufferPointer(name))
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
    segments.append(
      lastTile: list.lastTiles[segment], pages: first..<(first + UInt32(pages.count)),
      isMovable: isMovable, isClosed: segment < list.count - 1 || list.isClosed)
  }

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
    try finishTables()
    try indexTiles()
    if layout == .dedup { try indexImages(names) }
  }

  /// Finishes the tables of tiles and images and writes their indexes from those of another archive.
  ///
  /// - Parameters:
  ///   - tiles: the tiles that come or go, in the order of the index.
  ///   - images: the images that come, go or have another row, in the order of the index.
  func makeIndexes(
    from source: StoredPages, tiles: [IndexChange<TileIndexPlace>],
    images: [IndexChange<MD5Digest>]
  ) throws(ArchiveError) {
    try finishTables()
    roots["map_index"] = try IndexSplice.write(
      TileIndexEntry.self, tiles, to: file, from: source.tileIndex, of: source)
    roots["tiles_index"] = roots["map_index"]
    guard layout == .dedup else { return }
    roots["images_index"] = try IndexSplice.write(
      ImageIndexEntry.self, images, to: file, from: source.imageIndex, of: source)
  }

  private func finishTables() throws(ArchiveError) {
    try endSegment(isClosed: false)
    roots["map"] = try tiles.finish()
    roots["tiles"] = roots["map"]
    if layout == .dedup { roots["images"] = try images.finish() }
    if let grids { roots.merge(try grids.finish()) { $1 } }
    if let taps { roots.merge(try taps.finish()) { $1 } }
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
    roots["map_index"] = try index.finish()
    roots["tiles_index"] = roots["map_index"]
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
    roots["images_index"] = try index.finish()
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
    var table = TableTree(file)
    for entry in metadata {
      record.begin()
      record.add(text: entry.name.utf8)
      record.add(text: entry.value.utf8)
      try record.withPayload { (payload) throws(ArchiveError) in try table.append(payload) }
    }
    roots["metadata"] = try table.finish()
    var index = IndexTree(file)
    let names = metadata.map { Array($0.name.utf8) }
    let order = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
    for (row, next) in zip(order, order.dropFirst()) where names[row] == names[next] {
      throw ArchiveError(.value(.repeatedMetadata(metadata[row].name)), path: path)
    }
    for row in order {
      record.begin()
      record.add(text: names[row])
      record.add(Int64(row + 1))
      try record.withPayload { (payload) throws(ArchiveError) in
        try index.append(payload, endsRun: false)
      }
    }
    roots["metadata_index"] = try index.finish()
    try SchemaPage(schema, pageCount: file.pageCount, file.pageSize).finish(file)
    try indexTaps()
  }

  /// All tables, views and indexes of the archive, with the roots of those that are written; 0 for
  /// others.
  private var schema: [(statement: SchemaStatement, root: UInt32)] {
    var texts = [layout.tables]
    if grids != nil { texts.append(GridSchema.tables) }
    if taps != nil { texts.append(TapSchema.tables) }
    texts.append(layout.indexes)
    return texts.flatMap { SchemaStatement.all(of: $0) }
      .map { ($0, root: $0.type == "view" ? 0 : roots[$0.name] ?? 0) }
  }

  /// Creates the indexes of taps by SQLite, since their keys are texts of any length and order.
  private func indexTaps() throws(ArchiveError) {
    guard grids != nil || taps != nil else { return }
    do {
      let database = try Database(path: path.string, mode: .readWrite)
      database.stopWhen(isStopped)
      // The file is not read before it is published, and that of a killed build is deleted.
      try database.execute(
        """
        PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;
        PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32768; BEGIN EXCLUSIVE;
        """)
      if grids != nil { try database.execute(GridSchema.indexes) }
      if taps != nil { try database.execute(TapSchema.indexes) }
      try database.execute("COMMIT")
    } catch {
      if error.isInterrupted { throw stopped }
      throw ArchiveError(error, doing: "write", path: path)
    }
  }

  private func checkStopped() throws(ArchiveError) {
    if isStopped() { throw stopped }
  }

  private var stopped: ArchiveError { ArchiveError(.stopped(while: "writing"), path: path) }
}
