import Columns
import Definition
import Inputs
import MBTiles
import Reuse
import Runs
import Scenes
import SourceStages
import Styling
import Tilesets
import Tiling

/// The parts of tilesets that a build reads piece by piece, so that its memory does not grow with
/// them: parts that are only filled and stroked, in blocks of tiles; and parts that only show
/// symbols, in zones of several blocks.
///
/// Labels anywhere on a zoom compete for room, so all symbols of a zoom are placed before its first
/// zone is drawn (`PlacementPass`).
struct StreamedTilesets {
  /// The number of source tiles from which on a build reads blocks.
  private static let leastTiles = 1024

  /// The depth of a block in zooms below its root tile if the map's tiles are the source's own: a
  /// block has 64 source tiles.
  private static let usualDepth = 3

  /// The depth of a block if the map's tiles are deeper than the source's, so that a block needs
  /// fewer of these.
  private static let largestDepth = 5

  /// The depth of a zone in zooms of the source: labels and icons of a thousand source tiles are in
  /// memory.
  private static let zoneDepth = 5

  /// The parts that are filled and stroked.
  let parts: [ResolvedSource]

  /// The parts that are marked with symbols.
  private let symbolParts: [ResolvedSource]

  /// The depth that a test asks for; `nil` otherwise.
  private let depth: Int?

  /// The number of zooms by which blocks and zones are less deep under a ceiling of memory; the
  /// archive is the same.
  private let lessDepth: Int

  /// - Returns: `nil` for a build that reads all of its sources before it paints.
  init?(of build: Build) throws(PipelineError) {
    let tiles = build.definition.tiles
    guard tiles.interactivity == nil, build.choice == nil, !build.artifacts.isOfPlan,
      tiles.bounds?.crossesAntimeridian != true, !build.definition.hasSeries
    else { return nil }
    let (style, drawn) = (build.prepared.style, build.pipeline.drawnSources)
    let shared = drawn.filter { $0.sharedTiles != nil }
    parts = shared.filter { style.onlyPaintsShapes(of: $0.name) }
    let symbolParts = shared.filter { style.onlyShowsSymbols(of: $0.name) }
    self.symbolParts = symbolParts
    depth = build.options.blockDepth
    lessDepth = build.context.scratch.map { Self.lessDepth(room: $0.limits.work) } ?? 0
    guard !parts.isEmpty || !symbolParts.isEmpty else { return nil }
    guard depth == nil else { return }
    let count = try PipelineError.wrapping { [parts] in
      try Self.presences(of: parts + symbolParts).reduce(0) { $0 + $1.count }
    }
    guard count >= Self.leastTiles else { return nil }
  }

  /// Returns the number of zooms by which blocks are less deep, so that their shapes fit into
  /// memory, some MiB for each source tile of a city: 4 or 16 source tiles instead of 64.
  private static func lessDepth(room: Int) -> Int {
    room < 48 << 20 ? 2 : room < 192 << 20 ? 1 : 0
  }

  /// Returns the tiles of each tileset and zoom that parts are read from.
  private static func presences(
    of parts: [ResolvedSource]
  ) throws(ArchiveError) -> [TileKeySet] {
    var zooms: [ObjectIdentifier: Set<Int>] = [:]
    var presences: [TileKeySet] = []
    for source in parts {
      guard let tiles = source.definition.vectorTiles, let part = tiles.part,
        let shared = source.sharedTiles,
        zooms[ObjectIdentifier(shared), default: []].insert(part.zoom).inserted
      else { continue }
      presences.append(try shared.presence(zoom: part.zoom, in: tiles.ranges(of: part).first))
    }
    return presences
  }

  /// Returns the parts that a zoom shows.
  func parts(at zoom: Int) -> [ResolvedSource] { parts.filter { $0.isDrawn(at: zoom) } }

  /// Returns the parts whose symbols a zoom shows.
  func symbolParts(at zoom: Int) -> [ResolvedSource] {
    symbolParts.filter { $0.isDrawn(at: zoom) }
  }

  // MARK: Zones

  /// Returns the squares of source tiles in which some parts are read one after the other, and the
  /// parts of each.
  ///
  /// - Complexity: O(source tiles).
  func squares(
    of parts: [ResolvedSource]
  ) throws(ArchiveError) -> [(square: TileRange, parts: [ResolvedSource])] {
    var tilesets: [(tiles: SharedTiles, zoom: Int, parts: [ResolvedSource])] = []
    for source in parts {
      guard let tiles = source.sharedTiles,
        let zoom = source.definition.vectorTiles?.part?.zoom
      else { continue }
      if let known = tilesets.firstIndex(where: { $0.tiles === tiles && $0.zoom == zoom }) {
        tilesets[known].parts.append(source)
      } else {
        tilesets.append((tiles, zoom, [source]))
      }
    }
    var squares: [(square: TileRange, parts: [ResolvedSource])] = []
    for tileset in tilesets {
      let last = 1 << tileset.zoom - 1
      let world = TileRange(
        zoom: tileset.zoom, firstColumn: 0, lastColumn: last, firstRow: 0, lastRow: last)
      let depth = min(self.depth ?? Self.usualDepth, tileset.zoom)
      var keys: Set<UInt64> = []
      for presence in try Self.presences(of: tileset.parts) {
        presence.forEach { keys.insert($0.rawValue >> UInt64(2 * depth)) }
      }
      squares += keys.sorted().compactMap { key in
        MapBlock(key: key, depth: depth, within: world).map {
          (square: $0.range, parts: tileset.parts)
        }
      }
    }
    return squares
  }

