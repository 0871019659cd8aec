package import Files
package import SQLite
package import SystemPackage
package import Tiling

/// A reader of archives from anywhere, whose content is not trusted.
///
/// The file is opened without locks and is expected not to change in place, as archives are
/// replaced by renaming. Not thread-safe.
package final class ArchiveReader {
  package let path: FilePath
  package let layout: StoredLayout
  package let metadata: StoredMetadata

  /// The size of the archive's pages; `small` if this program does not write pages of that size.
  package let pageSize: PageSize

  package let database: Database

  /// Opens an archive.
  ///
  /// - Parameters:
  ///   - path: The path by which messages name the archive.
  ///   - content: The file that holds the archive, if it is another.
  ///   - seconds and isStopped: as for ``init(_:named:giveUpAfter:isStopped:)``.
  /// - Throws: as that initializer, and ``ArchiveError/Code/missing``.
  package convenience init(
    _ path: FilePath, content: FilePath? = nil, giveUpAfter seconds: Double = 3600,
    isStopped: (@Sendable () -> Bool)? = nil
  ) throws(ArchiveError) {
    try self.init(
      try HeldFile(archive: content ?? path, named: path), named: path, giveUpAfter: seconds,
      isStopped: isStopped)
  }

  /// Opens an archive in a file that the caller holds open and may read in other ways.
  ///
  /// - Parameters:
  ///   - path: The path by which messages name the archive, if it is not the file's.
  ///   - seconds: The deadline for everything that is read, in seconds from now.
  ///   - isStopped: as for ``stopWhen(_:)``, effective while the archive is opened.
  /// - Throws: ``ArchiveError/Code/permission`` or ``ArchiveError/Code/badArchive``; the last also
  ///   where a hot journal or a log beside the file holds part of its content.
  package init(
    _ file: HeldFile, named path: FilePath? = nil, giveUpAfter seconds: Double = 3600,
    isStopped: (@Sendable () -> Bool)? = nil
  ) throws(ArchiveError) {
    let path = path ?? file.path
    let check = FileCheck(file: file)
    let header = try check.readerHeader()
    guard !check.hasLiveCompanion else { throw ArchiveError(.content(.hotJournal), path: path) }
    guard let header else { throw ArchiveError(.content(.notSQLite), path: path) }
    pageSize = PageSize(rawValue: header.pageSize) ?? .small
    self.path = path
    do throws(SQLiteError) {
      database = try Database(path: file.address.string, mode: .immutable, trust: .foreign)
      database.setDeadline(seconds: seconds)
      if let isStopped { database.stopWhen(isStopped) }
      guard let layout = try StoredLayout(of: database) else {
        throw SQLiteError(code: 11, message: "it has no table or view 'tiles'")
      }
      self.layout = layout
      metadata = try StoredMetadata(database)
    } catch {
      throw ArchiveError(error, doing: "read", path: path)
    }
  }

  /// Runs `body`; an error of SQLite becomes an error of reading a part of the archive.
  package func reading<Result: ~Copyable>(
    _ part: ArchiveError.Part = .whole, _ body: () throws(SQLiteError) -> Result
  ) throws(ArchiveError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw ArchiveError(error, reading: part, of: path)
    }
  }

  /// Prepares a query of a part of the archive.
  package func prepare(
    _ sql: String, for part: ArchiveError.Part = .whole
  ) throws(ArchiveError) -> Statement {
    try reading(part) { () throws(SQLiteError) in try database.prepare(sql) }
  }

  /// Limits the page cache: a reader that visits each tile once needs only pages of the index
  /// again.
  package func keepPages(bytes: Int) throws(ArchiveError) {
    try reading { () throws(SQLiteError) in
      try database.execute("PRAGMA cache_size=-\(bytes >> 10)")
    }
  }

  /// Aborts whatever is being read, with an error, once the function returns true.
  package func stopWhen(_ isStopped: @escaping @Sendable () -> Bool) {
    database.stopWhen(isStopped)
  }

  /// Returns the bytes of a tile, or `nil` where the archive has none.
  package func tile(_ tile: TileCoord) throws(ArchiveError) -> [UInt8]? {
    guard tile.isValid else { return nil }
    return try reading(.tile(tile)) { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
      try statement.bind(tile)
      guard try statement.step(), statement.kind(0) != .null else { return nil }
      return statement.withBytes(0) { Array($0) }
    }
  }

  /// Returns the bytes of the first tile in archive order, or `nil` if the archive is empty.
  package func firstTile() throws(ArchiveError) -> [UInt8]? {
    var cursor = try TileCursor(self, content: .bytes)
    try cursor.step()
    return cursor.tile == nil ? nil : cursor.withContent { Array($0) }
  }

  /// Calls `body` with every tile in archive order; rows that do not name a tile or have no bytes
  /// are skipped.
  ///
  /// - Complexity: O(tiles), or O(tiles log tiles) where rows are not numbered by their tiles.
  package func forEachTile(
    _ body: (TileCoord, UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var cursor = try TileCursor(self, content: .bytes)
    try cursor.step()
    while let tile = cursor.tile {
      try cursor.withContent { (bytes) throws(ArchiveError) in try body(tile, bytes) }
      try cursor.step()
    }
  }

  /// Calls `body` for every tile in archive order with the size of its image; rows that do not name
  /// a tile or have no bytes are skipped.
  ///
  /// - Complexity: O(tiles): SQLite has the lengths without reading the images.
  package func forEachTileSize(_ body: (TileCoord, Int) -> Void) throws(ArchiveError) {
    let order = try tileOrder()
    try reading { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT zoom_level, tile_column, tile_row, length(tile_data) FROM \(order.relation)"
          + " ORDER BY \(order.terms)")
      while try statement.step() {
        guard let tile = TileCoord(row: statement), statement.kind(3) == .integer else { continue }
        body(tile, Int(clamping: statement.integer(3)))
      }
    }
  }

  /// Returns statistics of the archive, counted from its rows.
  ///
  /// - Parameter hashing: Whether to compute the fingerprints as well, which reads every tile.
  package func summary(hashing: Bool = false) throws(ArchiveError) -> ArchiveSummary {
    var scan = ContentScan(database: database, layout: layout)
    try reading { () throws(SQLiteError) in try scan.run() }
    return scan.tally.summary(hashes: hashing ? try hashes() : nil)
  }

  /// Returns the hash tree over the tiles as they are.
  package func blockHashes() throws(ArchiveError) -> BlockHashes {
    let hasher = TileHasher()
    var batch = hasher.batch()
    try forEachTile { (tile, bytes) throws(ArchiveError) in
      if batch.append(tile.archiveKey, copying: bytes) { return }
      hasher.submit(batch)
      batch = hasher.batch()
      // An empty batch has room for any tile.
      _ = batch.append(tile.archiveKey, copying: bytes)
    }
    hasher.submit(batch)
    return hasher.finish()
  }
}

extension ArchiveReader {
  /// Returns the fingerprints, computed from the tiles; `agg_tiles_hash` only if the metadata have
  /// it.
  package func hashes() throws(ArchiveError) -> TileHashes {
    let digest = try blockHashes().digest
    guard metadata[AggTilesHash.key] != nil else { return TileHashes(digest: digest) }
    return TileHashes(
      digest: digest,
      aggTilesHash: try reading { () throws(SQLiteError) in try AggTilesHash.of(database) })
  }
}

extension HeldFile {
  /// Opens the file of an archive, a delta or another container.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - name: the path by which messages name it, if it is another.
  ///   - noun: the noun for the file in messages.
  /// - Throws: ``ArchiveError/Code/missing``, ``ArchiveError/Code/permission`` or
  ///   ``ArchiveError/Code/inputOutput``.
  package convenience init(
    archive path: FilePath, named name: FilePath? = nil, noun: String = "archive"
  ) throws(ArchiveError) {
    do throws(Errno) {
      try self.init(path)
    } catch {
      let isMissing = error == .noSuchFileOrDirectory || error == .notDirectory
      throw ArchiveError(
        .file(isMissing ? .missing(noun: noun) : .unreadable(error)), path: name ?? path)
    }
  }
}
