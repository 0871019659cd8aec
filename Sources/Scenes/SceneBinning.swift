import Features
import Raster
import SpatialIndex
import Styling
import Tiling

/// The assignment of a zoom's symbols to the tiles that their pixels reach.
struct SceneBinning {
  let grid: PixelGrid
  let range: TileRange

  /// The tiles that a background fills even if nothing else is drawn there.
  let blankRange: TileRange

  /// See ``ZoomScenes/fillsRange``.
  var fillsRange = true

  let background: UInt32
  var veils: [BackgroundVeil] = []

  /// The layers whose symbols are drawn from north to south; see ``ZoomScenes/layersFromNorth``.
  var layersFromNorth: [Int] = []

  /// The meter that finds the visible pixels of vast symbols.
  let meter: any SpriteMeter

  /// Whether the run should stop; see ``SceneBuilder/isStopped``.
  var isStopped: @Sendable () -> Bool = { false }

  /// Returns the scenes of all tiles in which a symbol shows a pixel, or of all tiles of ``blankRange``
  /// as well if there is a background.
  ///
  /// - Throws: ``TileExcess`` if large symbols reach more tiles than memory can hold.
  /// - Complexity: O(symbols + entries): positions are binned by a radix sort of tile keys, which
  ///   keeps the drawing order inside a tile.
  func scenes(
    of symbols: ZoomSymbols, looks: LookTable, symbolSprites: Column<UInt32>,
    sprites: [SpriteMeasure], sorter: inout RadixSorter
  ) throws(TileExcess) -> ZoomScenes {
    let scratch = symbols.scratch
    var scenes = ZoomScenes(grid: grid, background: background, veils: veils, in: scratch)
    scenes.fillsRange = fillsRange
    scenes.looks = looks
    scenes.layersFromNorth = layersFromNorth
    scenes.sprites = sprites
    scenes.symbolSprites = symbolSprites
    scenes.anchorXs.reserveCapacity(symbols.count)
    scenes.anchorYs.reserveCapacity(symbols.count)
    for row in 0..<symbols.count {
      scenes.anchorXs.append(UInt32(truncatingIfNeeded: symbols.xs[row] >> 4))
      scenes.anchorYs.append(UInt32(clamping: symbols.ys[row] >> 4))
    }
    var keys = Column<UInt64>(in: scratch)
    var entries = Column<UInt32>(in: scratch)
    keys.reserveCapacity(symbols.count * 2)
    entries.reserveCapacity(symbols.count * 2)
    let geometry = LookGeometry(scale: grid.scale)
    for symbol in 0..<symbols.count {
      if isStopped() { break }
      appendTiles(of: symbol, in: scenes, to: &keys, entries: &entries, geometry)
      try TileExcess.check(.symbols, zoom: grid.zoom, tiles: keys.count)
    }
    sorter.sort(&keys, &entries)
    scenes.entries = entries
    // Taps and explanations need the hidden symbols, too.
    if symbols.features.isEmpty, sprites.contains(where: \.isVast) {
      removeHidden(&keys, from: &scenes, geometry)
    }
    group(keys, into: &scenes, geometry)
    if scenes.hasBackground { addBlankTiles(to: &scenes) }
    return scenes
  }

  /// Appends a key and an entry for each tile in which a symbol shows a pixel.
  @inline(__always)
  private func appendTiles(
    of symbol: Int, in scenes: ZoomScenes, to keys: inout Column<UInt64>,
    entries: inout Column<UInt32>, _ geometry: LookGeometry
  ) {
    let division = TileDivision(side: grid.tilePixels)
    let side = division.side
    let across = grid.tilesAcross
    let anchorX = Int(scenes.anchorXs[symbol])
    let anchorY = Int(scenes.anchorYs[symbol])
    scenes.sprites.withUnsafeBufferPointer { sprites in
      let sprite = sprites[Int(scenes.symbolSprites[symbol])]
      guard !sprite.extent.isEmpty else { return }
      let left = anchorX + sprite.extent.originX
      let top = anchorY + sprite.extent.originY
      let columns = division.tile(left)...division.tile(left + sprite.extent.width - 1)
      let firstRow = max(division.tile(top), 0)
      let lastRow = min(division.tile(top + sprite.extent.height - 1), across - 1)
      let rows = firstRow...max(lastRow, firstRow)
      for column in columns {
        // One world copy to each side is enough: a symbol is smaller than the world.
        let copy = column < 0 ? 1 : column >= across ? -1 : 0
        let wrapped = column + copy * across
        guard wrapped >= 0, wrapped < across, range.contains(column: wrapped) else { continue }
        for row in rows where row >= range.firstRow && row <= range.lastRow {
          let x0 = column * side - anchorX
          let y0 = row * side - anchorY
          let isWhole = columns.count == 1 && rows.count == 1 && top >= 0 && !sprite.isVast
          let box = PixelBox(left: x0, top: y0, right: x0 + side, bottom: y0 + side)
          guard isWhole || isVisible(sprite, within: box, scenes.looks, geometry) else { continue }
          keys.append(TileKey(TileCoord(z: grid.zoom, x: wrapped, y: row)).rawValue)
          entries.append(UInt32(symbol) << 2 | UInt32(copy + 1))
        }
      }
    }
  }

