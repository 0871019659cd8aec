package import Features
package import Tiling

/// A reader of the features of one layer in tiles of one zoom, as records.
///
/// Features are joined across the borders of the tiles (``VectorTileJoiner``), as areas and lines are
/// drawn; or each tile's are read on their own, whole, as symbols and circles are placed: where one
/// stands then follows from one tile alone, whatever other tiles are read.
///
/// A tile that is damaged is one rejected record, as is each layer and each feature that cannot be
/// read; messages name tile, layer, feature and byte. What lies outside its tile's square is the neighbour's and no record.
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

  /// Maximum number of records of a batch.
  private static let batchLimit = 4096

  /// The number of tiles without features after which an empty batch is returned.
  private static let emptyLimit = 1024

  /// The number of tiles that have been read.
  private var tilesRead = 0

  package private(set) var propertyNames: [String] = []
  package private(set) var ledger = SourceLedger()
  package private(set) var bytesRead = 0

  /// The layer. It is not ``FeatureReader/layer``, which only formats have that know their columns
  /// before the first record.
  private let name: String

  private let tiles: [TileCoord]
  private let joining: TileJoining
  private let limits: VectorTileLimits
  private let isWanted: @Sendable (String) -> Bool

  /// Returns what the container has of a tile.
  private let content: (TileCoord) throws(SourceError) -> Content

  /// The property whose values are the ids of features; `nil` for the ids of the tiles. A feature
  /// without it has no id.
  package var idName: String?

  /// Whether faults count that concern a tile and not the layer: one of the readers of a tile's layers
  /// counts them.
  package var countsTiles = true

  /// Whether the faults of a tile count; another reader may count those of some.
  package var countsFaults: (TileCoord) -> Bool = { _ in true }

  /// The features that were read last, and the number of those that are handed out.
  private var features = FeatureBatch()
  private var handedOut = 0

  /// The first tile of each of these features, and the number of the first of the last batch.
  private var featureTiles: [TileCoord] = []
  private var firstOfBatch = 0

  /// The number of records of all features before them.
  private var records = 0

  /// The place of each of ``propertyNames``.
  private var places: [String: Int] = [:]

  /// - Parameters:
  ///   - layer: the layer of the tiles.
  ///   - tiles: the tiles, all of one zoom.
  ///   - joining: the features that go on across borders.
  ///   - isWanted: whether a property is needed; others do not keep features apart, either.
  ///   - content: returns what the container has of a tile; its errors end the reading.
  package init(
    layer: String, tiles: [TileCoord], joining: TileJoining,
    limits: VectorTileLimits = VectorTileLimits(),
    isWanted: @escaping @Sendable (String) -> Bool = { _ in true },
    content: @escaping (TileCoord) throws(SourceError) -> Content
  ) {
    precondition(tiles.allSatisfy { $0.z == tiles[0].z }, "the tiles are of one zoom")
    name = layer
    self.tiles = tiles.sorted { TileKey($0) < TileKey($1) }
    self.joining = joining
    self.limits = limits
    self.isWanted = isWanted
    self.content = content
  }

  /// Clears the batch and fills it with the next features; it stays empty, too, after many tiles without
  /// any.
  package mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    batch.removeAll()
    let begin = tilesRead
    while handedOut == features.count {
      guard tilesRead < tiles.count else { return false }
      // Whoever reads may end, for a signal or for too many faults.
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
    (firstOfBatch, handedOut) = (rows.lowerBound, rows.upperBound)
    return true
  }

  package func part(ofRow row: Int) -> String? {
    let feature = firstOfBatch + row
    return featureTiles.indices.contains(feature) ? "\(featureTiles[feature])" : nil
  }

  /// Reads the next tile that has layers, or all if they are joined; none after many without.
  private mutating func readOn() throws(SourceError) {
    records += features.count
    handedOut = 0
    let end = joining == .none ? min(tilesRead + Self.emptyLimit, tiles.count) : tiles.count
    var joiner = VectorTileJoiner(
      zoom: tiles[tilesRead].z, joining: joining, isWanted: isWanted)
    var isEmpty = true
    while tilesRead < end, joining != .none || isEmpty {
      let tile = tiles[tilesRead]
      tilesRead += 1
      guard let read = try layers(of: tile) else { continue }
      add(tile, read, to: &joiner)
      isEmpty = false
    }
    do throws(VectorTileError) {
      features = try joiner.joined(firstTiles: &featureTiles)
    } catch {
      throw SourceError(code: .badData, file: name, message: error.sentence)
    }
    if let idName { promote(idName) }
    for column in features.columns where places[column.name] == nil {
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

  /// Returns the layers of a tile; `nil` where it has none, or none can be read.
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

  private mutating func add(
    _ tile: TileCoord, _ read: VectorTile, to joiner: inout VectorTileJoiner
  ) {
    for fault in read.faults where fault.layer.map({ $0 == name }) ?? countsTiles {
      reject(fault, of: tile, as: .invalidGeometry)
    }
    for layer in read.layers(named: name) { add(tile, layer, to: &joiner) }
  }

  private mutating func add(
    _ tile: TileCoord, _ layer: VectorTileLayer, to joiner: inout VectorTileJoiner
  ) {
    let before = joiner.counts
    joiner.add(tile, layer)
    let examples = joiner.counts.examples
    for index in before.rejected..<joiner.counts.rejected {
      reject(examples[min(index, examples.count - 1)], of: tile, as: .invalidGeometry)
    }
  }

  private mutating func reject(
    _ error: VectorTileError, of tile: TileCoord, as reason: RejectReason
  ) {
    guard countsFaults(tile) else { return }
    var error = error
    error.tile = tile
    ledger.read += 1
    // Tiles have no lines: the number of the rejected record keeps examples in order.
    let number = ledger.rejectedTotal + 1
    // Most are not kept as examples: a run may be a million damaged tiles.
    ledger.reject(
      SourceLedger.Example(reason: reason, line: number, column: 0, message: error.sentence),
      as: reason)
  }
}
