package import Columns
package import Features
import Hashing
package import MBTiles
package import Scenes
import Synchronization
import Tiling

/// The scene of each tile of a published archive, and the place of its image.
///
/// Kept in the cache under the archive's digest and the ``PaintKey``: a run that finds it beside an
/// archive knows which scenes need not be made, which tiles need not be painted again, and which
/// pages stay as they are. It takes 53 bytes per tile.
package final class TileState: Sendable {
  package let layout: ArchiveLayout
  package let pageSize: PageSize

  /// The digest of the archive's tiles.
  private let digest: String

  /// The hash tree over them.
  package let blocks: BlockHashes

  /// The stand-in for the scene of a transparent tile: the hash of nothing.
  package static let blankScene = StableHash()

  /// The scene of each tile, in archive order.
  package let scenes: Column<StableHash>

  package let contents: ArchiveContents

  /// The inputs of the UTFGrids; `nil` for an archive without, or if they are not known.
  package let grids: GridInputs?

  /// The inputs of an archive's UTFGrids.
  package struct GridInputs: Sendable {
    /// The settings that determine grids in addition to scenes and features.
    package let plan: String

    /// The digest of the archive's taps: archives with the same tiles may have other taps.
    package let digest: String

    /// The hash of what each tile's grid is made from, in archive order; that of nothing for a
    /// transparent tile.
    package let hashes: Column<StableHash>

    package init(plan: String, digest: String, hashes: Column<StableHash>) {
      (self.plan, self.digest, self.hashes) = (plan, digest, hashes)
    }
  }

  /// The hashes of the symbols of each zoom by blocks, as far as they are known.
  private let symbols: [SymbolBlocks]

  /// The quadrants of each tile that show pixels (``Scenes/ZoomScenes/quadrants``); empty without
  /// ``symbols``.
  private let quadrants: Column<UInt8>

  /// The number of the first tile of each scene, made when it is first needed.
  private let table = Mutex<SceneTable?>(nil)

  /// - Parameters:
  ///   - scenes: as many as the contents have tiles.
  ///   - quadrants: as many, or none.
  package init(
    layout: ArchiveLayout, pageSize: PageSize, digest: String, blocks: BlockHashes,
    scenes: Column<StableHash>, contents: ArchiveContents, grids: GridInputs? = nil,
    symbols: [SymbolBlocks] = [], quadrants: Column<UInt8> = []
  ) {
    self.grids = grids
    self.layout = layout
    self.pageSize = pageSize
    self.digest = digest
    self.blocks = blocks
    self.scenes = scenes
    self.contents = contents
    self.symbols = symbols
    self.quadrants = quadrants
  }

  /// The scenes of the zooms whose symbols are known by blocks.
  ///
  /// - Complexity: O(tiles).
  package var knownScenes: [Int: CachedScenes] {
    var known: [Int: CachedScenes] = [:]
    for symbols in symbols {
      let first = TileCoord.firstNumber(ofZoom: symbols.zoom)
      let end = contents.index(from: TileCoord.firstNumber(ofZoom: symbols.zoom + 1))
      var keys = Column<UInt64>(in: scenes.scratch)
      var (hashes, shown) = (
        Column<StableHash>(in: scenes.scratch), Column<UInt8>(in: scenes.scratch)
      )
      for tile in contents.index(from: first)..<end where scenes[tile] != Self.blankScene {
        keys.append(contents.tiles[tile] - first)
        hashes.append(scenes[tile])
        shown.append(quadrants[tile])
      }
      known[symbols.zoom] = CachedScenes(
        symbols: symbols, tileKeys: keys, hashes: hashes, quadrants: shown)
    }
    return known
  }

  /// Returns the first tile that shows each of some scenes, as far as there is one.
  ///
  /// - Complexity: O(tiles).
  package func firstTiles(showing wanted: some Sequence<StableHash>) -> [StableHash: Int] {
    var rest = Set(wanted)
    var filter = HashFilter()
    for scene in rest { filter.insert(scene.low) }
    var found: [StableHash: Int] = [:]
    for (tile, scene) in scenes.enumerated()
    where filter.mayContain(scene.low) && rest.remove(scene) != nil {
      found[scene] = tile
      if rest.isEmpty { break }
    }
    return found
  }

  /// Returns the scenes by their hashes; the number of each is the index of its first tile.
  ///
  /// - Complexity: O(tiles) at the first call.
  func sceneTable() -> SceneTable {
    table.withLock { table in
      if let table { return table }
      let made = SceneTable(scenes)
      table = made
      return made
    }
  }

  // MARK: As an artifact

  /// Returns the name of an archive's state.
  static func key(digest: String, _ layout: String, _ paint: PaintKey) -> ArtifactKey {
    ArtifactKey(kind: .scenes, [digest, layout, paint.text])
  }

  package func key(_ paint: PaintKey) -> ArtifactKey {
    Self.key(digest: digest, layout.rawValue, paint)
  }

  package var artifact: ArtifactWriter {
    var writer = ArtifactWriter()
    writer.append(layout.rawValue)
    writer.append(pageSize.rawValue)
    writer.append(digest)
    writer.append(blocks.keys)
    writer.append(blocks.hashes)
    writer.append(scenes)
    writer.append(contents.tiles)
    writer.append(contents.images)
    writer.append(contents.imageRows)
    writer.append(contents.sizes)
    let segments = contents.segments
    writer.append(segments.isClosed ? 1 : 0)
    writer.append(segments.lastTiles)
    writer.append(segments.firstPages)
    writer.append(segments.pageCounts)
    writer.append(segments.isMovable)
    writer.append(quadrants)
    writer.append(symbols.count)
    for zoom in symbols {
      writer.append(zoom.zoom)
      writer.append(zoom.blocks)
      writer.append(zoom.hashes)
    }
    append(to: &writer)
    return writer
  }

  /// Appends the UTFGrids.
  private func append(to writer: inout ArtifactWriter) {
    writer.append(grids == nil ? 0 : 1)
    guard let grids, let stored = contents.grids else { return }
    writer.append(grids.plan)
    writer.append(grids.digest)
    writer.append(grids.hashes)
    writer.append(stored.names)
    writer.append(stored.rows)
    writer.append(stored.keys)
    writer.append(stored.ends)
    writer.append(stored.entryKeys)
    writer.append(stored.entries)
    writer.append(stored.bytes)
    writer.append(Column([stored.keySum]))
  }

  /// Reads what ``append(to:)`` appends.
  private static func grids(
    _ reader: inout ArtifactReader
  ) throws(ArtifactDamage) -> (GridInputs, GridContents)? {
    guard try reader.count(upTo: 1) == 1 else { return nil }
    let inputs = GridInputs(
      plan: try reader.text(), digest: try reader.text(),
      hashes: try reader.column(of: StableHash.self))
    let names = try reader.column(of: MD5Digest.self)
    let rows = try reader.column(of: UInt64.self)
    let keys = try reader.column(of: UInt64.self)
    let ends = try reader.column(of: UInt32.self)
    let entryKeys = try reader.column(of: UInt64.self)
    let entries = try reader.column(of: UInt64.self)
    let bytes = try reader.count(upTo: .max)
    guard let sum = try reader.column(of: MD5Digest.self).first, inputs.hashes.count == rows.count,
      let contents = GridContents(
        names: names, rows: rows, keys: keys, ends: ends, entries: (entryKeys, entries),
        totals: (bytes, sum))
    else { throw ArtifactDamage("its grids do not fit together") }
    return (inputs, contents)
  }

  convenience init(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    guard let layout = ArchiveLayout(rawValue: try reader.text()),
      let pageSize = PageSize(rawValue: try reader.integer())
    else { throw ArtifactDamage("no such layout") }
    let digest = try reader.text()
    let blocks = BlockHashes(
      keys: try reader.column(of: UInt64.self), hashes: try reader.column(of: SHA256Digest.self))
    let scenes = try reader.column(of: StableHash.self)
    let tiles = try reader.column(of: UInt64.self)
    let images = try reader.column(of: MD5Digest.self)
    let imageRows = try reader.column(of: UInt64.self)
    let sizes = try reader.column(of: StoredSize.self)
    let isClosed = try reader.count(upTo: 1) == 1
    let segments = SegmentList(
      lastTiles: try reader.column(of: UInt64.self), firstPages: try reader.column(of: UInt32.self),
      pageCounts: try reader.column(of: UInt32.self), isMovable: try reader.column(of: UInt8.self),
      isClosed: isClosed)
    let quadrants = try reader.column(of: UInt8.self)
    let symbols = try Self.symbols(&reader)
    let grids = try Self.grids(&reader)
    guard let segments,
      let contents = ArchiveContents(
        tiles: tiles, images: images, imageRows: imageRows, sizes: sizes, segments: segments,
        grids: grids?.1),
      contents.count == scenes.count,
      quadrants.count == (symbols.isEmpty ? 0 : scenes.count),
      blocks.keys.count == blocks.hashes.count
    else { throw ArtifactDamage("its columns differ in length") }
    self.init(
      layout: layout, pageSize: pageSize, digest: digest, blocks: blocks, scenes: scenes,
      contents: contents, grids: grids?.0, symbols: symbols, quadrants: quadrants)
  }

  private static func symbols(
    _ reader: inout ArtifactReader
  ) throws(ArtifactDamage) -> [SymbolBlocks] {
    var symbols: [SymbolBlocks] = []
    for _ in 0..<(try reader.count(upTo: TileCoord.maxZoom + 1)) {
      let zoom = try reader.count(upTo: TileCoord.maxZoom)
      let blocks = try reader.column(of: UInt32.self)
      let hashes = try reader.column(of: StableHash.self)
      guard let read = SymbolBlocks(zoom: zoom, blocks: blocks, hashes: hashes) else {
        throw ArtifactDamage("its blocks of symbols are out of order")
      }
      symbols.append(read)
    }
    return symbols
  }
}
