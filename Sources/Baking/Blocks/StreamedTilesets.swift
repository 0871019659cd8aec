import Columns
import Definition
import Inputs
import MBTiles
import Reuse
import Runs
import Scenes
import Styling
import Tilesets
import Tiling

/// The parts of tilesets that a build reads block by block, so that its memory does not grow with
/// them: those whose features are only filled and stroked, each on its own.
///
/// Layers of symbols read all features of a zoom: labels of a map give way to one another.
struct StreamedTilesets {
  /// The number of source tiles above which a build reads blocks.
  private static let leastTiles = 1024

  /// The zooms from a block to its tiles where these are the source's own: with the tiles around it, it
  /// has 100 source tiles.
  private static let usualDepth = 3

  /// The same for tiles that are drawn from fewer, deeper ones of which go into a block.
  private static let largestDepth = 5

  /// The parts that are streamed.
  let parts: [ResolvedSource]

  /// The zooms from a block to its tiles, where a test asks for them.
  private let depth: Int?

  /// - Returns: `nil` for a build that reads all of its sources before it paints.
  init?(of build: Build) throws(PipelineError) {
    let tiles = build.definition.tiles
    guard tiles.interactivity == nil, build.choice == nil, !build.artifacts.isOfPlan,
      tiles.bounds?.crossesAntimeridian != true, !build.definition.hasSeries
    else { return nil }
    parts = build.pipeline.drawnSources.filter { source in
      source.definition.vectorTiles?.part?.isJoined == true
        && source.definition.vectorTiles?.shared != nil
        && build.prepared.style.onlyPaintsShapes(of: source.name)
    }
    depth = build.options.blockDepth
    guard !parts.isEmpty else { return nil }
    guard depth == nil else { return }
    let count = try PipelineError.wrapping {
      try Self.presences(of: parts).reduce(0) { $0 + $1.count }
    }
    guard count >= Self.leastTiles else { return nil }
  }

  /// Returns the tiles of each tileset and zoom that parts are read from.
  private static func presences(
    of parts: [ResolvedSource]
  ) throws(ArchiveError) -> [TilePresence] {
    var zooms: [ObjectIdentifier: Set<Int>] = [:]
    var presences: [TilePresence] = []
    for source in parts {
      guard let tiles = source.definition.vectorTiles, let part = tiles.part,
        let shared = tiles.shared,
        zooms[ObjectIdentifier(shared), default: []].insert(part.zoom).inserted
      else { continue }
      presences.append(try shared.presence(zoom: part.zoom, in: tiles.ranges(of: part).first))
    }
    return presences
  }

  /// Returns the parts that a zoom shows.
  func parts(at zoom: Int) -> [ResolvedSource] {
    parts.filter { $0.definition.vectorTiles?.part?.drawnZooms.contains(zoom) == true }
  }

  /// Returns the blocks of a zoom that may show anything, in the order of the archive.
  ///
  /// - Parameters:
  ///   - base: the scenes of everything else.
  ///   - map: the tiles of the map.
  /// - Complexity: O(source tiles + tiles of the base).
  func blocks(
    over base: ZoomScenes, within map: TileRange
  ) throws(ArchiveError) -> [MapBlock] {
    let zoom = map.zoom
    let presences = try Self.presences(of: parts(at: zoom))
    let deepest = presences.map(\.zoom).max() ?? zoom
    let usual = min(Self.usualDepth + zoom - deepest, Self.largestDepth)
    let depth = min(self.depth ?? usual, zoom)
    var keys: Set<UInt64> = []
    for key in base.tileKeys { keys.insert(key >> UInt64(2 * depth)) }
    for presence in presences {
      presence.forEach { key in
        Self.insert(TileCoord(key, z: presence.zoom), at: zoom, depth, into: &keys)
      }
    }
    var previous: UInt64?
    return keys.sorted().compactMap { key in
      guard var block = MapBlock(key: key, depth: depth, within: map) else { return nil }
      block.previous = previous
      previous = key
      return block
    }
  }

  /// Inserts the blocks that show a source tile, and those around it: strokes reach over its borders.
  private static func insert(
    _ tile: TileCoord, at zoom: Int, _ depth: Int, into keys: inout Set<UInt64>
  ) {
    let shift = zoom - depth - tile.z
    let world = 1 << (zoom - depth)
    func blocks(_ place: Int) -> ClosedRange<Int> {
      shift >= 0
        ? (place << shift) - 1...((place + 1) << shift)
        : (place - 1) >> -shift...(place + 1) >> -shift
    }
    for row in blocks(tile.y).clamped(to: 0...world - 1) {
      for column in blocks(tile.x) {
        keys.insert(TileKey(column: (column + world) % world, row: row).rawValue)
      }
    }
  }
}
