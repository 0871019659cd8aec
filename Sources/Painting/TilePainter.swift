import Columns
import PNG
package import Raster
package import Scenes
import TileCodecs
import Tiling

/// A painter that draws and encodes the tiles of a build; one per worker, with its scratch memory.
///
/// Sparse tiles are composed in palette indexes and written as deflate tokens. Overlapping symbols
/// are painted in RGBA first, and colours that the palette lacks are added to the tile's own; tiles
/// that 256 colours cannot represent are encoded in true colour. On every path antialiased edges
/// get the colour that ``PaletteMatcher/edgeColor(for:)`` returns for them, and all other pixels
/// stay exact.
package final class TilePainter {
  let side: Int
  let sparse: SparseStyle?
  let factory: SpriteFactory

  /// The sprites that the build's store kept, by number; others are drawn again for each tile.
  let kept: [StackSprite?]

  /// The kept sprites in palette indexes: those that all workers share, and the subset that this
  /// painter has used.
  let prepared: PreparedSprites
  var knownPrepared: [PreparedSprite??]

  let pixmap: Pixmap

  /// The colour of every pixel of the picture if it is clear; `nil` after layers were drawn into
  /// it.
  var cleared: UInt32? = 0
  let canvas: IndexedCanvas
  let encoder: TileEncoder
  let shapes: ShapePainter
  let heatmap: HeatmapCanvas
  /// The picture of one image and the painters of images; made when the first tile shows one.
  lazy var overlay = Pixmap(width: side, height: side)
  var rasters: [RasterPainter.Key: RasterPainter] = [:]
  var matcher: PaletteMatcher?
  var touched: PaintedRows
  var indices: ContiguousArray<UInt8>

  /// The sprites of the tile's entries; `nil` for a vast symbol.
  var sprites: [StackSprite?] = []
  /// The sprites of the current tile that the store did not keep, by number.
  var drawn: [Int: (sprite: StackSprite, prepared: PreparedSprite?)] = [:]
  var placements: [SpritePlacement] = []
  /// The colours of the current tile that the palette does not have.
  var extras: [UInt32] = []
  /// The memory for the largest tile that the sparse encoder can write.
  let scratch: UnsafeMutableRawBufferPointer

  /// The number of tiles that took the exact path although the style has a palette.
  package internal(set) var exactTiles = 0

  init(
    side: Int, scale: Int, sparse: SparseStyle?, codec: TileCodec = .png, fonts: FontLibrary,
    sprites: [StackSprite?] = [], prepared: PreparedSprites = PreparedSprites()
  ) {
    self.side = side
    kept = sprites
    self.prepared = prepared
    knownPrepared = Array(repeating: nil, count: sprites.count)
    self.sparse = sparse
    encoder = TileEncoder(codec)
    factory = SpriteFactory(scale: scale, fonts: fonts)
    shapes = ShapePainter(side: side, scale: scale)
    heatmap = HeatmapCanvas(width: side, height: side)
    pixmap = Pixmap(width: side, height: side, tracksEdges: true)
    canvas = IndexedCanvas(width: side, height: side)
    matcher = sparse.map { PaletteMatcher($0.palette) }
    touched = PaintedRows(side: side)
    indices = ContiguousArray(repeating: 0, count: side)
    scratch = .allocate(byteCount: sparse?.encoder.maximumEncodedSize ?? 0, alignment: 16)
  }

  deinit {
    scratch.deallocate()
  }

  /// Appends the encoded picture of a drawn tile to a buffer.
  package func paint(_ tile: Int, of scenes: borrowing ZoomScenes, into bytes: inout [UInt8]) throws
  {
    let range = scenes.entryRange(tile)
    let coord = scenes.tile(tile)
    let originX = coord.x * side
    let originY = coord.y * side
    drawn.removeAll(keepingCapacity: true)
    guard scenes.showsSymbolsOnly(tile) else {
      pixmap.roundsCoverage = true
      defer { pixmap.roundsCoverage = false }
      try paintLayers(tile, of: scenes)
      roundEdges(pixmap.pixels.indices)
      bytes.append(
        contentsOf: try encoder.encode(
          pixmap, showing: scenes.showsImages(tile) ? .image : .drawing))
      return
    }
    if let sparse, range.count <= Self.indexedLimit {
      if try paintIndexed(range, of: scenes, originX, originY, sparse, into: &bytes) { return }
    }
    try paintPixels(range, of: scenes, originX, originY, into: &bytes)
  }

  /// Returns the pixels of a drawn tile, valid until the next call; every colour is exact, on edges
  /// too.
  package func pixels(_ tile: Int, of scenes: borrowing ZoomScenes) throws -> Pixmap {
    drawn.removeAll(keepingCapacity: true)
    try paintLayers(tile, of: scenes)
    return pixmap
  }

  /// The maximum number of symbols whose pairs are tested for overlap: n² tests of some ns.
  private static let indexedLimit = 48

  // MARK: Sprites

  /// Returns the sprite with a number in the scenes, drawing it again if the store did not keep it.
  func sprite(_ index: Int, of scenes: borrowing ZoomScenes) throws -> StackSprite {
    if index < kept.count, let known = kept[index] { return known }
    return try draw(index, of: scenes).sprite
  }

  /// Returns the sprite of an entry; `nil` for a vast symbol.
  func sprite(ofEntry index: Int, _ scenes: borrowing ZoomScenes) throws -> StackSprite? {
    let number = Int(scenes.symbolSprites[Int(scenes.entries[index] >> 2)])
    return scenes.sprites[number].isVast ? nil : try sprite(number, of: scenes)
  }

  /// Returns the sprite in palette indexes; `nil` if the palette lacks a colour.
  ///
  /// Which sprites are kept depends on everything that is drawn, but a tile's bytes must depend on
  /// its scene alone. So a sprite that was not kept is prepared in the same way.
  func prepared(_ index: Int, of scenes: borrowing ZoomScenes) throws -> PreparedSprite? {
    if scenes.sprites[index].isVast { return nil }
    guard index < kept.count, let sprite = kept[index] else {
      return try draw(index, of: scenes).prepared
    }
    if let known = knownPrepared[index] { return known }
    let shared = prepared.sprite(index) { sparse?.prepared(sprite, with: &matcher) }
    knownPrepared[index] = .some(shared)
    return shared
  }

  func draw(
    _ index: Int, of scenes: borrowing ZoomScenes
  ) throws -> (sprite: StackSprite, prepared: PreparedSprite?) {
    if let known = drawn[index] { return known }
    let sprite = try factory.sprite(of: scenes.sprites[index].key, looks: scenes.looks)
    let new = (sprite, sparse?.prepared(sprite, with: &matcher))
    drawn[index] = new
    return new
  }
}