  /// Returns whether a symbol shows a pixel within a box, measured from its anchor.
  @inline(__always)
  private func isVisible(
    _ sprite: SpriteMeasure, within box: PixelBox, _ looks: LookTable,
    _ geometry: LookGeometry
  ) -> Bool {
    guard sprite.isVast else {
      return sprite.extent.isVisible(
        left: box.left, top: box.top, right: box.right, bottom: box.bottom)
    }
    // A font that can no longer be read is reported when tiles are painted.
    return
      (try? geometry.shows(
        looks.stacks[Int(sprite.key.stack)], phaseX: Int(sprite.key.phaseX),
        phaseY: Int(sprite.key.phaseY), within: box, meter: meter)) ?? true
  }

  /// Removes the symbols of tiles that lie wholly under a disc or stroke of an opaque colour;
  /// otherwise a thousand circles, each as large as the world, would all be painted in every tile.
  ///
  /// - Complexity: O(entries).
  private func removeHidden(
    _ keys: inout Column<UInt64>, from scenes: inout ZoomScenes, _ geometry: LookGeometry
  ) {
    var keptKeys = Column<UInt64>(in: scenes.scratch)
    var kept = Column<UInt32>(in: scenes.scratch)
    var start = 0
    while start < keys.count, !isStopped() {
      var end = start + 1
      while end < keys.count, keys[end] == keys[start] { end += 1 }
      let tile = TileCoord(TileKey(rawValue: keys[start]), z: grid.zoom)
      let cover = (start..<end).compactMap { index in
        opaqueLayer(ofEntry: index, in: tile, scenes, geometry).map { (layer: $0, index: index) }
      }.max { ($0.layer, $0.index) < ($1.layer, $1.index) }
      for index in start..<end {
        if let cover {
          // Layers are drawn one after the other, each in the order of the entries.
          let stack = scenes.looks.stacks[
            Int(scenes.stack(ofSymbol: Int(scenes.entries[index] >> 2)).stack)]
          let uppermost = stack.last?.layer ?? 0
          if (uppermost, index) < (cover.layer, cover.index) { continue }
        }
        keptKeys.append(keys[index])
        kept.append(scenes.entries[index])
      }
      start = end
    }
    keys = keptKeys
    scenes.entries = kept
  }

  /// Returns the uppermost layer in which an entry's symbol covers the whole of a tile with an
  /// opaque colour.
  private func opaqueLayer(
    ofEntry index: Int, in tile: TileCoord, _ scenes: ZoomScenes, _ geometry: LookGeometry
  ) -> Int? {
    let entry = scenes.entries[index]
    let sprite = scenes.sprites[Int(scenes.symbolSprites[Int(entry >> 2)])]
    guard sprite.isVast else { return nil }
    let side = grid.tilePixels
    let (x, y) = scenes.place(of: entry, originX: tile.x * side, originY: tile.y * side)
    return geometry.opaqueLayer(
      of: scenes.looks.stacks[Int(sprite.key.stack)], phaseX: Int(sprite.key.phaseX),
      phaseY: Int(sprite.key.phaseY),
      within: PixelBox(left: -x, top: -y, right: side - x, bottom: side - y))
  }

