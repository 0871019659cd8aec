import PNG
package import Raster
package import Scenes
import Styling
import Tiling

/// A painter that draws and encodes the tiles of a build; one per worker, with its scratch memory.
///
/// Sparse tiles are composed in palette indexes and written as deflate tokens. Overlapping symbols
/// are painted in RGBA first, and colours that the palette lacks are added to the tile's own; tiles
/// that 256 colours cannot represent are encoded in true colour. On every path antialiased edges
/// get the colour that ``PaletteMatcher/edgeColor(for:)`` returns for them, and all other pixels
/// stay exact.
package final class TilePainter {
  private let side: Int
  private let sparse: SparseStyle?
  private let factory: SpriteFactory

  /// The sprites that the build's store kept, by number; others are drawn again for each tile.
  private let kept: [StackSprite?]

  /// The kept sprites in palette indexes: those that all workers share, and the subset that this
  /// painter has used.
  private let prepared: PreparedSprites
  private var knownPrepared: [PreparedSprite??]

  private let pixmap: Pixmap
  private var cleared: UInt32 = 0
  private let canvas: IndexedCanvas
  private let png = PNGEncoder()
  private let shapes: ShapePainter
  private let heatmap: HeatmapCanvas
  /// The picture of one image and the painters of images; made when the first tile shows one.
  private lazy var overlay = Pixmap(width: side, height: side)
  private var rasters: [RasterPainter.Key: RasterPainter] = [:]
  private var matcher: PaletteMatcher?
  private var touched: TouchedRows
  private var indices: ContiguousArray<UInt8>

  /// The sprites of the tile's entries; `nil` for a vast symbol.
  private var sprites: [StackSprite?] = []
  /// The sprites of the current tile that the store did not keep, by number.
  private var drawn: [Int: (sprite: StackSprite, prepared: PreparedSprite?)] = [:]
  private var placements: [SpritePlacement] = []
  /// The colours of the current tile that the palette does not have.
  private var extras: [UInt32] = []
  /// The memory for the largest tile that the sparse encoder can write.
  private let scratch: UnsafeMutableRawBufferPointer

  /// The number of tiles that took the exact path although the style has a palette.
  package private(set) var exactTiles = 0

  init(
    side: Int, scale: Int, sparse: SparseStyle?, fonts: FontLibrary, sprites: [StackSprite?] = [],
    prepared: PreparedSprites = PreparedSprites()
  ) {
    self.side = side
    kept = sprites
    self.prepared = prepared
    knownPrepared = Array(repeating: nil, count: sprites.count)
    self.sparse = sparse
    factory = SpriteFactory(scale: scale, fonts: fonts)
    shapes = ShapePainter(side: side, scale: scale)
    heatmap = HeatmapCanvas(width: side, height: side)
    pixmap = Pixmap(width: side, height: side, tracksEdges: true)
    canvas = IndexedCanvas(width: side, height: side)
    matcher = sparse.map { PaletteMatcher($0.palette) }
    touched = TouchedRows(side: side)
    indices = ContiguousArray(repeating: 0, count: side)
    scratch = .allocate(byteCount: sparse?.encoder.maximumEncodedSize ?? 0, alignment: 16)
  }

  deinit {
    scratch.deallocate()
  }

  /// Appends the PNG of a drawn tile to a buffer.
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
        contentsOf: scenes.showsImages(tile) ? png.encodeImage(pixmap) : png.encodeDrawing(pixmap))
      pixmap.clear(to: PremultipliedColor(bits: scenes.background))
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
    cleared = ~scenes.background
    return pixmap
  }

  /// The maximum number of symbols whose pairs are tested for overlap: n² tests of some ns.
  private static let indexedLimit = 48

  // MARK: Sprites

  /// Returns the sprite with a number in the scenes, drawing it again if the store did not keep it.
  private func sprite(_ index: Int, of scenes: borrowing ZoomScenes) throws -> StackSprite {
    if index < kept.count, let known = kept[index] { return known }
    return try draw(index, of: scenes).sprite
  }

  /// Returns the sprite of an entry; `nil` for a vast symbol.
  private func sprite(ofEntry index: Int, _ scenes: borrowing ZoomScenes) throws -> StackSprite? {
    let number = Int(scenes.symbolSprites[Int(scenes.entries[index] >> 2)])
    return scenes.sprites[number].isVast ? nil : try sprite(number, of: scenes)
  }

  /// Returns the sprite in palette indexes; `nil` if the palette lacks a colour.
  ///
  /// The kept sprites depend on everything that is drawn, a tile's bytes on its scene alone: a
  /// sprite that was not kept is prepared in the same way.
  private func prepared(_ index: Int, of scenes: borrowing ZoomScenes) throws -> PreparedSprite? {
    if scenes.sprites[index].isVast { return nil }
    guard index < kept.count, let sprite = kept[index] else {
      return try draw(index, of: scenes).prepared
    }
    if let known = knownPrepared[index] { return known }
    let shared = prepared.sprite(index) { sparse?.prepared(sprite, with: &matcher) }
    knownPrepared[index] = .some(shared)
    return shared
  }

  private func draw(
    _ index: Int, of scenes: borrowing ZoomScenes
  ) throws -> (sprite: StackSprite, prepared: PreparedSprite?) {
    if let known = drawn[index] { return known }
    let sprite = try factory.sprite(of: scenes.sprites[index].key, looks: scenes.looks)
    let new = (sprite, sparse?.prepared(sprite, with: &matcher))
    drawn[index] = new
    return new
  }

  // MARK: Palette space

  /// Composes prepared sprites; returns `false`, with nothing written, if they overlap or the
  /// palette lacks their colours.
  private func paintIndexed(
    _ range: Range<Int>, of scenes: borrowing ZoomScenes, _ originX: Int, _ originY: Int,
    _ sparse: SparseStyle, into bytes: inout [UInt8]
  ) throws -> Bool {
    placements.removeAll(keepingCapacity: true)
    for index in range {
      let entry = scenes.entries[index]
      let sprite = Int(scenes.symbolSprites[Int(entry >> 2)])
      guard let prepared = try prepared(sprite, of: scenes) else { return false }
      let place = scenes.place(of: entry, originX: originX, originY: originY)
      placements.append(
        SpritePlacement(
          prepared, x: place.x + scenes.sprites[sprite].extent.originX,
          y: place.y + scenes.sprites[sprite].extent.originY))
    }
    if let count = sparse.encoder.encode(placements, into: scratch) {
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: scratch[..<count]))
      return true
    }
    guard try isApart(range, of: scenes) else { return false }
    for placement in placements {
      canvas.draw(placement.sprite.sprite, x: placement.x, y: placement.y)
    }
    append(to: &bytes, sparse) { sparse.encoder.encode(canvas, into: $0) }
    canvas.clear()
    return true
  }

  /// Returns whether no two symbols of a tile cover the same pixel.
  private func isApart(_ range: Range<Int>, of scenes: borrowing ZoomScenes) throws -> Bool {
    for index in range.dropFirst() {
      let entry = scenes.entries[index]
      let place = scenes.place(of: entry, originX: 0, originY: 0)
      let sprite = try sprite(Int(scenes.symbolSprites[Int(entry >> 2)]), of: scenes)
      for other in range.lowerBound..<index {
        let otherEntry = scenes.entries[other]
        let otherPlace = scenes.place(of: otherEntry, originX: 0, originY: 0)
        let second = try self.sprite(Int(scenes.symbolSprites[Int(otherEntry >> 2)]), of: scenes)
        if sprite.overlaps(second, dx: otherPlace.x - place.x, dy: otherPlace.y - place.y) {
          return false
        }
      }
    }
    return true
  }

  // MARK: Pixels

  /// Blends all symbols layer by layer, then writes the rows in palette indexes if 256 are enough,
  /// otherwise in true colour.
  private func paintPixels(
    _ range: Range<Int>, of scenes: borrowing ZoomScenes, _ originX: Int, _ originY: Int,
    into bytes: inout [UInt8]
  ) throws {
    prepare(scenes.background)
    try blend(range, of: scenes, originX, originY)
    if let sparse, writeIndexes(sparse) {
      let straight = extras.map { PremultipliedColor(bits: $0).straightBits }
      append(to: &bytes, sparse) {
        sparse.encoder.encode(canvas, extras: straight, into: $0)
      }
    } else {
      if sparse != nil { exactTiles += 1 }
      touched.forEach { y, columns in
        roundEdges((y * side + columns.lowerBound)..<(y * side + columns.upperBound))
      }
      bytes.append(contentsOf: png.encode(pixmap))
    }
    if sparse != nil { canvas.clear() }
    touched.forEach { y, columns in
      let pixels = (y * side + columns.lowerBound)..<(y * side + columns.upperBound)
      pixmap.pixels[pixels].update(repeating: scenes.background)
      pixmap.edges[pixels].update(repeating: 0)
    }
    touched.reset()
  }

  /// Clears the picture to the zoom's background; afterwards only touched pixels are cleared.
  private func prepare(_ background: UInt32) {
    guard background != cleared else { return }
    pixmap.clear(to: PremultipliedColor(bits: background))
    cleared = background
  }

  // MARK: Layers

  /// Draws all layers of a tile back to front: areas, lines, heat, images and symbols.
  private func paintLayers(_ tile: Int, of scenes: borrowing ZoomScenes) throws {
    pixmap.clear(to: PremultipliedColor(bits: scenes.background))
    cleared = scenes.background
    let range = scenes.entryRange(tile)
    sprites.removeAll(keepingCapacity: true)
    for index in range { sprites.append(try sprite(ofEntry: index, scenes)) }
    let coord = scenes.tile(tile)
    for layer in layers(of: tile, range, scenes) {
      if let place = scenes.shapeTile(tile) {
        shapes.draw(layer: layer, of: place, scenes.shapes, onto: pixmap)
      }
      for (index, heat) in scenes.heats.enumerated() where heat.points.layer == layer {
        if let place = scenes.heatTile(tile, of: index) {
          heat.draw(place, onto: pixmap, using: heatmap)
        }
      }
      for (index, raster) in scenes.rasters.enumerated() where raster.layer.index == layer {
        guard scenes.rasterTile(tile, of: index) != nil else { continue }
        painter(of: raster).draw(coord, paint: raster.layer.paint, onto: pixmap)
      }
      for veil in scenes.veils where veil.layer == layer {
        pixmap.blend(veil.color)
      }
      try blend(layer: layer, range, of: scenes, coord.x * side, coord.y * side)
    }
  }

  /// Replaces the colours of antialiased edges by those that the archive uses.
  private func roundEdges(_ pixels: Range<Int>) {
    var own = matcher.take()
    defer { matcher = own }
    for index in pixels where pixmap.edges[index] & Pixmap.mixedEdge != 0 {
      let color = pixmap.pixels[index]
      pixmap.pixels[index] = own?.edgeColor(for: color) ?? EdgeLattice.nearest(to: color)
    }
  }

  /// Returns the layers that show anything in a tile, back to front.
  private func layers(
    of tile: Int, _ range: Range<Int>, _ scenes: borrowing ZoomScenes
  ) -> [Int] {
    var layers: Set<Int> = []
    for (entry, sprite) in zip(range, sprites) {
      if let sprite {
        layers.formUnion(sprite.layers.lazy.map(\.index))
      } else {
        layers.formUnion(stack(ofEntry: entry, scenes).looks.lazy.map(\.layer))
      }
    }
    if let place = scenes.shapeTile(tile) {
      // Draws are grouped by layer.
      var last = UInt32.max
      for draw in scenes.shapes.drawRange(place) where scenes.shapes.draws[draw].layer != last {
        last = scenes.shapes.draws[draw].layer
        layers.insert(Int(last))
      }
    }
    for heat in scenes.heats { layers.insert(heat.points.layer) }
    for raster in scenes.rasters { layers.insert(raster.layer.index) }
    for veil in scenes.veils { layers.insert(veil.layer) }
    return layers.sorted()
  }

  /// Returns the painter of an image; its tables and rows are kept from tile to tile.
  private func painter(of raster: RasterScenes) -> RasterPainter {
    let key = RasterPainter.Key(raster)
    if let known = rasters[key] { return known }
    let painter = RasterPainter(
      raster.source, kernel: raster.kernel, grid: raster.grid, picture: overlay)
    rasters[key] = painter
    return painter
  }

  /// Blends one layer of the sprites that represent entries.
  private func blend(
    layer: Int, _ range: Range<Int>, of scenes: borrowing ZoomScenes, _ originX: Int,
    _ originY: Int
  ) throws {
    func blend(_ offset: Int) throws {
      let entry = scenes.entries[range.lowerBound + offset]
      guard let sprite = sprites[offset] else {
        let place = scenes.place(of: entry, originX: originX, originY: originY)
        let (stack, phaseX, phaseY) = self.stack(ofEntry: range.lowerBound + offset, scenes)
        for part in stack where part.layer == layer {
          try factory.draw(
            part.look, phaseX: phaseX, phaseY: phaseY, onto: pixmap, x: place.x, y: place.y)
        }
        return
      }
      for part in sprite.layers where part.index == layer {
        let place = scenes.place(of: entry, originX: originX, originY: originY)
        pixmap.blend(part.sprite, x: place.x, y: place.y)
      }
    }
    guard scenes.layersFromNorth.contains(layer), sprites.count > 1 else {
      for offset in sprites.indices { try blend(offset) }
      return
    }
    let order = sprites.indices.fromNorth { offset in
      scenes.southing(of: scenes.entries[range.lowerBound + offset])
    }
    for offset in order { try blend(offset) }
  }

  /// Returns the looks of an entry's symbol, and the position of its centre inside the anchor
  /// pixel.
  private func stack(
    ofEntry index: Int, _ scenes: borrowing ZoomScenes
  ) -> (looks: LookStack, phaseX: Int, phaseY: Int) {
    let (stack, phaseX, phaseY) = scenes.stack(ofSymbol: Int(scenes.entries[index] >> 2))
    return (scenes.looks.stacks[Int(stack)], Int(phaseX), Int(phaseY))
  }

  private func blend(
    _ range: Range<Int>, of scenes: borrowing ZoomScenes, _ originX: Int, _ originY: Int
  ) throws {
    sprites.removeAll(keepingCapacity: true)
    var lastLayer = 0
    for index in range {
      if let sprite = try sprite(ofEntry: index, scenes) {
        let place = scenes.place(of: scenes.entries[index], originX: originX, originY: originY)
        touched.mark(sprite.composite, x: place.x, y: place.y)
        lastLayer = max(lastLayer, sprite.layers.last?.index ?? 0)
        sprites.append(sprite)
      } else {
        touched.markAll()
        lastLayer = max(lastLayer, stack(ofEntry: index, scenes).looks.last?.layer ?? 0)
        sprites.append(nil)
      }
    }
    for layer in 0...lastLayer { try blend(layer: layer, range, of: scenes, originX, originY) }
  }

  /// Writes the touched rows to the canvas; returns `false` if the palette and the tile's own
  /// colours exceed the 256 of a file.
  private func writeIndexes(_ sparse: SparseStyle) -> Bool {
    guard var own = matcher.take() else { return false }
    defer { matcher = own }
    extras.removeAll(keepingCapacity: true)
    var isNearEnough = true
    touched.forEach { y, columns in
      guard isNearEnough else { return }
      indices.withUnsafeMutableBufferPointer { row in
        for x in columns {
          let color = pixmap.pixels[y * side + x]
          let isEdge = pixmap.edges[y * side + x] & Pixmap.mixedEdge != 0
          var index = own.index(of: color, isEdge: isEdge)
          if index & PaletteMatcher.outOfTolerance != 0 {
            index = extraIndex(
              of: isEdge ? EdgeLattice.nearest(to: color) : color,
              after: sparse.palette.colors.count)
            if index > 255 { isNearEnough = false }
          }
          row[x - columns.lowerBound] = UInt8(truncatingIfNeeded: index)
        }
        canvas.setRow(
          y: y, start: columns.lowerBound,
          indices: UnsafeBufferPointer(rebasing: row[0..<columns.count]))
      }
    }
    return isNearEnough
  }

  /// Returns the index of a colour among the tile's own colours, adding it if it is missing.
  private func extraIndex(of color: UInt32, after paletteCount: Int) -> UInt16 {
    if let index = extras.firstIndex(of: color) { return UInt16(paletteCount + index) }
    extras.append(color)
    return UInt16(paletteCount + extras.count - 1)
  }

  private func append(
    to bytes: inout [UInt8], _ sparse: SparseStyle,
    _ body: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    let written = body(scratch)
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: scratch[..<written]))
  }
}

