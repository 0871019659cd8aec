import Columns
import Definition
import Features
import Inputs
import MBTiles
import Painting
import Reuse
import Runs
import Scenes
import Tilesets
import Tiling

/// The tiles of a block with the images that it shows.
struct PaintedBlock: Sendable {
  /// An image, whose bytes follow those of the one before.
  struct Image: Sendable {
    let scene: StableHash
    let size: Int
    let digest: MD5Digest
    let checksum: UInt64

    /// Whether it was painted rather than taken from the last archive.
    let isPainted: Bool
  }

  let scenes: ShapeBlocks.Made
  var images: [Image] = []
  var bytes: [UInt8] = []

  /// The outcome of reading each part, and the requested properties that its features have.
  let ledgers: [SourceLedger]
  let names: [[String]]
}

/// A painter of the blocks of one zoom, for one worker: reads the source tiles of a block and those
/// around it, each once for all layers, and paints what they show.
final class BlockPainter {
  /// The data that the workers of a zoom share.
  struct Zoom: Sendable {
    let drawing: ShapeBlocks
    let painters: PainterFactory

    /// The parts of tilesets that the zoom shows.
    let parts: [ResolvedSource]

    /// The first of the map's zooms: what several zooms show is counted once.
    let firstZoom: Int

    /// The lines and polygons of sources that are read as a whole.
    let shapes: [ShapeSource]
    let reading: SourceReading
    let reuse: TileReuse
  }

  /// The room for the unpacked tiles of the blocks of all workers, if memory is not limited 128 MiB for
  /// each.
  private static func tileLimit(_ context: RunContext) -> Int {
    min(128 << 20, context.scratch.map { $0.limits.work / max(context.threads, 1) } ?? .max)
  }

  private let zoom: Zoom
  private let painter: TilePainter
  private let reader: TileReuse.Reader?

  /// The tiles of each part.
  private let tiles: [SharedTiles?]

  init(_ zoom: Zoom) throws {
    self.zoom = zoom
    painter = try zoom.painters.painter()
    reader = zoom.reuse.reader()
    let limit = Self.tileLimit(zoom.reading.context)
    var copies: [ObjectIdentifier: SharedTiles] = [:]
    tiles = zoom.parts.map { part in
      part.definition.vectorTiles?.shared.map { shared in
        let id = ObjectIdentifier(shared)
        let copy = copies[id] ?? shared.copy(limit: limit)
        copies[id] = copy
        return copy
      }
    }
  }

  private var cancellation: Cancellation { zoom.reading.context.cancellation }

  /// Reads and paints a block.
  func paint(_ block: MapBlock) throws -> PaintedBlock {
    defer { for tiles in tiles { tiles?.removeContents() } }
    var ledgers: [SourceLedger] = []
    var names: [[String]] = []
    var shapes = zoom.shapes
    for (part, tiles) in zip(zoom.parts, tiles) {
      let own = try read(part, tiles, of: block)
      if let own = own.shapes { shapes.append(own) }
      ledgers.append(own.ledger)
      names.append(own.names)
    }
    let made = try zoom.drawing.scenes(of: shapes, keys: block.keys, in: block.range)
    var painted = PaintedBlock(scenes: made, ledgers: ledgers, names: names)
    try paint(made.scenes, into: &painted)
    return painted
  }

  /// Reads the shapes of a part that a block may show.
  private func read(
    _ part: ResolvedSource, _ tiles: SharedTiles?, of block: MapBlock
  ) throws -> (shapes: ShapeSource?, ledger: SourceLedger, names: [String]) {
    guard let own = part.definition.vectorTiles?.part else { return (nil, SourceLedger(), []) }
    let isFirst = block.zoom == max(zoom.firstZoom, own.drawnZooms.lowerBound)
    let counted = isFirst ? block.ownTiles(zoom: own.zoom) : nil
    let loaded = try part.load(
      VectorTileSource.Part.Block(
        tiles: block.range.sourceTiles(zoom: own.zoom, margin: 1), own: counted),
      from: tiles, by: zoom.reading)
    var ledger = SourceLedger()
    if let counted, let tiles {
      ledger = loaded.ledger
      let features = try tiles.featureCount(of: own.layer, in: counted.tiles)
      // Records of the block are joined features; those of the tiles do not depend on the block.
      ledger.restore(counts: { _ in 0 }, repairs: { _ in 0 })
      ledger.used = features
      ledger.read = ledger.used + ledger.rejectedTotal
    }
    return (
      try loaded.clustered(by: zoom.reading).shapes(at: block.zoom), ledger, loaded.propertyNames
    )
  }

  private func paint(_ scenes: ZoomScenes, into block: inout PaintedBlock) throws {
    var seen = SceneTable()
    for tile in 0..<scenes.count {
      let scene = scenes.hashes[tile]
      guard seen.insert(scene).isNew else { continue }
      try cancellation.check()
      let start = block.bytes.count
      let known = reader?.append(scene, to: &block.bytes)
      if known == nil { try painter.paint(tile, of: scenes, into: &block.bytes) }
      let image = block.bytes[start...]
      block.images.append(
        PaintedBlock.Image(
          scene: scene, size: image.count,
          digest: known?.md5
            ?? block.bytes.withUnsafeBytes {
              MD5Digest(of: UnsafeRawBufferPointer(rebasing: $0[start...]))
            },
          checksum: known?.checksum ?? ImageChecksum.of(image), isPainted: known == nil))
    }
  }
}
