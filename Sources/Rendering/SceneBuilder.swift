import PNG
package import Raster
import SpatialIndex
package import Tiling

/// Makes the scenes of a tileset zoom by zoom: symbols, sprites, tiles.
package struct SceneBuilder {
  package let style: Style
  package let tileSize: Int
  package let scale: Int
  package let snap: Double
  package let bounds: WorldBox
  package let fonts: FontLibrary
  package let sparse: SparseStyle?
  package private(set) var looks = LookTable()

  private let resolver: SymbolResolver
  private let store: SpriteStore
  private let factories: [SpriteFactory]
  private var sorter = RadixSorter()

  /// - Parameters:
  ///   - clusteredSources: ids of the sources whose features come as clusters, for specimens.
  ///   - zooms: the zooms that will be built.
  ///   - threads: how many sprites may be drawn at once.
  package init(
    style: Style, tileSize: Int, scale: Int, snap: Double, bounds: WorldBox, fonts: FontLibrary,
    clusteredSources: Set<String>, zooms: ClosedRange<Int>, threads: Int
  ) throws {
    self.style = style
    self.tileSize = tileSize
    self.scale = scale
    self.snap = snap
    self.bounds = bounds
    self.fonts = fonts
    resolver = SymbolResolver(style: style, fonts: fonts)
    factories = (0..<max(1, threads)).map { _ in SpriteFactory(scale: scale, fonts: fonts) }
    let background = style.background(at: zooms.lowerBound)
    let isOneBackground = zooms.allSatisfy { style.background(at: $0) == background }
    sparse =
      isOneBackground
      ? try SparseStyle.trained(
        for: style, size: tileSize * scale, background: background.bits, zooms: zooms,
        clusteredSources: clusteredSources, fonts: fonts, factory: factories[0]) : nil
    store = SpriteStore(sparse: sparse)
  }

  /// The pixel grid of a zoom.
  package func grid(_ zoom: Int) -> PixelGrid {
    PixelGrid(zoom: zoom, tileSize: tileSize, scale: scale, snap: snap)
  }

  /// The scenes of a zoom.
  package mutating func scenes(of sources: [SymbolSource], zoom: Int) throws -> ZoomScenes {
    let grid = grid(zoom)
    let symbols = try resolver.symbols(of: sources, grid: grid, looks: &looks)
    var keys = ContiguousArray<SpriteStore.Key>()
    keys.reserveCapacity(symbols.count)
    for row in 0..<symbols.count { keys.append(symbols.key(row)) }
    let indexes = try store.indexes(of: keys, looks: looks, factories: factories, keepsAll: grid.hasOnePhase)
    let binning = SceneBinning(
      grid: grid, range: TileRange(bounds, zoom: zoom),
      background: style.background(at: zoom).bits)
    var scenes = binning.scenes(of: symbols, sprites: indexes, store: store, sorter: &sorter)
    scenes.looks = looks
    return scenes
  }

  /// What workers need to make their painters.
  package var painters: PainterFactory {
    PainterFactory(side: tileSize * scale, scale: scale, sparse: sparse, fonts: fonts)
  }

  /// A drawn tile's scene as a value.
  package func scene(_ tile: Int, of scenes: ZoomScenes) -> TileScene {
    let coord = scenes.tile(tile)
    let side = scenes.grid.tilePixels
    let symbols = scenes.entryRange(tile).map { index in
      let entry = scenes.entries[index]
      let key = scenes.sprites[Int(scenes.symbolSprites[Int(entry >> 2)])].key
      let place = scenes.place(of: entry, originX: coord.x * side, originY: coord.y * side)
      return TileScene.Symbol(
        stack: looks.stacks[Int(key.stack)], x: place.x << 4 | Int(key.phaseX),
        y: place.y << 4 | Int(key.phaseY))
    }
    return TileScene(
      size: side, scale: scale, background: PremultipliedColor(bits: scenes.background),
      symbols: symbols)
  }
}

/// Makes a painter for each worker.
package struct PainterFactory: Sendable {
  let side: Int
  let scale: Int
  let sparse: SparseStyle?
  let fonts: FontLibrary

  /// A painter that belongs to one worker.
  package func painter() -> TilePainter {
    TilePainter(side: side, scale: scale, sparse: sparse, fonts: fonts)
  }
}