  /// Returns the zones of a zoom that may show anything, with their blocks, in the order of the archive.
  ///
  /// - Parameters:
  ///   - base: the scenes of everything that is not streamed.
  ///   - shown: the symbols of all parts; `nil` if they are in the base.
  ///   - map: the tiles of the map.
  /// - Complexity: O(source tiles + tiles of the base).
  func zones(
    over base: ZoomScenes, _ shown: VisibleSymbols?, within map: TileRange
  ) throws(ArchiveError) -> [(zone: MapBlock, blocks: [MapBlock])] {
    let zoom = map.zoom
    let areas = try Self.presences(of: parts(at: zoom))
    let symbols = shown == nil ? [] : try Self.presences(of: symbolParts(at: zoom))
    let first = (areas + symbols).map(\.zoom).min() ?? zoom
    let deepest = areas.map(\.zoom).max() ?? zoom
    let usual = max(
      0, min(Self.usualDepth + zoom - deepest, Self.largestDepth) - lessDepth)
    let depth = min(self.depth ?? usual, zoom)
    // No source tile lies in two zones, so that the blocks of one count what they have of it.
    let usualZone = Self.zoneDepth - lessDepth + zoom - first
    let least = max(zoom - first, depth)
    let zoneDepth =
      shown == nil ? zoom : min(max(self.depth.map { $0 + 1 } ?? usualZone, least), zoom)
    var keys: Set<UInt64> = []
    for key in base.tileKeys { keys.insert(key >> UInt64(2 * depth)) }
    Self.insert(areas, at: zoom, depth, margin: { _ in 0 }, into: &keys)
    Self.insert(
      symbols, at: zoom, depth, margin: { shown?.margin(zoom: $0, of: base.grid) ?? 0 },
      into: &keys)
    var zones: [(zone: MapBlock, blocks: [MapBlock])] = []
    var previous: UInt64?
    for key in keys.sorted() {
      guard var block = MapBlock(key: key, depth: depth, within: map) else { continue }
      block.previous = previous
      previous = key
      let zone = key >> UInt64(2 * (zoneDepth - depth))
      if zones.last?.zone.key != zone {
        guard let next = MapBlock(key: zone, depth: zoneDepth, within: map) else { continue }
        zones.append((next, []))
      }
      zones[zones.count - 1].blocks.append(block)
    }
    return zones
  }

  // MARK: Blocks

  /// Inserts the blocks that show source tiles, and neighbours, since symbols reach over borders.
  ///
  /// - Parameter margin: returns the reach at a zoom, in source tiles.
  private static func insert(
    _ presences: [TileKeySet], at zoom: Int, _ depth: Int, margin: (Int) -> Int,
    into keys: inout Set<UInt64>
  ) {
    for presence in presences {
      let margin = margin(presence.zoom)
      presence.forEach { key in
        insert(TileCoord(key, z: presence.zoom), at: zoom, depth, margin: margin, into: &keys)
      }
    }
  }

  private static func insert(
    _ tile: TileCoord, at zoom: Int, _ depth: Int, margin: Int, into keys: inout Set<UInt64>
  ) {
    let shift = zoom - depth - tile.z
    let world = 1 << (zoom - depth)
    func blocks(_ place: Int) -> ClosedRange<Int> {
      let (first, last) =
        shift < 0
        ? ((place - margin) >> -shift, (place + margin) >> -shift)
        : ((place << shift) - margin, ((place + 1) << shift) - 1 + margin)
      return last - first < world ? first...last : 0...world - 1
    }
    for row in blocks(tile.y).clamped(to: 0...world - 1) {
      for column in blocks(tile.x) {
        keys.insert(TileKey(column: (column + world) % world, row: row).rawValue)
      }
    }
  }
}

extension ResolvedSource {
  /// Whether a zoom of the map draws the part of a tileset.
  fileprivate func isDrawn(at zoom: Int) -> Bool {
    definition.vectorTiles?.part?.drawnZooms.contains(zoom) == true
  }

  /// Reads the features that a part of a tileset has in some of its tiles.
  ///
  /// - Parameter tiles: the tiles; `nil` for those of the part.
  func load(
    _ block: VectorTileSource.Part.Block, from tiles: SharedTiles? = nil, by reading: SourceReading
  ) throws -> LoadedSource {
    var source = self
    source.definition.vectorTiles?.part?.block = block
    if let tiles { source.sharedTiles = tiles }
    let cancellation = reading.context.cancellation
    return try source.load(by: reading) { _ in try cancellation.check() }
  }
}

extension VisibleSymbols {
  /// Returns the number of tiles of a source's zoom by which symbols reach over the borders of a tile.
  func margin(zoom: Int, of grid: PixelGrid) -> Int {
    let side = grid.tilePixels << (grid.zoom - zoom)
    return (reach + side - 1) / side
  }
}