/// The columns of each row of a tile that were painted.
struct TouchedRows {
  private var starts: ContiguousArray<Int32>
  private var ends: ContiguousArray<Int32>
  private var first: Int
  private var last = 0
  private let side: Int

  init(side: Int) {
    self.side = side
    starts = ContiguousArray(repeating: Int32(side), count: side)
    ends = ContiguousArray(repeating: 0, count: side)
    first = side
  }

  /// Marks the visible runs of a sprite whose anchor is at a pixel; clipped.
  mutating func mark(_ sprite: SymbolSprite, x: Int, y: Int) {
    let top = y + sprite.originY
    let left = x + sprite.originX
    let rows = max(0, -top)..<max(max(0, -top), min(sprite.height, side - top))
    for row in rows {
      let start = max(left + Int(sprite.rowStarts[row]), 0)
      let end = min(left + Int(sprite.rowEnds[row]), side)
      guard start < end else { continue }
      starts[top + row] = min(starts[top + row], Int32(start))
      ends[top + row] = max(ends[top + row], Int32(end))
    }
    guard !rows.isEmpty else { return }
    first = min(first, top + rows.lowerBound)
    last = max(last, top + rows.upperBound)
  }

  /// Marks every pixel.
  mutating func markAll() {
    for y in 0..<side {
      starts[y] = 0
      ends[y] = Int32(side)
    }
    first = 0
    last = side
  }

  /// Calls the body for every touched row, from the top.
  func forEach(_ body: (Int, Range<Int>) -> Void) {
    guard first < last else { return }
    for y in first..<last where starts[y] < ends[y] { body(y, Int(starts[y])..<Int(ends[y])) }
  }

  mutating func reset() {
    guard first < last else { return }
    for y in first..<last {
      starts[y] = Int32(side)
      ends[y] = 0
    }
    first = side
    last = 0
  }
}
