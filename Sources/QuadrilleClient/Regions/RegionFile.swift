import Foundation
import TapReading

/// The file of a region under construction: a part of an archive in its layout, that its chunks on
/// the server, or deltas, are copied into.
struct RegionFile {
  private let file: SQLiteFile
  private let tiles: RegionTiles
  private let isDeduplicated: Bool
  private let hasTaps: Bool

  /// Whether rows of images keep their numbers; after deltas these may be taken.
  private let isNew: Bool

  // MARK: Opening

  /// Opens the file of a region.
  ///
  /// - Parameter isNew: whether it has no rows yet.
  init(_ path: String, _ tiles: RegionTiles, isNew: Bool) throws(ClientError) {
    self.isNew = isNew
    file = try SQLiteFile(path: path, mode: .writable)
    self.tiles = tiles
    let tables = try ArchiveInfo.tables(file)
    isDeduplicated = tables.contains("map")
    hasTaps = tables.contains("taps")
    // A page of a delta has other entries than one of the region with the same first one.
    try file.run(
      "CREATE TEMP TABLE entries (first_feature, entry_data);"
        + "CREATE TEMP TABLE region (zoom, west, east, south, north)")
    for span in tiles.spans {
      try file.run(
        "INSERT INTO temp.region VALUES (\(span.zoom), \(span.columns.lowerBound), "
          + "\(span.columns.upperBound), \(span.storedRows.lowerBound), \(span.storedRows.upperBound))"
      )
    }
  }

  /// Creates an empty file with the tables of an archive.
  static func create(
    _ path: String, like objects: [String: RemoteArchive.Object], pageSize: Int
  ) throws(ClientError) {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try SQLiteFile(path: path, mode: .writable)
    guard objects["grid_utfgrid"] == nil else {
      throw ClientError.notArchive(
        file: file.name, reason: "regions of archives with UTFGrid taps are not made")
    }
    try file.run("PRAGMA page_size = \(pageSize); PRAGMA application_id = 0x4d504258; BEGIN")
    for type in ["table", "view", "index"] {
      for name in objects.keys.sorted() where objects[name]?.type == type {
        try file.run(objects[name]?.statement ?? "")
      }
    }
    try file.run("COMMIT")
  }

  /// Runs changes in one transaction.
  func change(_ body: () async throws(ClientError) -> Void) async throws(ClientError) {
    try file.run("BEGIN IMMEDIATE")
    try await body()
    try file.run("COMMIT")
  }

  // MARK: Rows of the archive

