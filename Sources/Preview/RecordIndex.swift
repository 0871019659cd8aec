import Archives
import MBTiles
import SystemPackage
import TapBlocks
import Tiling

/// The words of an archive's records in memory, in which a search takes milliseconds.
///
/// It holds the records of the last zoom, where each stands alone; clusters are left out.
struct RecordIndex: Sendable {
  /// The place where a record is read again and found on the map.
  enum Spot: Hashable, Sendable {
    /// A symbol of compact taps: its feature and its position.
    case symbol(UInt64, WorldPoint)
    /// A shape of compact taps: its feature and the block of its first tile.
    case shape(UInt64, TapBlockCoord)
    /// A key of the UTFGrid of a tile.
    case key(String, TileCoord)
  }

  /// The last zoom of the archive.
  let zoom: Int

  private(set) var words = WordColumn()
  private(set) var spots: [Spot] = []

  /// The number of records.
  var count: Int { spots.count }

  /// Maximum seconds for reading an archive.
  private static let patience = 120.0

  /// Maximum bytes of the words; records after these are not found.
  private static let maxBytes = 512 << 20

  /// Reads the records of an archive.
  ///
  /// - Throws: ``ArchiveError`` if it cannot be read.
  /// - Complexity: O(entries of the archive).
  init(_ path: String) throws(ArchiveError) {
    let reader = try TileContainer.opening(FilePath(path), giveUpAfter: Self.patience)
    zoom = Catalogue.extent(of: reader).storedZooms.upperBound
    guard let archive = reader.taps else { return }
    if try archive.hasTapBlocks() {
      try readBlocks(archive)
    } else if try archive.hasGrids() {
      try readGrids(archive)
    }
  }

  private mutating func readGrids(_ archive: ArchiveReader) throws(ArchiveError) {
    var known: Set<String> = []
    try archive.forEachGridEntry(zoom: zoom) { tile, key, json in
      if tile.isValid, known.insert(key).inserted, words.append(record: Array(json.utf8)) {
        spots.append(.key(key, tile))
      }
      return words.byteCount < Self.maxBytes
    }
  }

  private mutating func readBlocks(_ archive: ArchiveReader) throws(ArchiveError) {
    let places = try Self.places(archive, zoom)
    let entries = TapEntryReader(archive)
    try archive.forEachTapPage { page in
      for (feature, entry) in zip(page.identifiers, page.entries) {
        guard let spot = places[feature], let json = try? entries.json(entry) else { continue }
        if words.append(record: json) { spots.append(spot) }
      }
      return words.byteCount < Self.maxBytes
    }
  }

  /// Returns where the features of a zoom are, each at the first place that has it.
  private static func places(
    _ archive: ArchiveReader, _ zoom: Int
  ) throws(ArchiveError) -> [UInt64: Spot] {
    var places: [UInt64: Spot] = [:]
    try archive.forEachTapBlock(zoom: zoom) { coord, block in
      for symbol in 0..<block.symbols.count {
        let feature = block.symbols.features[symbol]
        guard places[feature] == nil, let point = block.anchor(of: symbol, in: coord) else {
          continue
        }
        places[feature] = .symbol(feature, point)
      }
      for shape in block.shapes where places[shape.feature] == nil {
        places[shape.feature] = .shape(shape.feature, coord)
      }
      return true
    }
    return places
  }
}

extension TapBlock {
  /// Returns the anchor of a symbol; `nil` if it lies in a neighbouring block and only reaches into
  /// this one.
  fileprivate func anchor(of symbol: Int, in coord: TapBlockCoord) -> WorldPoint? {
    let unit = Double(Self.steps * tileSide)
    let (x, y) = (Double(symbols.xs[symbol]) / unit, Double(symbols.ys[symbol]) / unit)
    let side = Double(min(TapBlockCoord.side, 1 << coord.zoom))
    guard (0..<side).contains(x), (0..<side).contains(y) else { return nil }
    return WorldPoint(coord.firstTile, x: x, y: y)
  }
}

extension WorldPoint {
  /// Creates the point at a place that is given in shares of a tile's side from its north-west
  /// corner.
  init(_ tile: TileCoord, x: Double, y: Double) {
    let scale = 1 / Double(1 << tile.z)
    self.init(
      x: Self.fixed((Double(tile.x) + x) * scale), y: Self.fixed((Double(tile.y) + y) * scale))
  }
}
