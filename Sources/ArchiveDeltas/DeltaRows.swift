import Files
import MBTiles
import SQLite
import SystemPackage
import Tiling

/// The database of a delta under construction: one transaction, its statements prepared once.
final class DeltaRows {
  private let path: FilePath
  private let database: Database
  private let removal: Statement
  private let tileInsertion: Statement
  private let imageInsertion: Statement?
  private let dropInsertion: Statement?
  private let taps: TapStatements?
  private var blocks: [TapTable: BlockStatements] = [:]

  /// The statements that insert rows of compact taps.
  private final class BlockStatements {
    let insertion: Statement
    let removal: Statement

    init(_ table: TapTable, _ database: Database) throws(SQLiteError) {
      let keys = (1...table.keys.count).map { "?\($0)" }.joined(separator: ", ")
      insertion = try database.prepare(
        "INSERT INTO new_\(table.name) VALUES (\(keys), ?\(table.keys.count + 1))")
      removal = try database.prepare("INSERT INTO removed_\(table.name) VALUES (\(keys))")
    }
  }

  /// The statements that insert rows of taps.
  private final class TapStatements {
    let grid: Statement
    let key: Statement
    let entry: Statement
    let droppedGrid: Statement
    let droppedEntry: Statement

    init(_ database: Database) throws(SQLiteError) {
      grid = try database.prepare("INSERT INTO new_grids VALUES (?1, ?2, ?3)")
      key = try database.prepare("INSERT INTO new_grid_key VALUES (?1, ?2)")
      entry = try database.prepare("INSERT INTO new_keymap VALUES (?1, ?2, ?3)")
      droppedGrid = try database.prepare("INSERT INTO dropped_grids VALUES (?1)")
      droppedEntry = try database.prepare("INSERT INTO dropped_keymap VALUES (?1)")
    }
  }

  /// Creates the file, which must not exist, and its tables.
  init(path: FilePath, form: DeltaForm) throws(ArchiveError) {
    guard !FileStatus.exists(path) else { throw ArchiveError(.file(.exists), path: path) }
    self.path = path
    do {
      database = try Database(path: path.string, mode: .create)
      try database.execute(DeltaFormat.preamble)
      // As with archives, the file is not read before it has its final name.
      try database.execute(
        """
        PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;
        PRAGMA temp_store=MEMORY; BEGIN EXCLUSIVE;
        """)
      for table in form.tables { try database.execute(table) }
      removal = try database.prepare("INSERT INTO removed_tiles VALUES (?1, ?2, ?3)")
      let isDedup = form.layout == .dedup
      tileInsertion = try database.prepare(
        "INSERT INTO \(isDedup ? "new_map (tile_id" : "new_tiles (tile_data")"
          + "\(form.hasGrids ? ", grid_id" : ""), zoom_level, tile_column, tile_row, rowid)"
          + " VALUES (?4, \(form.hasGrids ? "?6, " : "")?1, ?2, ?3, ?5)")
      imageInsertion =
        isDedup ? try database.prepare("INSERT INTO new_images VALUES (?1, ?2, ?3)") : nil
      dropInsertion =
        isDedup ? try database.prepare("INSERT INTO dropped_images VALUES (?1)") : nil
      taps = form.hasGrids ? try TapStatements(database) : nil
      if form.hasBlocks {
        for table in TapTable.allCases { blocks[table] = try BlockStatements(table, database) }
      }
    } catch {
      throw ArchiveError(error, doing: "create", path: path)
    }
  }

  func remove(_ tile: TileCoord) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try removal.bind(tile)
      try removal.run()
    }
  }

