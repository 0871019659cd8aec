import SQLite
import SystemPackage
import Tiling

/// The database of an ``ArchiveWriter``: one transaction, its statements prepared once.
final class WriterConnection {
  private let path: FilePath
  private let layout: ArchiveLayout
  private let database: Database
  private let tileInsertion: Statement
  private let imageInsertion: Statement?

  /// Writes taps; `nil` where the archive has none.
  let grids: GridWriter?

  /// Writes compact taps; `nil` where the archive has none.
  let taps: TapTables?

  /// The names of the row being inserted, in hexadecimal digits: the image's and the grid's.
  private let name = UnsafeMutableRawBufferPointer.allocate(
    byteCount: MD5Digest.hexadecimalCount, alignment: 8)
  private let gridName = UnsafeMutableRawBufferPointer.allocate(
    byteCount: MD5Digest.hexadecimalCount, alignment: 8)

  /// Creates the file and its tables and begins the transaction.
  ///
  /// - Parameter isStopped: whether the run is to end, which ends a long statement.
  init(
    path: FilePath, layout: ArchiveLayout, hasGrids: Bool, hasTaps: Bool,
    isStopped: @escaping @Sendable () -> Bool
  ) throws(ArchiveError) {
    guard !FileStatus.exists(path) else {
      throw ArchiveError(.cannotCreate, "\(path) exists already. Remove it.", path: path)
    }
    self.path = path
    self.layout = layout
    do {
      database = try Database(path: path.string, mode: .create)
      database.stopWhen(isStopped)
      try database.execute(ArchiveLayout.preamble)
      // Nobody reads the file before it is published, and a dead build's file is thrown away.
      try database.execute(
        """
        PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;
        PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32768; BEGIN EXCLUSIVE;
        """)
      try database.execute(layout.tables)
      if hasGrids { try database.execute(GridSchema.tables) }
      grids = hasGrids ? try GridWriter(database) : nil
      if hasTaps { try database.execute(TapSchema.tables) }
      taps = hasTaps ? try TapTables(database) : nil
      tileInsertion = try database.prepare(
        hasGrids ? GridSchema.tileInsertion : layout.tileInsertion)
      imageInsertion =
        layout == .dedup
        ? try database.prepare("INSERT INTO images (tile_id, tile_data) VALUES (?1, ?2)") : nil
    } catch {
      throw ArchiveError(error, doing: "create", path: path)
    }
  }

  deinit {
    name.deallocate()
    gridName.deallocate()
  }

  func insertImage(_ bytes: UnsafeRawBufferPointer, name digest: MD5Digest) throws(ArchiveError) {
    digest.writeHexadecimal(to: name)
    try attempt { () throws(SQLiteError) in
      try imageInsertion?.bindText(borrowing: UnsafeRawBufferPointer(name), at: 1)
      try imageInsertion?.bindBlob(borrowing: bytes, at: 2)
      try imageInsertion?.run()
    }
  }

  func insertTile(
    _ tile: TileCoord, name digest: MD5Digest, grid: MD5Digest?
  ) throws(ArchiveError) {
    digest.writeHexadecimal(to: name)
    grid?.writeHexadecimal(to: gridName)
    try attempt { () throws(SQLiteError) in
      try bind(tile)
      try tileInsertion.bindText(borrowing: UnsafeRawBufferPointer(name), at: 4)
      if grids != nil {
        if grid == nil {
          try tileInsertion.bindNull(at: 5)
        } else {
          try tileInsertion.bindText(borrowing: UnsafeRawBufferPointer(gridName), at: 5)
        }
      }
      try tileInsertion.run()
    }
  }

  func insertTile(_ tile: TileCoord, bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try bind(tile)
      try tileInsertion.bindBlob(borrowing: bytes, at: 4)
      try tileInsertion.run()
    }
  }

  private func bind(_ tile: TileCoord) throws(SQLiteError) {
    try tileInsertion.bind(Int64(tile.z), at: 1)
    try tileInsertion.bind(Int64(tile.x), at: 2)
    try tileInsertion.bind(Int64(tile.tmsRow), at: 3)
  }

  func makeIndexes() throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try database.execute(layout.indexes)
      if grids != nil { try database.execute(GridSchema.indexes) }
      if taps != nil { try database.execute(TapSchema.indexes) }
    }
  }

  /// Writes the metadata and commits.
  func finish(metadata: [MetadataEntry]) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      let insertion = try database.prepare("INSERT INTO metadata (name, value) VALUES (?1, ?2)")
      for entry in metadata {
        try insertion.bind(entry.name, at: 1)
        try insertion.bind(entry.value, at: 2)
        try insertion.run()
      }
      try database.execute("COMMIT")
    }
  }

  func attempt(_ body: () throws(SQLiteError) -> Void) throws(ArchiveError) {
    do {
      try body()
    } catch {
      guard !error.isInterrupted else {
        throw ArchiveError(.stopped, "writing \(path) was stopped.", path: path, cause: error)
      }
      throw ArchiveError(error, doing: "write", path: path)
    }
  }
}
