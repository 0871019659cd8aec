import Columns
import Pictures
package import SQLite
package import Tiling

/// A pass over all images and all rows of an archive that counts them and collects findings.
struct ContentScan {
  let database: Database
  let layout: StoredLayout

  /// An additional check of each distinct image; returns the end of a sentence that begins "image
  /// …".
  var imageCheck: ((UnsafeRawBufferPointer) -> String?)?

  /// The permitted sides of a tile in pixels.
  static let tileSizes = [256, 512, 768, 1024, 1536]

  private(set) var log = FindingLog()
  private(set) var tally = TileTally()

  /// The number of rows that do not name a tile or have no image: the fingerprints cannot cover
  /// them.
  private(set) var badRows = 0

  /// Side of a tile in pixels, from the first image.
  private(set) var tileSize: Int?

  /// The format of the tiles, from the first image.
  private(set) var format: TileFormat?

  private var images = ImageIndex()

  /// Faults of images, by number.
  private var faults: [Int: ImageFault] = [:]

  /// The findings about rows.
  private var rowLog = FindingLog()

  /// Whether the pass reached the end.
  private var isComplete = false
  private var previousKey: UInt64?
  private var isOrdered = true

  /// Whether the rows so far are in order of zoom, column and row, as many programs write them.
  private var isByColumn = true
  private var previousPlace: UInt64 = 0

  /// The position that the pass reached, for the sentence about why it went no further.
  var position: String {
    previousKey.map { "the last tile that was read is \(TileCoord(archiveKey: $0))" }
      ?? "no tile was read"
  }

  init(database: Database, layout: StoredLayout) {
    self.database = database
    self.layout = layout
  }

  /// Runs the pass.
  ///
  /// - Complexity: O(bytes of the archive); every image is hashed once, every row looked up once.
  mutating func run() throws(SQLiteError) {
    defer { conclude() }
    switch layout {
    case .dedup:
      try scanImages()
      try scanMap()
    case .flat, .view:
      try scanTiles()
    }
    isComplete = true
  }

  /// Adds the findings that need all rows. Faults of images come first, since only the first ten of
  /// a topic are kept.
  private mutating func conclude() {
    // In the order of the map: the first zooms are those that are seen first.
    for (_, fault) in faults.sorted(by: { ($0.value.rank, $0.key) < ($1.value.rank, $1.key) }) {
      log.error(fault.topic, fault.sentence)
    }
    log.append(rowLog)
    if !isOrdered, !isByColumn {
      log.warning(.tiles, "rows are not stored in order of zoom and place.")
    }
    guard isComplete, layout == .dedup else { return }
    for number in 0..<images.count where !tally.isUsed(number) {
      log.error(.images, "image \(images.digests[number]) is shown by no tile.")
    }
  }

  // MARK: Images

  private mutating func scanImages() throws(SQLiteError) {
    let statement = try database.prepare("SELECT tile_id, tile_data FROM images")
    while try statement.step() {
      let (key, isDigest) = statement.withBytes(0) { Self.key($0) }
      if images.number(of: key) != nil {
        log.error(.images, "image \(statement.text(0) ?? "null") is stored twice.")
        continue
      }
      let number = images.add(key)
      guard statement.kind(1) == .blob else {
        tally.addImage(count: 0, isBlank: false)
        // Topic `tiles`: under `images` it could be lost among the misnamed images, which are many
        // in an archive of another program.
        faults[number] = ImageFault(.tiles, statement.text(0) ?? "null", "has no bytes")
        continue
      }
      statement.withBytes(1) { bytes in
        addImage(number, bytes) { statement.text(0) ?? "null" }
        if !isDigest || MD5Digest(of: bytes) != key {
          let name = statement.text(0) ?? "null"
          faults[number] = ImageFault(
            .images, name, "is not named by the upper-case MD5 of its bytes")
        }
      }
    }
  }

  /// Returns the digest that identifies an image's name, and whether the name itself is that
  /// digest.
  private static func key(_ name: UnsafeRawBufferPointer) -> (MD5Digest, isDigest: Bool) {
    if let digest = MD5Digest(hexadecimal: name) { return (digest, true) }
    return (MD5Digest(of: name), false)
  }

  /// Counts a new image and checks its bytes.
  private mutating func addImage(
    _ number: Int, _ bytes: UnsafeRawBufferPointer, name: () -> String
  ) {
    do {
      let picture = try PictureStructure(bytes)
      tally.addImage(count: bytes.count, isBlank: picture.isBlank)
      if let fault = formFault(picture) ?? imageCheck?(bytes) {
        faults[number] = ImageFault(.picture, name(), fault)
      }
    } catch {
      tally.addImage(count: bytes.count, isBlank: false)
      faults[number] = ImageFault(.picture, name(), error.message)
    }
  }

  private mutating func formFault(_ picture: PictureStructure) -> String? {
    let (width, height) = (picture.width, picture.height)
    guard width == height, Self.tileSizes.contains(width) else {
      return "has \(width) × \(height) pixels, not 256, 512, 768, 1024 or 1536 square"
    }
    let size = tileSize ?? width
    tileSize = size
    guard size == width else { return "has \(width) pixels a side where others have \(size)" }
    let format = format ?? picture.format
    self.format = format
    return format == picture.format
      ? nil : "is \(picture.format.title) where others are \(format.title)"
  }

