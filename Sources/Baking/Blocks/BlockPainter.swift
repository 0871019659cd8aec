import Columns
import Definition
import Features
import Inputs
import MBTiles
import Painting
import Reuse
import Runs
import Scenes
import SourceStages
import Tilesets
import Tiling

/// The tiles of a block with the pictures that they show.
struct PaintedBlock: Sendable {
  let scenes: ShapeBlocks.Made

  /// The pictures of its different scenes.
  var pictures = Pictures()

  /// The outcome of reading each part, and the requested properties that its features have.
  let ledgers: [SourceLedger]
  let names: [[String]]

  /// The trials of the layers on the features of the block.
  let trials: PartTrials

  /// Whether no scene was made, since the last build knew all of them.
  var isKnown = false
}

/// A painter of the blocks of one zoom, for one worker: reads the source tiles of a block, each once
/// for all layers, and paints what they show.
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

    /// The trials of the layers on what was read before.
    let trials: PartTrials
    let reading: SourceReading
    let reuse: TileReuse
  }

  /// The room for the unpacked tiles of the blocks of all workers, if memory is not limited 128 MiB for
  /// each.
  private static func tileLimit(_ context: RunContext) -> Int {
    min(128 << 20, context.scratch.map { $0.limits.work / max(context.threads, 1) } ?? .max)
  }

  private let zoom: Zoom
  private let maker: PictureMaker

  /// The tiles of each part.
  private let tiles: [SharedTiles?]

  init(_ zoom: Zoom) throws {
    self.zoom = zoom
    maker = try PictureMaker(zoom.painters, zoom.reuse)
    let limit = Self.tileLimit(zoom.reading.context)
    var copies: [ObjectIdentifier: SharedTiles] = [:]
    tiles = zoom.parts.map { part in
      part.sharedTiles.map { shared in
        let id = ObjectIdentifier(shared)
        let copy = copies[id] ?? shared.copy(limit: limit)
        copies[id] = copy
        return copy
      }
    }
  }

  private var cancellation: Cancellation { zoom.reading.context.cancellation }

  /// Returns a block with its pictures: those of the last build, or read and painted.
  func paint(_ planned: PlannedBlock) throws -> PaintedBlock {
    if let known = planned.known, let taken = take(known) { return taken }
    return try paint(planned.block)
  }

  /// Returns a block of the last build with its pictures; `nil` if one of them is missing.
  func take(_ known: PlannedBlock.Known) -> PaintedBlock? {
    var pictures = Pictures()
    var seen = SceneTable()
    for scene in known.hashes where seen.insert(scene).isNew {
      guard maker.take(scene, to: &pictures) else { return nil }
    }
    let scenes = zoom.drawing.base.outline(
      tileKeys: known.tileKeys, hashes: known.hashes, quadrants: known.quadrants)
    return PaintedBlock(
      scenes: ShapeBlocks.Made(
        scenes: scenes, missingImages: known.gaps.0, unusableNumbers: known.gaps.1),
      pictures: pictures, ledgers: known.ledgers, names: known.names, trials: known.trials,
      isKnown: true)
  }

  /// Reads and paints a block.
  private func paint(_ block: MapBlock) throws -> PaintedBlock {
    defer { for tiles in tiles { tiles?.removeContents() } }
    var ledgers: [SourceLedger] = []
    var names: [[String]] = []
    var shapes = zoom.shapes
    var trials = zoom.trials
    for (part, tiles) in zip(zoom.parts, tiles) {
      let own = try read(part, tiles, of: block, &trials)
      if let own = own.shapes { shapes.append(own) }
      ledgers.append(own.ledger)
      names.append(own.names)
    }
    let made = try zoom.drawing.scenes(of: shapes, keys: block.keys, in: block.range)
    var painted = PaintedBlock(scenes: made, ledgers: ledgers, names: names, trials: trials)
    try paint(made.scenes, into: &painted.pictures)
    return painted
  }

  /// Reads the shapes of a part that a block may show.
  private func read(
    _ part: ResolvedSource, _ tiles: SharedTiles?, of block: MapBlock, _ trials: inout PartTrials
  ) throws -> (shapes: ShapeSource?, ledger: SourceLedger, names: [String]) {
    guard let own = part.definition.vectorTiles?.part else { return (nil, SourceLedger(), []) }
    let isFirst = block.zoom == max(zoom.firstZoom, own.drawnZooms.lowerBound)
    let counted = isFirst ? block.ownTiles(zoom: own.zoom) : nil
    let loaded = try part.load(
      VectorTileSource.Part.Block(
        tiles: block.range.sourceTiles(zoom: own.zoom, margin: 0), own: counted),
      from: tiles, by: zoom.reading)
    let clustered = try loaded.clustered(by: zoom.reading)
    trials.take(clustered, zoom: block.zoom)
    return (
      clustered.shapes(at: block.zoom), counted == nil ? SourceLedger() : loaded.ledger,
      loaded.propertyNames
    )
  }

  private func paint(_ scenes: ZoomScenes, into pictures: inout Pictures) throws {
    var seen = SceneTable()
    for tile in 0..<scenes.count where seen.insert(scenes.hashes[tile]).isNew {
      try cancellation.check()
      try maker.append(tile, of: scenes, to: &pictures)
    }
  }
}
