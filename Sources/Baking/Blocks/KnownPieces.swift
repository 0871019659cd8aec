import Columns
import Features
import Inputs
import Reuse
import Scenes
import Styling
import Tilesets
import Tiling

/// The contents of a square of source tiles as the placement of symbols needs them.
struct SymbolSquare {
  /// The requests of each part's symbols, the outcome of reading it, and the requested properties that its
  /// features have.
  var parts: [(requests: SymbolRequests, ledger: SourceLedger, names: [String])] = []

  /// The trials of the layers on the features.
  var trials: PartTrials

  /// The square as bytes; `nil` if it cannot be restored.
  ///
  /// - Parameter start: the trials before it, as bytes.
  func bytes(after start: ByteWriter) -> ByteWriter? {
    var (writer, isWhole) = (ByteWriter(), true)
    for part in parts {
      part.requests.append(to: &writer)
      isWhole = writer.append(part.ledger, part.names) && isWhole
    }
    writer.append(trials, after: start)
    return isWhole ? writer : nil
  }

  init(after trials: PartTrials) { self.trials = trials }

  /// Restores a square of some parts.
  init(_ reader: ByteReader, of count: Int, after start: PartTrials) throws(ByteReader.Damage) {
    var reader = reader
    for _ in 0..<count {
      let requests = try SymbolRequests(&reader)
      let (ledger, names) = try reader.ledger()
      parts.append((requests, ledger, names))
    }
    trials = try reader.trials(after: start)
    guard reader.isAtEnd else { throw ByteReader.Damage() }
  }
}

/// A block to be painted, with what the last build knew of it.
struct PlannedBlock: Sendable {
  let block: MapBlock

  /// The hash of all that it follows from; `nil` if that is not known.
  let key: StableHash?

  /// Its tiles, if no scene needs to be made.
  var known: Known?

  struct Known: Sendable {
    let tileKeys: Column<UInt64>
    let hashes: Column<StableHash>
    let quadrants: Column<UInt8>
    let gaps: (MissingImages, UnusableNumbers)
    var ledgers: [SourceLedger] = []
    var names: [[String]] = []
    let trials: PartTrials

    /// Restores a block over some parts.
    init(_ reader: ByteReader, of count: Int, after start: PartTrials) throws(ByteReader.Damage) {
      var reader = reader
      tileKeys = try reader.column(of: UInt64.self)
      hashes = try reader.column(of: StableHash.self)
      quadrants = try reader.column(of: UInt8.self)
      gaps = try reader.gapsOfStyle()
      for _ in 0..<count {
        let (ledger, names) = try reader.ledger()
        ledgers.append(ledger)
        self.names.append(names)
      }
      trials = try reader.trials(after: start)
      guard reader.isAtEnd, hashes.count == tileKeys.count, quadrants.count == tileKeys.count
      else { throw ByteReader.Damage() }
    }
  }
}

extension PaintedBlock {
  /// The block as bytes; `nil` if it cannot be restored.
  ///
  /// - Parameter start: the trials before it, as bytes.
  func bytes(after start: ByteWriter) -> ByteWriter? {
    var (writer, isWhole) = (ByteWriter(), true)
    writer.append(scenes.scenes.tileKeys)
    writer.append(scenes.scenes.hashes)
    writer.append(scenes.scenes.quadrants)
    writer.append(scenes.missingImages, scenes.unusableNumbers)
    for (ledger, names) in zip(ledgers, names) {
      isWhole = writer.append(ledger, names) && isWhole
    }
    writer.append(trials, after: start)
    return isWhole ? writer : nil
  }
}

/// The pieces of one zoom in the last build and in this one.
struct ZoomPieces {
  /// The trials of the layers before the zoom.
  let start: PartTrials
  let startBytes: ByteWriter

  /// Both are `nil` where nothing is known and nothing is kept.
  private(set) var keys: PieceKeys?
  private(set) var memory: PieceMemory?

  init(after start: PartTrials, keys: PieceKeys? = nil, memory: PieceMemory? = nil) {
    self.start = start
    startBytes = start.bytes
    self.keys = keys
    self.memory = memory
  }

