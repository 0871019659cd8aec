package import Features
package import Tiling

/// A reader of the features of one layer in tiles of one zoom, as records.
///
/// The features of each tile are records of their own (``VectorTileRecords``): what a map shows of
/// them follows from one tile alone, whatever other tiles are read.
///
/// A damaged tile, layer or feature is one rejected record; messages name tile, layer, feature and
/// byte.
package struct VectorTileReader: FeatureReader {
  /// The answer of a container to a request for a tile.
  package enum Content: Sendable {
    case absent
    /// The unpacked bytes.
    case bytes([UInt8])
    /// A tile whose wanted layers have been read, from this number of unpacked bytes.
    case tile(VectorTile, bytes: Int)
    /// A tile of which no layer can be read, from this number of unpacked bytes.
    case broken(VectorTileError, bytes: Int)

    /// A packed tile that is damaged, or larger than the limit once it is unpacked.
    package static var damaged: Content { .broken(VectorTileError(.packing, byte: 0), bytes: 0) }
  }

  /// Many broken tiles that are stored once.
  package struct Broken: Sendable {
    let first: TileCoord
    let count: Int
    let error: VectorTileError

    /// The unpacked bytes of one.
    let bytes: Int

    package init(first: TileCoord, count: Int, error: VectorTileError, bytes: Int) {
      (self.first, self.count, self.error, self.bytes) = (first, count, error, bytes)
    }
  }

  /// Maximum number of records of a batch.
  private static let batchLimit = 4096

  /// Maximum number of names of properties.
  private static let nameLimit = 1 << 12

  /// The number of tiles without features after which an empty batch is returned.
  private static let emptyLimit = 1024

  /// The number of tiles that have been read.
  private var tilesRead = 0

  package private(set) var propertyNames: [String] = []
  package private(set) var ledger = SourceLedger()
  package private(set) var bytesRead = 0

  /// The name of the layer. ``FeatureReader/layer`` does not return it, since only formats that
  /// know their columns before the first record have one.
  private let name: String

  private let tiles: [TileCoord]
  private let isPainted: Bool
  private let limits: VectorTileLimits
  private let isWanted: @Sendable (String) -> Bool

  /// Returns the container's content of a tile.
  private let content: (TileCoord) throws(SourceError) -> Content

  /// The property whose values are the ids of features; `nil` for the ids of the tiles. A feature
  /// without it has no id.
  package var idName: String?

  /// Whether faults of a whole tile are counted. Of the readers of a tile's layers, only one
  /// counts them.
  package var countsTiles = true

  /// Broken tiles beside those that are read.
  package var broken: [Broken] = []

  /// Whether the faults of a tile count; another reader may count those of some.
  package var countsFaults: (TileCoord) -> Bool = { _ in true }

  /// The features that were read last, and the number of those that were handed out.
  private var features = FeatureBatch()
  private var handedOut = 0

  /// The tile of these features.
  private var featureTile: TileCoord?

  /// The number of records of all features before them.
  private var records = 0

  /// The index of each of ``propertyNames``.
  private var places: [String: Int] = [:]

  /// - Parameters:
  ///   - layer: the layer of the tiles.
  ///   - tiles: the tiles, all of one zoom.
  ///   - isPainted: whether the features are filled and stroked rather than marked with symbols or
  ///     queried; see ``VectorTileRecords``.
  ///   - isWanted: whether a property is needed; other properties are not kept.
  ///   - content: returns what the container has of a tile; its errors end the reading.
  package init(
    layer: String, tiles: [TileCoord], isPainted: Bool,
    limits: VectorTileLimits = VectorTileLimits(),
    isWanted: @escaping @Sendable (String) -> Bool = { _ in true },
    content: @escaping (TileCoord) throws(SourceError) -> Content
  ) {
    precondition(tiles.allSatisfy { $0.z == tiles[0].z }, "the tiles are of one zoom")
    name = layer
    self.tiles = tiles.sorted { TileKey($0) < TileKey($1) }
    self.isPainted = isPainted
    self.limits = limits
    self.isWanted = isWanted
    self.content = content
  }

  /// Clears the batch and fills it with the next features; the batch also stays empty after many
  /// tiles without features.
  package mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    batch.removeAll()
    for tiles in broken where countsTiles {
      reject(tiles.error, of: tiles.first, as: .invalidTile, count: tiles.count)
      bytesRead += tiles.bytes * tiles.count
    }
    broken = []
    let begin = tilesRead
    while handedOut == features.count {
      guard tilesRead < tiles.count else { return false }
      // Returning lets the caller stop, for a signal or too many faults.
      if tilesRead - begin >= Self.emptyLimit { return true }
      try readOn()
    }
    for name in propertyNames[batch.columns.count...] {
      batch.columns.append(PropertyColumn(name: name))
    }
    let rows = handedOut..<min(handedOut + Self.batchLimit, features.count)
    var sources = [Int?](repeating: nil, count: propertyNames.count)
    for (index, column) in features.columns.enumerated() {
      if let place = places[column.name] { sources[place] = index }
    }
    batch.append(rows: rows, of: features, from: sources)
    batch.moveLines(by: records)
    handedOut = rows.upperBound
    return true
  }

  package func part(ofRow row: Int) -> String? {
    featureTile.map { "\($0)" }
  }

  /// Reads the next tile that has layers; stops early after many tiles without layers.
  private mutating func readOn() throws(SourceError) {
    records += features.count
    handedOut = 0
    features = FeatureBatch()
    let end = min(tilesRead + Self.emptyLimit, tiles.count)
    while tilesRead < end {
      let tile = tiles[tilesRead]
      tilesRead += 1
      guard let read = try layers(of: tile) else { continue }
      featureTile = tile
      features = records(of: tile, read)
      break
    }
    if let idName { promote(idName) }
    for column in features.columns where places[column.name] == nil {
      guard propertyNames.count < Self.nameLimit else {
        let error = VectorTileError(.tooMany("names of properties", limit: Self.nameLimit), byte: 0)
        throw SourceError(code: .badData, file: name, message: error.sentence)
      }
      places[column.name] = propertyNames.count
      propertyNames.append(column.name)
    }
  }

  /// Makes the values of a property the ids of the features that were read last.
  private mutating func promote(_ name: String) {
    let count = features.count
    features.ids.removeAll()
    if let column = features.columns.first(where: { $0.name == name }) {
      features.ids.append(rows: 0..<count, of: column)
    } else {
      features.ids.append(.missing, count: count)
    }
  }

  /// Returns the layers of a tile; `nil` if it has none, or if none can be read.
  private mutating func layers(of tile: TileCoord) throws(SourceError) -> VectorTile? {
    let content = try content(tile)
    do throws(VectorTileError) {
      switch content {
      case .absent: return nil
      case .broken(let error, let count):
        bytesRead += count
        throw error
      case .bytes(let bytes):
        bytesRead += bytes.count
        return try VectorTile(bytes, limits: limits, sparesLayers: true, isWanted: { $0 == name })
      case .tile(let read, let count):
        bytesRead += count
        return read
      }
    } catch {
      if countsTiles { reject(error, of: tile, as: .invalidTile) }
      return nil
    }
  }

  /// Returns the records of the reader's layer in a tile, and counts its faults.
  private mutating func records(of tile: TileCoord, _ read: VectorTile) -> FeatureBatch {
    for fault in read.faults where fault.layer.map({ $0 == name }) ?? countsTiles {
      reject(fault, of: tile, as: .invalidGeometry)
    }
    var records = VectorTileRecords(of: tile, isPainted: isPainted, isWanted: isWanted)
    for layer in read.layers(named: name) { records.add(layer) }
    let counts = records.counts
    for index in 0..<counts.rejected {
      reject(
        counts.examples[min(index, counts.examples.count - 1)], of: tile, as: .invalidGeometry)
    }
    return records.records()
  }

  private mutating func reject(
    _ error: VectorTileError, of tile: TileCoord, as reason: RejectReason, count: Int = 1
  ) {
    guard countsFaults(tile) else { return }
    var error = error
    error.tile = tile
    ledger.read += count
    // Tiles have no lines: the number of the rejected record keeps examples in order.
    let number = ledger.rejectedTotal + 1
    // Most are not kept as examples: a million tiles may be damaged.
    ledger.reject(
      SourceLedger.Example(reason: reason, line: number, column: 0, message: error.sentence),
      as: reason, count: count)
  }
}
