import SQLite
import SystemPackage
import Tiling

/// The database of a delta that is being made: one transaction, its statements prepared once.
final class DeltaRows {
  private let path: FilePath
  private let database: Database
  private let removal: Statement
  private let tileInsertion: Statement
  private let imageInsertion: Statement?
  private let dropInsertion: Statement?

  /// Creates the file, which must not exist, and its tables.
  init(path: FilePath, layout: ArchiveLayout) throws(ArchiveError) {
    guard !FileStatus.exists(path) else {
      throw ArchiveError(.cannotCreate, "\(path) exists already. Remove it.", path: path)
    }
    self.path = path
    do {
      database = try Database(path: path.string, mode: .create)
      try database.execute(DeltaFormat.preamble)
      // As with archives, nobody reads the file before it has its name.
      try database.execute(
        """
        PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;
        PRAGMA temp_store=MEMORY; BEGIN EXCLUSIVE;
        """)
      for table in DeltaFormat.tables(layout) { try database.execute(table) }
      removal = try database.prepare("INSERT INTO removed_tiles VALUES (?1, ?2, ?3)")
      tileInsertion = try database.prepare(
        "INSERT INTO \(layout == .dedup ? "new_map" : "new_tiles") VALUES (?1, ?2, ?3, ?4)")
      imageInsertion =
        layout == .dedup
        ? try database.prepare("INSERT INTO new_images VALUES (?1, ?2, ?3)") : nil
      dropInsertion =
        layout == .dedup ? try database.prepare("INSERT INTO dropped_images VALUES (?1)") : nil
    } catch {
      throw ArchiveError(error, doing: "create", path: path)
    }
  }

  func remove(_ tile: TileCoord) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try Self.bind(tile, to: removal)
      try removal.run()
    }
  }

  /// Adds a tile that shows the image of a name, or that has bytes of its own.
  ///
  /// - Parameter content: the name's characters where the layout is dedup, else the bytes.
  func insert(
    _ tile: TileCoord, _ content: UnsafeRawBufferPointer, isName: Bool
  ) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try Self.bind(tile, to: tileInsertion)
      if isName {
        try tileInsertion.bindText(borrowing: content, at: 4)
      } else {
        try tileInsertion.bindBlob(borrowing: content, at: 4)
      }
      try tileInsertion.run()
    }
  }

  /// Adds an image that takes the place of another, or of none.
  func insertImage(
    _ name: MD5Digest, _ bytes: UnsafeRawBufferPointer, replacing dropped: MD5Digest?
  ) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try imageInsertion?.bind(name.description, at: 1)
      try imageInsertion?.bindBlob(borrowing: bytes, at: 2)
      if let dropped {
        try imageInsertion?.bind(dropped.description, at: 3)
      } else {
        try imageInsertion?.bindNull(at: 3)
      }
      try imageInsertion?.run()
    }
  }

  func drop(_ image: MD5Digest) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try dropInsertion?.bind(image.description, at: 1)
      try dropInsertion?.run()
    }
  }

  func insertMetadata(_ rows: [(entry: MetadataEntry, replaced: String?)]) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      let insertion = try database.prepare("INSERT INTO new_metadata VALUES (?1, ?2, ?3)")
      for row in rows {
        try insertion.bind(row.entry.name, at: 1)
        try insertion.bind(row.entry.value, at: 2)
        if let replaced = row.replaced {
          try insertion.bind(replaced, at: 3)
        } else {
          try insertion.bindNull(at: 3)
        }
        try insertion.run()
      }
    }
  }

  /// Writes the facts and commits.
  func finish(_ facts: DeltaFacts) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      let insertion = try database.prepare("INSERT INTO facts VALUES (?1, ?2)")
      for entry in facts.entries {
        try insertion.bind(entry.name, at: 1)
        try insertion.bind(entry.value, at: 2)
        try insertion.run()
      }
      try database.execute("COMMIT")
    }
  }

  private static func bind(
    _ tile: TileCoord, to statement: borrowing Statement
  ) throws(SQLiteError) {
    try statement.bind(Int64(tile.z), at: 1)
    try statement.bind(Int64(tile.x), at: 2)
    try statement.bind(Int64(tile.tmsRow), at: 3)
  }

  private func attempt(_ body: () throws(SQLiteError) -> Void) throws(ArchiveError) {
    do { try body() } catch { throw ArchiveError(error, doing: "write", path: path) }
  }
}