  /// Cuts the sorted entries into tiles and describes each.
  private func group(
    _ keys: Column<UInt64>, into scenes: inout ZoomScenes, _ geometry: LookGeometry
  ) {
    var start = 0
    while start < keys.count, !isStopped() {
      var end = start + 1
      while end < keys.count, keys[end] == keys[start] { end += 1 }
      let tile = TileCoord(TileKey(rawValue: keys[start]), z: grid.zoom)
      let (hash, quadrants) = describe(start..<end, of: tile, in: scenes, geometry)
      scenes.tileKeys.append(keys[start])
      scenes.entryEnds.append(UInt32(end))
      scenes.hashes.append(hash)
      scenes.quadrants.append(quadrants)
      start = end
    }
  }

  /// Returns the hash of a scene and the quadrants in which it shows pixels.
  private func describe(
    _ range: Range<Int>, of tile: TileCoord, in scenes: ZoomScenes, _ geometry: LookGeometry
  ) -> (StableHash, UInt8) {
    let side = grid.tilePixels
    let half = side / 2
    var hash = scenes.emptyHash(of: tile)
    var quadrants = scenes.backgroundQuadrants
    scenes.sprites.withUnsafeBufferPointer { sprites in
      for index in range {
        let entry = scenes.entries[index]
        let (x, y) = scenes.place(of: entry, originX: tile.x * side, originY: tile.y * side)
        let spriteIndex = Int(scenes.symbolSprites[Int(entry >> 2)])
        hash.combine(sprites[spriteIndex].hash)
        hash.combine(UInt64(bitPattern: Int64(x)) << 32 ^ UInt64(bitPattern: Int64(y)))
        for quadrant in 0..<4 where quadrants & UInt8(1 << quadrant) == 0 {
          let left = (quadrant & 1) * half - x
          let top = (quadrant >> 1) * half - y
          let box = PixelBox(left: left, top: top, right: left + half, bottom: top + half)
          if isVisible(sprites[spriteIndex], within: box, scenes.looks, geometry) {
            quadrants |= UInt8(1 << quadrant)
          }
        }
      }
    }
    return (hash, quadrants)
  }

  /// The hash of everything beside their symbols that determines the scenes of tiles without
  /// background.
  var symbolSeed: StableHash {
    var scenes = ZoomScenes(grid: grid, background: background, veils: veils)
    scenes.layersFromNorth = layersFromNorth
    var hash = scenes.emptyHash(of: TileCoord(z: grid.zoom, x: 0, y: 0))
    for part in [
      grid.zoom, range.firstColumn, range.lastColumn, range.firstRow, range.lastRow,
    ] { hash.combine(part) }
    return hash
  }

  /// Adds the tiles of ``blankRange`` that show only the background.
  private func addBlankTiles(to scenes: inout ZoomScenes) {
    var all = ZoomScenes(
      grid: grid, background: background, veils: veils, in: scenes.scratch)
    all.reserve(max(blankRange.count, scenes.count))
    var next = 0
    func appendDrawn() {
      all.appendTile(
        scenes.tileKeys[next], end: scenes.entryEnds[next], scenes.hashes[next],
        scenes.quadrants[next])
      next += 1
    }
    blankRange.forEachKey { tile in
      if isStopped() { return false }
      let key = tile.rawValue
      while next < scenes.count, scenes.tileKeys[next] < key { appendDrawn() }
      if next < scenes.count, scenes.tileKeys[next] == key {
        appendDrawn()
      } else {
        all.appendTile(
          key, end: all.entryEnds.last ?? 0, scenes.emptyHash(of: TileCoord(tile, z: grid.zoom)),
          scenes.backgroundQuadrants)
      }
      return true
    }
    while next < scenes.count { appendDrawn() }
    scenes.tileKeys = all.tileKeys
    scenes.entryEnds = all.entryEnds
    scenes.hashes = all.hashes
    scenes.quadrants = all.quadrants
  }
}

extension ZoomScenes {
  mutating func reserve(_ capacity: Int) {
    tileKeys.reserveCapacity(capacity)
    entryEnds.reserveCapacity(capacity)
    hashes.reserveCapacity(capacity)
    quadrants.reserveCapacity(capacity)
  }

  mutating func appendTile(
    _ key: UInt64, end: UInt32, _ hash: StableHash, _ quadrants: UInt8
  ) {
    tileKeys.append(key)
    entryEnds.append(end)
    hashes.append(hash)
    self.quadrants.append(quadrants)
  }
}