  /// Keeps nothing.
  mutating func forget() { (keys, memory) = (nil, nil) }

  /// Returns a square that the last build knew.
  func square(_ key: StableHash?, of parts: Int) -> SymbolSquare? {
    key.flatMap { memory?.piece($0) }.flatMap { try? SymbolSquare($0, of: parts, after: start) }
  }

  /// Returns a block with what the last build knew of it, unless a picture of it is missing.
  func planned(
    _ block: MapBlock, _ shown: VisibleSymbols?, _ zoom: BlockPainter.Zoom, _ grid: PixelGrid
  ) -> PlannedBlock {
    let key = keys?.key(of: block, shown, grid)
    let known = key.flatMap { memory?.piece($0) }.flatMap {
      try? PlannedBlock.Known($0, of: zoom.parts.count, after: start)
    }
    let isWhole = known?.hashes.allSatisfy { zoom.reuse.knows($0) } == true
    return PlannedBlock(block: block, key: key, known: isWhole ? known : nil)
  }

  /// Keeps a piece for the next build.
  ///
  /// - Parameters:
  ///   - isKnown: whether it was taken from the last build.
  ///   - made: its bytes otherwise; `nil` if it cannot be kept.
  mutating func remember(
    _ key: StableHash?, isKnown: Bool, _ made: @autoclosure () -> ByteWriter?
  ) {
    guard let key else { return }
    if isKnown { memory?.keep(key) } else if let made = made() { memory?.insert(key, made) }
  }
}

/// The keys of the pieces of one zoom; see ``PieceMemory``.
struct PieceKeys {
  /// The tiles of a tileset from which parts are read.
  struct Tiles {
    let zoom: Int
    let digests: TileDigests
  }

  /// The tiles of the parts that are filled and stroked, and of those that show symbols.
  let shapeTiles: [Tiles]
  let symbolTiles: [Tiles]

  /// The trials of the layers before the zoom, as bytes.
  let trials: ByteWriter

  /// The tiles that the background fills; `nil` if it fills all tiles of the map.
  let background: TileRange?

  /// The zoom of the squares in which decisions on symbols are hashed.
  var cellZoom: Int? { symbolTiles.map(\.zoom).max() }

  /// Returns the key of a square of source tiles.
  func key(ofSquare square: TileRange, _ parts: [ResolvedSource]) -> StableHash {
    var key = seed("square")
    key.combine(square)
    for part in parts { key.combine(part.name) }
    for tiles in symbolTiles where tiles.zoom == square.zoom {
      key.combine(tiles.digests.hash(of: square))
    }
    return key
  }

  /// Returns the key of a block.
  func key(of block: MapBlock, _ shown: VisibleSymbols?, _ grid: PixelGrid) -> StableHash {
    var key = seed("block")
    key.combine(block.depth)
    key.combine(block.key)
    key.combine(block.range)
    if let background { key.combine(background) }
    for tiles in shapeTiles {
      key.combine(block.ownTiles(zoom: tiles.zoom) == nil ? 0 : 1)
      key.combine(
        tiles.digests.hash(of: block.range.sourceTiles(zoom: tiles.zoom, margin: 0)))
    }
    guard let shown, let cellZoom else { return key }
    func around(_ zoom: Int) -> TileRange {
      block.range.sourceTiles(zoom: zoom, margin: shown.margin(zoom: zoom, of: grid))
    }
    for tiles in symbolTiles {
      key.combine(around(tiles.zoom))
      key.combine(tiles.digests.hash(of: around(tiles.zoom)))
    }
    key.combine(shown.hash(of: around(cellZoom)))
    return key
  }

  private func seed(_ kind: String) -> StableHash {
    var key = StableHash()
    key.combine(kind)
    let content = trials.bytes.withUnsafeBytes { ContentHash($0) }
    key.combine(content.high)
    key.combine(content.low)
    return key
  }
}

extension StableHash {
  fileprivate mutating func combine(_ range: TileRange) {
    combine(range.zoom)
    combine(range.firstColumn)
    combine(range.lastColumn)
    combine(range.firstRow)
    combine(range.lastRow)
  }
}
