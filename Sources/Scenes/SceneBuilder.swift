package import Columns
import Overlays
package import Raster
import SpatialIndex
package import Styling
package import Tiling

/// A builder of the scenes of a tileset, zoom by zoom: the looks in each tile and their positions.
package struct SceneBuilder {
  package let style: Style
  package let tileSize: Int
  package let scale: Int
  package let snap: Double
  package let bounds: WorldBox

  /// The box that a background fills; `nil` for ``bounds``.
  package var backgroundBox: BackgroundBox?
  package let fonts: FontLibrary

  /// Whether scenes keep the features of symbols, for taps.
  package var keepsFeatures = false

  /// Whether scenes keep the hashes of symbols by blocks, for a later run.
  package var keepsBlocks = false

  /// Whether some zoom still has no such hashes, because its tiles show more than symbols.
  package private(set) var hasUndividedZooms = false

  /// The scenes of an earlier run by zoom; scenes whose symbols have the same hashes are not made
  /// again. Features must not be kept then.
  package var known: [Int: CachedScenes] = [:]

  /// The tiles whose scenes are made; `nil` for those within ``bounds``.
  package var drawnTiles: TileRange?

  /// The symbols of the zoom that show, if the sources have only the features of a part; see
  /// ``survey(of:zoom:in:)``.
  package var shown: VisibleSymbols?

  /// The fractional zoom of a view, at which the style is evaluated; `nil` for the zoom of the
  /// tiles.
  package var styleZoom: Double?

  /// See ``PixelGrid/scaling``.
  package var scaling: WorldScaling?

  /// Whether the run should stop; loops over tiles then end early, and the scenes are meaningless.
  package var isStopped: @Sendable () -> Bool = { false }

  /// The distances by which the world is moved; see ``PixelGrid/shiftX``.
  private let shift: (x: Int, y: Int)
  package private(set) var looks = LookTable()
  private var shapeLooks = ShapeLookTable()
  private var unusableOfHeat = UnusableNumbers()
  private var missingBackgrounds = MissingImages()

  /// The images that layers ask for and the style does not have, of all zooms so far.
  package var missingImages: MissingImages {
    var missing = looks.missingImages
    missing.add(shapeLooks.missingImages)
    missing.add(missingBackgrounds)
    return missing
  }

  /// The numbers of the style that were not finite, of all zooms so far.
  package var unusableNumbers: UnusableNumbers {
    looks.unusable.union(shapeLooks.unusable).union(unusableOfHeat)
  }

  private let resolver: SymbolResolver
  private let vast: VastSymbols
  private let meter: any SpriteMeter
  private var sprites = SpriteTable()
  private let threads: Int
  private var sorter = RadixSorter()

  /// Creates a builder of the scenes of a tileset.
  ///
  /// - Parameters:
  ///   - meter: the meter of the pixels that sprites show; it belongs to this builder alone.
  ///   - threads: the number of tiles of an image that may be examined at once.
  package init(
    style: Style, tileSize: Int, scale: Int, snap: Double, bounds: WorldBox, fonts: FontLibrary,
    meter: some SpriteMeter, threads: Int, shift: (x: Int, y: Int) = (0, 0)
  ) {
    self.shift = shift
    self.threads = max(1, threads)
    self.style = style
    self.tileSize = tileSize
    self.scale = scale
    self.snap = snap
    self.bounds = bounds
    self.fonts = fonts
    self.meter = meter
    resolver = SymbolResolver(style: style, fonts: fonts)
    vast = VastSymbols(scale: scale, shaper: TextShaper(fonts: fonts))
  }

  /// Records the missing images and unusable numbers of a block of shapes.
  package mutating func note(_ block: ShapeBlocks.Made) {
    shapeLooks.missingImages.formUnion(block.missingImages)
    shapeLooks.unusable = shapeLooks.unusable.union(block.unusableNumbers)
  }

  /// Records the missing images and unusable numbers of the symbols of a zoom.
  package mutating func note(_ symbols: VisibleSymbols) {
    looks.missingImages.formUnion(symbols.missingImages)
    looks.unusable = looks.unusable.union(symbols.unusable)
  }

  /// Begins to place the symbols of a zoom whose features are read part by part.
  ///
  /// - Parameter sources: the sources of the zoom, in their order; their features may be left out.
  /// - Returns: `nil` where the style needs all features at once.
  package func survey(
    of sources: [SymbolSource], zoom: Int, in scratch: Scratch?
  ) -> PlacementPass? {
    PlacementPass(resolver, of: sources, grid: grid(zoom), vast, in: scratch)
  }

  /// Returns the pixel grid of a zoom.
  package func grid(_ zoom: Int) -> PixelGrid {
    PixelGrid(
      zoom: zoom, styleZoom: styleZoom, tileSize: tileSize, scale: scale, snap: snap,
      shiftX: shift.x, shiftY: shift.y, scaling: scaling)
  }

  /// Returns the scenes of a zoom.
  ///
  /// - Parameters:
  ///   - sources: the sources that are drawn at points.
  ///   - shapes: lines and polygons.
  ///   - images: the images that raster layers draw.
  ///   - taken: boxes of the world, in device pixels, that labels which look for room keep off.
  package mutating func scenes(
    of sources: [SymbolSource], shapes: [ShapeSource] = [], images: [RasterSource] = [], zoom: Int,
    keepingOff taken: [PixelBox] = []
  ) throws -> ZoomScenes {
    let resolved = try resolve(
      sources, shapes: shapes, images: images, zoom: zoom, keepingOff: taken)
    return try resolved.scenes(sorter: &sorter)
  }

  /// Decides the looks of a zoom's features: the part of ``scenes(of:shapes:images:zoom:keepingOff:)`` that
  /// depends on the zooms before. The rest may be done on any thread.
  ///
  /// - Throws: ``TileExcess``, also before more tiles are made than an archive may have; and
  ///   `OverlayError`, if more tiles of a source are damaged than it tolerates.
  package mutating func resolve(
    _ sources: [SymbolSource], shapes: [ShapeSource] = [], images: [RasterSource] = [], zoom: Int,
    keepingOff taken: [PixelBox] = []
  ) throws -> ResolvedZoom {
    let grid = grid(zoom)
    let range = drawnTiles ?? TileRange(bounds, zoom: zoom)
    let blankRange = backgroundBox.map { $0.tiles(zoom).clamped(to: drawnTiles) } ?? range
    if style.hasBackground(at: grid.styleZoom) {
      try TileExcess.check(.background, zoom: zoom, tiles: blankRange.count)
    }
    var symbols = try resolver.symbols(
      of: sources, grid: grid, looks: &looks, keepsFeatures: keepsFeatures, shown: shown,
      taken: taken)
    if var filter = WindowFilter(range, grid: grid, looks: looks) {
      symbols = filter.symbols(symbols)
    }
    let binning = SceneBinning(
      grid: grid, range: range, blankRange: blankRange, fillsRange: backgroundBox == nil,
      background: style.background(at: grid.styleZoom).bits,
      veils: style.veils(at: grid.styleZoom, scale: scale),
      layersFromNorth: resolver.layersFromNorth(at: grid.styleZoom), meter: meter,
      isStopped: isStopped)
    let (symbolBlocks, part) = divided(&symbols, binning)
    let symbolSprites = try sprites.numbers(
      of: symbols, looks: looks, isRecurring: grid.hasOnePhase, vast: vast, meter: meter)
    missingBackgrounds.formUnion(style.missingBackgrounds(at: grid.styleZoom, scale: scale))
    let resolvedShapes = ShapeSceneBuilder(
      style: style, grid: grid, range: range, isStopped: isStopped
    ).resolve(shapes, looks: &shapeLooks)
    return ResolvedZoom(
      binning: binning, symbols: symbols, symbolSprites: symbolSprites, sprites: sprites.sprites,
      looks: looks, shapes: resolvedShapes, heats: try heats(of: sources, grid: grid, range: range),
      rasters: try rasters(of: images, grid: grid, range: range),
      shapeSources: resolvedShapes.sources.map { resolved in
        ShapeOrigin(
          source: sources.firstIndex { $0.id == resolved.source.id } ?? 0,
          isOfClusters: resolved.source.clusters != nil)
      }, symbolBlocks: symbolBlocks, part: part)
  }

  /// Hashes the symbols of a zoom by blocks, and removes symbols that reach only blocks unchanged
  /// since the known scenes.
  ///
  /// - Returns: the hashes, and the part that must be made. The hashes are `nil` if tiles show
  ///   more than symbols; the part is `nil` for the whole zoom.
  private mutating func divided(
    _ symbols: inout ZoomSymbols, _ binning: SceneBinning
  ) -> (SymbolBlocks?, ScenePart?) {
    let grid = binning.grid
    guard keepsBlocks, grid.scaling == nil else { return (nil, nil) }
    guard !style.hasBackground(at: grid.styleZoom),
      style.layers.allSatisfy({ $0.kind.isSymbolic || !$0.shows(at: grid.styleZoom) })
    else {
      hasUndividedZooms = true
      return (nil, nil)
    }
    var homes = Column<UInt32>()
    guard
      let blocks = SymbolBlocks(
        of: symbols, looks, grid: grid, seed: binning.symbolSeed, homes: &homes)
    else { return (nil, nil) }
    guard let known = known[grid.zoom], let changed = blocks.changes(since: known.symbols) else {
      return (blocks, nil)
    }
    symbols = changed.symbols(of: symbols, looks, grid: grid, homes: homes)
    return (blocks, ScenePart(known: known, changed: changed))
  }

  /// Returns the content of the heatmap layers in the tiles, back to front.
  private mutating func heats(
    of sources: [SymbolSource], grid: PixelGrid, range: TileRange
  ) throws(TileExcess) -> [HeatScenes] {
    var heats: [HeatScenes] = []
    for (index, layer) in style.layers.enumerated()
    where layer.kind == .heatmap && layer.shows(at: grid.styleZoom) {
      let heat = HeatLayer(layer, index: index, zoom: grid.styleZoom)
      for source in sources where source.id == layer.source {
        let points = heat.points(of: source, grid: grid)
        unusableOfHeat.insert(points.unusable, of: index)
        heats.append(
          try HeatBinning(range: range, isStopped: isStopped).scenes(of: points, sorter: &sorter))
      }
    }
    return heats
  }

  /// Returns the content of the raster layers in the tiles, back to front.
  private func rasters(
    of images: [RasterSource], grid: PixelGrid, range: TileRange
  ) throws -> [RasterScenes] {
    try style.layers.indices.flatMap { index -> [RasterScenes] in
      let layer = style.layers[index]
      guard layer.kind == .raster, layer.shows(at: grid.styleZoom) else { return [] }
      let raster = RasterLayer(layer, index: index, zoom: grid.styleZoom)
      let own = images.filter { $0.id == layer.source }
      return try own.flatMap { grid.scaling.map($0.scaled) ?? [$0] }.map { image in
        let scenes = try RasterScenes(
          raster, of: image, grid: grid, range: range, threads: threads, isStopped: isStopped)
        try image.tiles?.requireFewFaults()
        return scenes
      }
    }
  }
}