  // MARK: Rows

  private mutating func scanMap() throws(SQLiteError) {
    let statement = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_id FROM map")
    while try statement.step() {
      guard let tile = place(statement) else { continue }
      let key = statement.withBytes(3) { Self.key($0).0 }
      guard statement.kind(3) != .null, let number = images.number(of: key) else {
        badRows += 1
        rowLog.error(
          .images, "tile \(tile) shows image \(statement.text(3) ?? "null"), which is missing.")
        continue
      }
      add(tile, number)
    }
  }

  private mutating func scanTiles() throws(SQLiteError) {
    let statement = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")
    while try statement.step() {
      guard let tile = place(statement) else { continue }
      guard statement.kind(3) == .blob else {
        badRows += 1
        rowLog.error(.tiles, "tile \(tile) has no bytes.")
        continue
      }
      let number = statement.withBytes(3) { bytes in
        let digest = MD5Digest(of: bytes)
        if let number = images.number(of: digest) { return number }
        let number = images.add(digest)
        addImage(number, bytes) { digest.description }
        return number
      }
      add(tile, number)
    }
  }

  /// Returns the tile of a row, or `nil`, with a finding, if there is no such tile.
  private mutating func place(_ statement: borrowing Statement) -> TileCoord? {
    if let tile = TileCoord(row: statement) { return tile }
    badRows += 1
    let values = [statement.text(0), statement.text(1), statement.text(2)].map { $0 ?? "null" }
    rowLog.error(
      .tiles,
      "the row with zoom \(values[0]), column \(values[1]), TMS row \(values[2]) is no tile.")
    return nil
  }

  private mutating func add(_ tile: TileCoord, _ number: Int) {
    let key = tile.archiveKey
    if let previousKey {
      if key == previousKey { rowLog.error(.tiles, "tile \(tile) is stored twice.") }
      if key < previousKey { isOrdered = false }
    }
    previousKey = key
    let place = TileIndexPlace(tile).key
    if place < previousPlace { isByColumn = false }
    previousPlace = place
    tally.addTile(tile, image: number)
    if !faults.isEmpty { faults[number]?.isShown(by: tile) }
  }
}

/// The fault of an image, and the tiles that show it.
private struct ImageFault {
  /// The number of tiles that are named; the others are only counted.
  static let namedTiles = 3

  let topic: ArchiveFinding.Topic
  private let name: String
  private let fault: String
  private var tiles: [TileCoord] = []
  private var count = 0

  /// The first in archive order of all tiles that show the image; rows may be stored in another
  /// order.
  private var first: TileCoord?

  init(_ topic: ArchiveFinding.Topic, _ name: String, _ fault: String) {
    self.topic = topic
    self.name = name
    self.fault = fault
  }

  /// The position of the first tile in archive order; after all others if there is none.
  var rank: UInt64 { first?.archiveKey ?? .max }

  mutating func isShown(by tile: TileCoord) {
    if tile.archiveKey < rank { first = tile }
    count += 1
    if tiles.count < Self.namedTiles { tiles.append(tile) }
  }

  /// The finding: `image 0A… of tile 3/4/5 has no bytes; 3/4/6 and 3/4/7 show it too.`
  var sentence: String {
    let place = tiles.first.map { " of tile \($0)" } ?? ""
    var others = tiles.dropFirst().map { "\($0)" }
    if count > tiles.count { others.append("\(count - tiles.count) more") }
    let list = others.dropLast().joined(separator: ", ")
    let also =
      switch others.count {
      case 0: ""
      case 1: "; \(others[0]) shows it too"
      default: "; \(list) and \(others[others.count - 1]) show it too"
      }
    return "image \(name)\(place) \(fault)\(also)."
  }
}

extension TileCoord {
  /// Creates the tile whose coordinates are integers in a row's first three columns, or `nil`.
  package init?(row statement: borrowing Statement) {
    for column in 0..<Int32(3) where statement.kind(column) != .integer { return nil }
    self.init(
      zoom: statement.integer(0), column: statement.integer(1), tmsRow: statement.integer(2))
  }

  /// Creates the tile of a row's coordinates, or `nil` if there is no such tile.
  init?(zoom: Int64, column: Int64, tmsRow row: Int64) {
    guard (0...Int64(Self.maxZoom)).contains(zoom), (0..<(1 << zoom)).contains(column),
      (0..<(1 << zoom)).contains(row)
    else { return nil }
    self.init(z: Int(zoom), x: Int(column), tmsRow: Int(row))
  }
}

extension Statement {
  /// Binds the coordinates of a tile, as rows have them, to the first three parameters.
  package func bind(_ tile: TileCoord) throws(SQLiteError) {
    try bind(Int64(tile.z), at: 1)
    try bind(Int64(tile.x), at: 2)
    try bind(Int64(tile.tmsRow), at: 3)
  }
}