  /// Adds a tile that shows the image with a name, or that has its own bytes.
  ///
  /// - Parameters:
  ///   - content: the name's characters where the layout is dedup, otherwise the bytes.
  ///   - grid: the name of its grid, if it has one.
  func insert(
    _ tile: TileCoord, _ content: UnsafeRawBufferPointer, isName: Bool, grid: MD5Digest?
  ) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try tileInsertion.bind(tile)
      if isName {
        try tileInsertion.bindText(borrowing: content, at: 4)
      } else {
        try tileInsertion.bindBlob(borrowing: content, at: 4)
      }
      try tileInsertion.bind(Int64(tile.number), at: 5)
      if taps != nil { try Self.bind(grid?.description, to: tileInsertion, at: 6) }
      try tileInsertion.run()
    }
  }

  /// Adds an image that replaces another, or none.
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

  func drop(image: MD5Digest) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try dropInsertion?.bind(image.description, at: 1)
      try dropInsertion?.run()
    }
  }

  /// Adds a grid that replaces another, or none, with its keys, ascending.
  ///
  /// - Parameter number: 1 for the first grid, then 2, 3 …
  func insertGrid(
    _ number: Int, _ name: MD5Digest, _ bytes: UnsafeRawBufferPointer,
    replacing dropped: MD5Digest?,
    keys: [[UInt8]]
  ) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      guard let taps else { return }
      try taps.grid.bind(name.description, at: 1)
      try taps.grid.bindBlob(borrowing: bytes, at: 2)
      try Self.bind(dropped?.description, to: taps.grid, at: 3)
      try taps.grid.run()
      for key in keys {
        try taps.key.bind(Int64(number), at: 1)
        try taps.key.bind(String(decoding: key, as: UTF8.self), at: 2)
        try taps.key.run()
      }
    }
  }

  /// Adds the data of a key; it replaces the data of the same or of another key, or none.
  func insertEntry(_ key: [UInt8], _ json: [UInt8], replacing: [UInt8]?) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      guard let taps else { return }
      try taps.entry.bind(String(decoding: key, as: UTF8.self), at: 1)
      try taps.entry.bind(String(decoding: json, as: UTF8.self), at: 2)
      try Self.bind(
        replacing.map { String(decoding: $0, as: UTF8.self) }, to: taps.entry, at: 3)
      try taps.entry.run()
    }
  }

  func drop(grid: MD5Digest) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try taps?.droppedGrid.bind(grid.description, at: 1)
      try taps?.droppedGrid.run()
    }
  }

  func drop(entry key: [UInt8]) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      try taps?.droppedEntry.bind(String(decoding: key, as: UTF8.self), at: 1)
      try taps?.droppedEntry.run()
    }
  }

  /// Adds a row of compact taps.
  func insertTaps(
    _ table: TapTable, _ key: TapRowKey, _ bytes: UnsafeRawBufferPointer
  ) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      guard let statements = blocks[table] else { return }
      try Self.bind(key, to: statements.insertion)
      try statements.insertion.bindBlob(borrowing: bytes, at: Int32(key.numbers.count + 1))
      try statements.insertion.run()
    }
  }

  /// Adds the place of a row of compact taps that is removed.
  func removeTaps(_ table: TapTable, _ key: TapRowKey) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      guard let statements = blocks[table] else { return }
      try Self.bind(key, to: statements.removal)
      try statements.removal.run()
    }
  }

  private static func bind(
    _ key: TapRowKey, to statement: borrowing Statement
  ) throws(SQLiteError) {
    for (index, number) in key.numbers.enumerated() {
      try statement.bind(number, at: Int32(index + 1))
    }
  }

  func insertMetadata(_ rows: [(entry: MetadataEntry, replaced: String?)]) throws(ArchiveError) {
    try attempt { () throws(SQLiteError) in
      let insertion = try database.prepare("INSERT INTO new_metadata VALUES (?1, ?2, ?3)")
      for row in rows {
        try insertion.bind(row.entry.name, at: 1)
        try insertion.bind(row.entry.value, at: 2)
        try Self.bind(row.replaced, to: insertion, at: 3)
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
    _ text: String?, to statement: borrowing Statement, at parameter: Int32
  ) throws(SQLiteError) {
    if let text {
      try statement.bind(text, at: parameter)
    } else {
      try statement.bindNull(at: parameter)
    }
  }

  private func attempt(_ body: () throws(SQLiteError) -> Void) throws(ArchiveError) {
    do { try body() } catch { throw ArchiveError(error, doing: "write", path: path) }
  }
}
