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
  /// - Parameter isStopped: whether the run should stop, which aborts creating indexes.
  init(
    path: FilePath, layout: ArchiveLayout, hasGrids: Bool, hasTaps: Bool, in scratch: Scratch?,
    isStopped: @escaping @Sendable () -> Bool
  ) throws(ArchiveError) {
    self.path = path
    self.layout = layout
    self.isStopped = isStopped
    keys = Column(in: scratch)
    file = try PageFile(path: path)
    tiles = TableTree(file)
    images = TableTree(file)
    grids = hasGrids ? GridWriter(file) : nil
    taps = hasTaps ? TapTables(file) : nil
  }

  deinit { name.deallocate() }

  func insertImage(
    _ bytes: UnsafeRawBufferPointer, name digest: MD5Digest, checksum imageChecksum: UInt64
  ) throws(ArchiveError) {
    digest.writeHexadecimal(to: name)
    checksum.addImage(
      count: bytes.count, checksum: imageChecksum, name: UnsafeRawBufferPointer(name))
    record.begin()
    record.add(text: name)
    try record.withPayload(blob: bytes) { (payload) throws(ArchiveError) in
      try images.append(payload)
    }
  }

  func insertTile(
    _ tile: TileCoord, name digest: MD5Digest, grid: MD5Digest?
  ) throws(ArchiveError) {
    digest.writeHexadecimal(to: name)
    checksum.add(tile, name: UnsafeRawBufferPointer(name))
    begin(tile)
    record.add(text: name)
    if let grid { record.add(grid) } else { record.addNull() }
    try record.withPayload { (payload) throws(ArchiveError) in try tiles.append(payload) }
  }

  func insertTile(_ tile: TileCoord, bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    begin(tile)
    try record.withPayload(blob: bytes) { (payload) throws(ArchiveError) in
      try tiles.append(payload)
    }
  }

  private func begin(_ tile: TileCoord) {
    keys.append(tile.archiveKey)
    beginRecord(tile)
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
  func makeIndexes(names: borrowing ImageIndex) throws(ArchiveError) {
    roots["map"] = try tiles.finish()
    roots["tiles"] = roots["map"]
    if layout == .dedup { roots["images"] = try images.finish() }
    if let grids { roots.merge(try grids.finish()) { $1 } }
    if let taps { roots.merge(try taps.finish()) { $1 } }
    var index = IndexTree(file)
    for (row, key) in keys.enumerated() {
      if row & 0xFFFF == 0 { try checkStopped() }
      let tile = TileCoord(archiveKey: key)
      checksum.addEntry(tile, row: Int64(row + 1))
      beginRecord(tile)
      record.add(Int64(row + 1))
      try record.withPayload { (payload) throws(ArchiveError) in try index.append(payload) }
    }
    keys = []
    roots["map_index"] = try index.finish()
    roots["tiles_index"] = roots["map_index"]
    if layout == .dedup { try indexImages(names) }
  }

  private func indexImages(_ names: borrowing ImageIndex) throws(ArchiveError) {
    var index = IndexTree(file)
    for (entry, number) in names.numbersInOrder().enumerated() {
      if entry & 0xFFFF == 0 { try checkStopped() }
      names.digests[Int(number)].writeHexadecimal(to: name)
      checksum.addEntry(image: UnsafeRawBufferPointer(name), row: Int64(number) + 1)
      record.begin()
      record.add(text: name)
      record.add(Int64(number) + 1)
      try record.withPayload { (payload) throws(ArchiveError) in try index.append(payload) }
    }
    roots["images_index"] = try index.finish()
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
      try record.withPayload { (payload) throws(ArchiveError) in try index.append(payload) }
    }
    roots["metadata_index"] = try index.finish()
    try writeSchema()
    try indexTaps()
  }

  private func writeSchema() throws(ArchiveError) {
    var texts = [layout.tables]
    if grids != nil { texts.append(GridSchema.tables) }
    if taps != nil { texts.append(TapSchema.tables) }
    texts.append(layout.indexes)
    let objects = texts.flatMap { SchemaStatement.all(of: $0) }
      .map { ($0, root: $0.type == "view" ? 0 : roots[$0.name] ?? 0) }
    try SchemaPage(objects, pageCount: file.pageCount).finish(file)
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

/// A builder of an index: entries in ascending order, each with the number of its row as the last
/// value.
///
/// When a leaf is full, its last entry moves up between it and the next one.
struct IndexTree {
  private let file: PageFile
  private let leaf = TreePage(.indexLeaf)
  private var interior = InteriorPages(.indexInterior)

  init(_ file: PageFile) {
    self.file = file
  }

  /// Appends an entry.
  mutating func append(_ payload: RecordPayload) throws(ArchiveError) {
    let split = PayloadSplit(payload.count, most: PayloadSplit.index)
    let overflow = split.rest > 0 ? try file.appendOverflow(of: payload, split) : 0
    if !leaf.add(payload, split, overflow: overflow) {
      let last = leaf.removeLast()
      interior.add(try file.append(leaf.finish()), separator: last)
      leaf.removeAll()
      guard leaf.add(payload, split, overflow: overflow) else { throw PageFile.noRoom }
    }
  }

  /// Writes the remaining pages and returns the number of the tree's root.
  mutating func finish() throws(ArchiveError) -> UInt32 {
    interior.add(try file.append(leaf.finish()), separator: [])
    return try interior.finish(in: file)
  }
}
