import Raster
import SpatialIndex
import Tiling

/// Brings the symbols of a zoom to the tiles that their pixels reach.
struct SceneBinning {
  let grid: PixelGrid
  let range: TileRange
  let background: UInt32
  var veils: [BackgroundVeil] = []

  /// See ``ZoomScenes/layersFromNorth``.
  var layersFromNorth: [Int] = []

  /// The scenes of all tiles in which a symbol shows a pixel, or of all tiles of the range where
  /// there is a background.
  ///
  /// - Complexity: O(symbols + entries): positions are binned by a radix sort of tile keys, which
  ///   keeps the drawing order inside a tile.
  func scenes(
    of symbols: ZoomSymbols, sprites indexes: ContiguousArray<UInt32>,
    entries sprites: [SpriteStore.Entry], sorter: inout RadixSorter
  ) -> ZoomScenes {
    var scenes = ZoomScenes(grid: grid, background: background, veils: veils)
    scenes.layersFromNorth = layersFromNorth
    scenes.sprites = sprites
    scenes.symbolSprites = indexes
    scenes.anchorXs.reserveCapacity(symbols.count)
    scenes.anchorYs.reserveCapacity(symbols.count)
    for row in 0..<symbols.count {
      scenes.anchorXs.append(UInt32(truncatingIfNeeded: symbols.xs[row] >> 4))
      scenes.anchorYs.append(UInt32(clamping: symbols.ys[row] >> 4))
    }
    var keys = ContiguousArray<UInt64>()
    var entries = ContiguousArray<UInt32>()
    keys.reserveCapacity(symbols.count * 2)
    entries.reserveCapacity(symbols.count * 2)
    for symbol in 0..<symbols.count {
      appendTiles(of: symbol, in: scenes, to: &keys, entries: &entries)
    }
    sorter.sort(&keys, &entries)
    scenes.entries = entries
    group(keys, into: &scenes)
    if scenes.hasBackground { addBlankTiles(to: &scenes) }
    return scenes
  }

  /// Appends a key and an entry for each tile in which a symbol shows a pixel.
  @inline(__always)
  private func appendTiles(
    of symbol: Int, in scenes: ZoomScenes, to keys: inout ContiguousArray<UInt64>,
    entries: inout ContiguousArray<UInt32>
  ) {
    let side = grid.tilePixels
    let across = grid.tilesAcross
    let anchorX = Int(scenes.anchorXs[symbol])
    let anchorY = Int(scenes.anchorYs[symbol])
    scenes.sprites.withUnsafeBufferPointer { sprites in
      let sprite = sprites[Int(scenes.symbolSprites[symbol])]
      guard !sprite.extent.isEmpty else { return }
      let left = anchorX + sprite.extent.originX
      let top = anchorY + sprite.extent.originY
      let columns = (left >> shift)...((left + sprite.extent.width - 1) >> shift)
      let rows =
        max(
          top >> shift, 0)...max(
          min((top + sprite.extent.height - 1) >> shift, across - 1), max(top >> shift, 0))
      for column in columns {
        // One world copy to each side is enough: a symbol is smaller than the world.
        let copy = column < 0 ? 1 : column >= across ? -1 : 0
        let wrapped = column + copy * across
        guard wrapped >= 0, wrapped < across, range.contains(column: wrapped) else { continue }
        for row in rows where row >= range.firstRow && row <= range.lastRow {
          let x0 = column * side - anchorX
          let y0 = row * side - anchorY
          let isWhole = columns.count == 1 && rows.count == 1 && top >= 0
          guard
            isWhole
              || sprite.extent.isVisible(left: x0, top: y0, right: x0 + side, bottom: y0 + side)
          else { continue }
          keys.append(UInt64(wrapped) << 22 | UInt64(across - 1 - row))
          entries.append(UInt32(symbol) << 2 | UInt32(copy + 1))
        }
      }
    }
  }

  /// log₂ of the tile's side in device px; the sides that are allowed are powers of two.
  private var shift: Int { grid.tilePixels.trailingZeroBitCount }

  /// Cuts the sorted entries into tiles and describes each.
  private func group(_ keys: ContiguousArray<UInt64>, into scenes: inout ZoomScenes) {
    var start = 0
    while start < keys.count {
      var end = start + 1
      while end < keys.count, keys[end] == keys[start] { end += 1 }
      let tile = ZoomScenes.tile(key: keys[start], zoom: grid.zoom)
      let (hash, quadrants) = describe(start..<end, of: tile, in: scenes)
      scenes.tileKeys.append(keys[start])
      scenes.entryEnds.append(UInt32(end))
      scenes.hashes.append(hash)
      scenes.quadrants.append(quadrants)
      start = end
    }
  }

  /// The hash of a scene and the quadrants in which it shows pixels.
  private func describe(_ range: Range<Int>, of tile: TileCoord, in scenes: ZoomScenes)
    -> (StableHash, UInt8)
  {
    let side = grid.tilePixels
    let half = side / 2
    var hash = emptyHash
    var quadrants: UInt8 = scenes.hasBackground ? 15 : 0
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
          if sprites[spriteIndex].extent.isVisible(
            left: left, top: top, right: left + half, bottom: top + half)
          {
            quadrants |= UInt8(1 << quadrant)
          }
        }
      }
    }
    return (hash, quadrants)
  }

  /// The hash of a tile that shows the background only.
  var emptyHash: StableHash {
    var hash = StableHash()
    hash.combine(grid.tilePixels)
    hash.combine(UInt64(background))
    for veil in veils {
      hash.combine(veil.layer)
      hash.combine(UInt64(veil.color.bits))
    }
    for layer in layersFromNorth { hash.combine(~layer) }
    return hash
  }

  /// Adds the tiles of the range that show nothing but the background.
  private func addBlankTiles(to scenes: inout ZoomScenes) {
    var all = ZoomScenes(grid: grid, background: background, veils: veils)
    all.reserve(range.count)
    var next = 0
    for column in 0..<grid.tilesAcross where range.contains(column: column) {
      for row in stride(from: range.lastRow, through: range.firstRow, by: -1) {
        let key = UInt64(column) << 22 | UInt64(grid.tilesAcross - 1 - row)
        if next < scenes.count, scenes.tileKeys[next] == key {
          all.appendTile(key, end: scenes.entryEnds[next], scenes.hashes[next], 15)
          next += 1
        } else {
          all.appendTile(key, end: all.entryEnds.last ?? 0, emptyHash, 15)
        }
      }
    }
    scenes.tileKeys = all.tileKeys
    scenes.entryEnds = all.entryEnds
    scenes.hashes = all.hashes
    scenes.quadrants = all.quadrants
  }
}

extension ZoomScenes {
  fileprivate mutating func reserve(_ capacity: Int) {
    tileKeys.reserveCapacity(capacity)
    entryEnds.reserveCapacity(capacity)
    hashes.reserveCapacity(capacity)
    quadrants.reserveCapacity(capacity)
  }

  fileprivate mutating func appendTile(
    _ key: UInt64, end: UInt32, _ hash: StableHash, _ quadrants: UInt8
  ) {
    tileKeys.append(key)
    entryEnds.append(end)
    hashes.append(hash)
    self.quadrants.append(quadrants)
  }
}