  private func insert(
    _ rows: [RemoteArchive.Row], into table: String, _ columns: Int
  ) throws(ClientError) {
    let places = (1...columns + 1).map { "?\($0)" }.joined(separator: ", ")
    let names = try file.prepare("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
    var list: [String] = []
    while try names.step() { list.append(names.text(0) ?? "") }
    let statement = try file.prepare(
      "INSERT OR REPLACE INTO main.\(table) (rowid, \(list.prefix(columns).joined(separator: ", "))) "
        + "VALUES (\(places))")
    for row in rows {
      guard row.values.count >= columns else {
        throw ClientError.damaged(file: file.name, reason: "a row of \(table) is too short")
      }
      statement.reset()
      if table == "map" || table == "tiles" || table == "images" && isNew {
        statement.bind(row.number, at: 1)
      }
      for index in 0..<columns { statement.bind(row.values[index], at: Int32(index + 2)) }
      _ = try statement.step()
    }
  }

  /// Copies the tiles of the region and the blocks of its taps; images and entries are missing then.
  func copyTiles(from archive: RemoteArchive) async throws(ClientError) {
    let table = isDeduplicated ? "map" : "tiles"
    let root = try await root(of: table, in: archive)
    try insert(try await archive.rows(root, tiles.numbers), into: table, 4)
    guard hasTaps else { return }
    var keys: [RemoteArchive.Keys] = []
    for span in tiles.spans {
      let (columns, rows) = (span.columns, span.storedRows)
      for column in columns.lowerBound >> TapBlock.sideBits...columns.upperBound
        >> TapBlock.sideBits
      {
        let place = [SQLiteValue.integer(span.zoom), .integer(column)]
        keys.append(
          RemoteArchive.Keys(
            first: place + [.integer(rows.lowerBound >> TapBlock.sideBits)],
            last: place + [.integer(rows.upperBound >> TapBlock.sideBits)]))
      }
    }
    try await copy("taps", 4, from: archive, keys)
  }

  /// Copies the rows of a table to which the entries of its index lead.
  private func copy(
    _ table: String, _ columns: Int, from archive: RemoteArchive, _ keys: [RemoteArchive.Keys]
  ) async throws(ClientError) {
    let index = try await root(of: table + "_index", in: archive)
    let numbers = try await archive.entries(index, keys).compactMap { $0.last?.integer }
    let rows = try await archive.rows(
      try await root(of: table, in: archive), Set(numbers).sorted().map { $0...$0 })
    try insert(rows, into: table, columns)
  }

  private func root(of name: String, in archive: RemoteArchive) async throws(ClientError) -> Int {
    try await archive.open()
    guard let object = await archive.objects[name], object.root > 0 else {
      throw ClientError.notArchive(file: file.name, reason: "it has no '\(name)'")
    }
    return object.root
  }

  // MARK: What is missing

  /// Copies all that the tiles and blocks need and the file does not have, and removes what they do
  /// not need.
  func complete(from archive: RemoteArchive) async throws(ClientError) {
    try await closeGaps(from: archive)
    if isDeduplicated { try await completeImages(from: archive) }
    if hasTaps { try await completeEntries(from: archive) }
  }

  /// Takes a tile from elsewhere for each zoom between others that has none, which readers refuse.
  private func closeGaps(from archive: RemoteArchive) async throws(ClientError) {
    let table = isDeduplicated ? "map" : "tiles"
    try file.run(
      "DELETE FROM main.\(table) AS new WHERE NOT \(Self.isInside("tile_column", "tile_row", "new"))"
    )
    let rows = try file.prepare("SELECT DISTINCT zoom_level FROM main.\(table) ORDER BY 1")
    var zooms: [Int] = []
    while try rows.step() { zooms.append(rows.integer(0)) }
    guard let first = zooms.first, let last = zooms.last else {
      throw ClientError.notArchive(file: file.name, reason: "the archive has no tile in the region")
    }
    for zoom in first...last where !zooms.contains(zoom) {
      let numbers = RegionTiles.firstNumber(zoom)...RegionTiles.firstNumber(zoom + 1) - 1
      try insert(
        try await archive.rows(try await root(of: table, in: archive), [numbers], isOne: true),
        into: table, 4)
    }
  }

  private func completeImages(from archive: RemoteArchive) async throws(ClientError) {
    try file.run(
      "DELETE FROM main.images WHERE tile_id NOT IN (SELECT tile_id FROM main.map)")
    // An image mostly has the number of the first tile that shows it.
    let missing = "FROM main.map WHERE tile_id NOT IN (SELECT tile_id FROM main.images)"
    let rows = try file.prepare("SELECT min(rowid) \(missing) GROUP BY tile_id ORDER BY 1")
    var numbers: [ClosedRange<Int>] = []
    while try rows.step() { numbers.append(rows.integer(0)...rows.integer(0)) }
    guard !numbers.isEmpty else { return }
    let images = try await archive.rows(try await root(of: "images", in: archive), numbers)
    let wanted = try texts("SELECT DISTINCT tile_id \(missing)")
    let known = Set(wanted)
    try insert(
      images.filter { $0.values.first?.text.map(known.contains) ?? false }, into: "images", 2)
    let keys = try texts("SELECT DISTINCT tile_id \(missing)")
      .map { [SQLiteValue.text(Array($0.utf8))] }
    if !keys.isEmpty {
      try await copy("images", 2, from: archive, keys.map { .init(first: $0, last: $0) })
    }
    guard try texts("SELECT tile_id \(missing)").isEmpty else {
      throw ClientError.damaged(file: file.name, reason: "a tile has no image")
    }
  }

  private func texts(_ query: String) throws(ClientError) -> [String] {
    let rows = try file.prepare(query)
    var texts: [String] = []
    while try rows.step() { texts.append(rows.text(0) ?? "") }
    return texts
  }

  /// Writes the entries of all features that the blocks name, and of the members of clusters among
  /// them, on pages of their own.
  private func completeEntries(from archive: RemoteArchive) async throws(ClientError) {
    var wanted = try features()
    var held = try entries()
    // The second time the members of clusters are known.
    for _ in 0..<2 {
      for feature in wanted { wanted.formUnion(held[feature]?.members ?? []) }
      let missing = wanted.filter { held[$0] == nil }
      if !missing.isEmpty {
        held.merge(try await entries(of: missing.sorted(), from: archive)) { $1 }
      }
    }
    try file.run("DELETE FROM main.tap_entries")
    let statement = try file.prepare(
      "INSERT INTO main.tap_entries (first_feature, entry_data) VALUES (?1, ?2)")
    var page = TapEntryPage()
    func write() throws(ClientError) {
      guard let first = page.identifiers.first else { return }
      statement.reset()
      statement.bind(Int(first), at: 1)
      statement.bind(.blob(Deflater.deflate(page.encoded())), at: 2)
      _ = try statement.step()
      page = TapEntryPage()
    }
    for feature in wanted.sorted() {
      guard let entry = held[feature] else {
        throw ClientError.damaged(file: file.name, reason: "the feature \(feature) has no entry")
      }
      if page.hasNoRoom(for: entry.byteCount) { try write() }
      page.append(feature, entry)
      if page.isFull { try write() }
    }
    try write()
  }

  /// Reads the pages of features from the archive.
  private func entries(
    of features: [UInt64], from archive: RemoteArchive
  ) async throws(ClientError) -> [UInt64: TapEntry] {
    let index = try await root(of: "tap_entries_index", in: archive)
    let pages = try await archive.entries(index, [.init(first: [], last: [])])
      .compactMap { entry in
        entry[0].integer.flatMap { first in entry.last?.integer.map { (first: first, row: $0) } }
      }.sorted { $0.first < $1.first }
    var (numbers, next) = (Set<Int>(), 0)
    for feature in features {
      while next < pages.count, pages[next].first <= Int(feature) { next += 1 }
      if next > 0 { numbers.insert(pages[next - 1].row) }
    }
    let rows = try await archive.rows(
      try await root(of: "tap_entries", in: archive), numbers.sorted().map { $0...$0 })
    var entries: [UInt64: TapEntry] = [:]
    for row in rows {
      guard let first = row.values.first?.integer, let stream = row.values.last?.bytes else {
        continue
      }
      try add(
        first, stream.withUnsafeBytes { Inflater.inflate($0, limit: Inflater.tapLimit) },
        to: &entries)
    }
    return entries
  }

  private func add(
    _ first: Int, _ bytes: [UInt8]?, to entries: inout [UInt64: TapEntry]
  ) throws(ClientError) {
    guard let bytes, let page = try? TapEntryPage(bytes, first: Int64(first)) else {
      throw unreadable
    }
    for (identifier, entry) in zip(page.identifiers, page.entries) { entries[identifier] = entry }
  }

  private var unreadable: ClientError {
    .damaged(file: file.name, reason: "its taps cannot be read")
  }

  /// The features that the blocks name.
  private func features() throws(ClientError) -> Set<UInt64> {
    let rows = try file.prepare("SELECT block_data FROM main.taps")
    var features: Set<UInt64> = []
    while try rows.step() {
      guard let bytes = rows.withBytes(0, { Inflater.inflate($0, limit: Inflater.tapLimit) }),
        let block = try? TapBlock(bytes)
      else { throw unreadable }
      features.formUnion(block.features)
    }
    return features
  }

  /// The entries of the file, and those of deltas in their place.
  private func entries() throws(ClientError) -> [UInt64: TapEntry] {
    var entries: [UInt64: TapEntry] = [:]
    for table in ["main.tap_entries", "temp.entries"] {
      let rows = try file.prepare("SELECT first_feature, entry_data FROM \(table) ORDER BY rowid")
      while try rows.step() {
        try add(
          rows.integer(0), rows.withBytes(1) { Inflater.inflate($0, limit: Inflater.tapLimit) },
          to: &entries)
      }
    }
    return entries
  }

  // MARK: Deltas

  private static func isInside(_ column: String, _ row: String, _ table: String) -> String {
    "EXISTS (SELECT 1 FROM temp.region AS part WHERE part.zoom = \(table).zoom_level "
      + "AND \(table).\(column) BETWEEN part.west AND part.east "
      + "AND \(table).\(row) BETWEEN part.south AND part.north)"
  }

  /// Applies the part of a delta that is in the region.
  ///
  /// - Returns: the metadata of the archive after the delta.
  func apply(_ delta: String) throws(ClientError) -> [(name: String, value: String)] {
    let form = try DeltaApplication.form(of: delta)
    let attachment = try file.prepare("ATTACH ?1 AS delta")
    attachment.bind(SQLiteFile.uri(delta, .immutable), at: 1)
    _ = try attachment.step()
    try file.run("BEGIN IMMEDIATE")
    for statement in form.statements
    where !statement.contains("main.metadata") && !statement.contains("main.tap_entries") {
      try file.run(Self.limited(statement))
    }
    if hasTaps {
      try file.run(
        "INSERT INTO temp.entries SELECT first_feature, entry_data FROM delta.new_tap_entries")
    }
    let rows = try file.prepare("SELECT name, value FROM delta.new_metadata ORDER BY rowid")
    var metadata: [(String, String)] = []
    while try rows.step() { metadata.append((rows.text(0) ?? "", rows.text(1) ?? "")) }
    try file.run("COMMIT")
    return metadata
  }

  /// Returns a statement of a delta that adds rows of the region alone; images and entries of others
  /// are removed afterwards.
  static func limited(_ statement: String) -> String {
    let side = TapBlock.sideBits
    if statement.hasPrefix("INSERT"), statement.contains("delta.new_taps AS new") {
      return statement + " WHERE "
        + isInside("block_column << \(side)", "block_row << \(side)", "new")
    }
    for table in ["map", "tiles"] where statement.hasSuffix("FROM delta.new_\(table)") {
      return statement + " AS new WHERE " + isInside("tile_column", "tile_row", "new")
    }
    return statement
  }

  func detach() throws(ClientError) { try file.run("DETACH delta") }

  // MARK: Metadata

  /// Writes the metadata of the region, with the digests of what it holds.
  func finish(_ metadata: RegionMetadata) throws(ClientError) -> ArchiveState {
    var scan = try DigestScan(file)
    var digest: String?
    while digest == nil { digest = try scan.step() }
    let state = ArchiveState(digest: digest ?? "", taps: hasTaps ? try tapsDigest() : nil)
    try file.run("DELETE FROM main.metadata")
    let statement = try file.prepare("INSERT INTO main.metadata (name, value) VALUES (?1, ?2)")
    for (name, value) in metadata.rows(state, try extents()) {
      statement.reset()
      statement.bind(name, at: 1)
      statement.bind(value, at: 2)
      _ = try statement.step()
    }
    return state
  }

  /// The columns and rows of the tiles of each zoom.
  private func extents() throws(ClientError) -> [RegionTiles.Span] {
    let rows = try file.prepare(
      "SELECT zoom_level, min(tile_column), max(tile_column), min(tile_row), max(tile_row) "
        + "FROM main.\(isDeduplicated ? "map" : "tiles") GROUP BY zoom_level ORDER BY zoom_level")
    var extents: [RegionTiles.Span] = []
    while try rows.step() {
      let last = (1 << rows.integer(0)) - 1
      extents.append(
        RegionTiles.Span(
          zoom: rows.integer(0), columns: rows.integer(1)...rows.integer(2),
          rows: (last - rows.integer(4))...(last - rows.integer(3))))
    }
    return extents
  }

  /// The digest of all that answers taps, as docs/taps.md describes it.
  private func tapsDigest() throws(ClientError) -> String {
    var hash = SHA256Hash()
    for (query, count) in [
      ("SELECT zoom_level, block_column, block_row, block_data FROM main.taps ORDER BY 1, 2, 3", 3),
      ("SELECT first_feature, entry_data FROM main.tap_entries ORDER BY 1", 1),
    ] {
      let rows = try file.prepare(query)
      while try rows.step() {
        let name = (0..<Int32(count)).map { "\(rows.integer($0))" }.joined(separator: "/")
        rows.withBytes(Int32(count)) { bytes in
          hash.update(Array("\(name):\(bytes.count):".utf8))
          hash.update(bytes)
        }
      }
    }
    return hash.text
  }
}
