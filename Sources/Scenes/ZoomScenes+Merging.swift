import Columns
import Features
import Raster
import Styling
package import Tiling

extension ZoomScenes {
  /// Adds the lines, polygons, heatmaps and images of the tiles to scenes that have only symbols.
  ///
  /// - Complexity: O(tiles · lists).
  mutating func add(
    _ shapes: ShapeScenes, _ heats: [HeatScenes], _ rasters: [RasterScenes],
    isStopped: () -> Bool
  ) {
    self.shapes = shapes
    self.heats = heats
    self.rasters = rasters
    let layers =
      heats.map { TileList(keys: $0.tileKeys, hashes: $0.hashes, quadrants: $0.quadrants) }
      + rasters.map { TileList(keys: $0.tileKeys, hashes: $0.hashes, quadrants: $0.quadrants) }
    merge(layers, isStopped: isStopped)
  }

  /// Adds lines and polygons to scenes that have everything else.
  ///
  /// - Complexity: O(tiles · lists).
  mutating func add(_ shapes: ShapeScenes, isStopped: () -> Bool) {
    self.shapes = shapes
    merge([], isStopped: isStopped)
  }

  /// Merges the tiles with those of ``shapes`` and of layers that are new; the lists of layers that
  /// tiles have are kept.
  private mutating func merge(_ new: [TileList], isStopped: () -> Bool) {
    var layers = new
    var own = TileList(keys: tileKeys, hashes: hashes, quadrants: quadrants)
    var areas = TileList(
      keys: shapes.tileKeys, hashes: shapes.hashes, quadrants: shapes.quadrants)
    guard !areas.keys.isEmpty || layers.contains(where: { !$0.keys.isEmpty }) else { return }
    let kept = layerTiles.isEmpty ? 0 : layerTiles.count / tileKeys.count
    var merged = ZoomScenes(grid: grid, background: background, in: scratch)
    while true {
      let tile = min(own.key, areas.key, layers.map(\.key).min() ?? .max)
      guard tile < .max, !isStopped() else { break }
      let place = own.take(tile)
      var hash =
        place.map { own.hashes[$0] }
        ?? emptyHash(of: TileCoord(TileKey(rawValue: tile), z: grid.zoom))
      var quadrants = place.map { own.quadrants[$0] } ?? backgroundQuadrants
      merged.tileKeys.append(tile)
      merged.entryEnds.append(place.map { entryEnds[$0] } ?? merged.entryEnds.last ?? 0)
      merged.shapeTiles.append(areas.mix(tile, into: &hash, &quadrants))
      for list in 0..<kept {
        merged.layerTiles.append(place.map { layerTiles[$0 * kept + list] } ?? -1)
      }
      for index in layers.indices {
        merged.layerTiles.append(layers[index].mix(tile, into: &hash, &quadrants))
      }
      merged.hashes.append(hash)
      merged.quadrants.append(quadrants)
    }
    tileKeys = merged.tileKeys
    entryEnds = merged.entryEnds
    hashes = merged.hashes
    quadrants = merged.quadrants
    shapeTiles = merged.shapeTiles
    layerTiles = merged.layerTiles
  }

  /// Returns the hash of a tile that shows only the background.
  func emptyHash(of tile: TileCoord) -> StableHash {
    var hash = StableHash()
    hash.combine(grid.tilePixels)
    hash.combine(UInt64(background))
    for veil in veils {
      hash.combine(veil.layer)
      hash.combine(UInt64(veil.color.bits))
      if let pattern = veil.pattern {
        hash.combine(pattern)
        hash.combine(PatternPlace(of: pattern, in: tile, grid))
      }
    }
    for layer in layersFromNorth { hash.combine(~layer) }
    return hash
  }

  /// Whether any tile shows more than the background.
  ///
  /// - Complexity: O(tiles) until there is one.
  package var showsMoreThanBackground: Bool {
    guard hasBackground else { return count > 0 }
    let hasPatterns = veils.contains { $0.pattern != nil }
    let plain = emptyHash(of: TileCoord(z: grid.zoom, x: 0, y: 0))
    return zip(tileKeys, hashes).contains { key, hash in
      hash != (hasPatterns ? emptyHash(of: TileCoord(TileKey(rawValue: key), z: grid.zoom)) : plain)
    }
  }

  /// Returns the index of a tile in ``shapes``; `nil` if it shows no shapes.
  package func shapeTile(_ tile: Int) -> Int? {
    guard !shapeTiles.isEmpty, shapeTiles[tile] >= 0 else { return nil }
    return Int(shapeTiles[tile])
  }

  /// Returns the index of a tile in one of ``heats``; `nil` if it shows nothing of it.
  package func heatTile(_ tile: Int, of heat: Int) -> Int? { layerTile(tile, of: heat) }

  /// Returns the index of a tile in one of ``rasters``; `nil` if it shows nothing of it.
  package func rasterTile(_ tile: Int, of raster: Int) -> Int? {
    layerTile(tile, of: heats.count + raster)
  }

  private func layerTile(_ tile: Int, of list: Int) -> Int? {
    guard !layerTiles.isEmpty else { return nil }
    let place = layerTiles[tile * (heats.count + rasters.count) + list]
    return place >= 0 ? Int(place) : nil
  }

  /// Returns whether a tile shows only symbols.
  package func showsSymbolsOnly(_ tile: Int) -> Bool {
    veils.isEmpty && shapeTile(tile) == nil
      && (0..<heats.count + rasters.count).allSatisfy { layerTile(tile, of: $0) == nil }
  }

  /// Whether any tile shows a part of an image.
  package var hasImages: Bool { rasters.contains { $0.count > 0 } }

  /// Whether any tile shows more than symbols; such tiles take far longer to paint.
  package var hasAreas: Bool {
    shapes.count > 0 || heats.contains { $0.count > 0 } || hasImages
  }

  /// Returns whether a tile shows a part of an image.
  package func showsImages(_ tile: Int) -> Bool {
    rasters.indices.contains { rasterTile(tile, of: $0) != nil }
  }

  /// Returns the index of a drawn tile, or `nil`.
  ///
  /// - Complexity: O(log tiles).
  package func index(of tile: TileCoord) -> Int? {
    let key = TileKey(tile).rawValue
    let index = tileKeys.bisectedIndex(notBefore: { $0 < key })
    return index < count && tileKeys[index] == key && tile.z == grid.zoom ? index : nil
  }
}

/// The tiles of one list, and the progress of merging them.
private struct TileList {
  let keys: Column<UInt64>
  let hashes: Column<StableHash>
  let quadrants: Column<UInt8>
  private var next = 0

  init(
    keys: Column<UInt64>, hashes: Column<StableHash>,
    quadrants: Column<UInt8>
  ) {
    self.keys = keys
    self.hashes = hashes
    self.quadrants = quadrants
  }

  /// The key of the next tile; the greatest number at the end.
  var key: UInt64 { next < keys.count ? keys[next] : .max }

  /// Returns the index of a tile if it is the next one, and advances past it.
  mutating func take(_ tile: UInt64) -> Int? {
    guard key == tile else { return nil }
    next += 1
    return next - 1
  }

  /// Adds the list's content of a tile; returns its index, or −1 if there is no content.
  mutating func mix(
    _ tile: UInt64, into hash: inout StableHash, _ quadrants: inout UInt8
  ) -> Int32 {
    guard let place = take(tile) else { return -1 }
    hash.combine(hashes[place])
    quadrants |= self.quadrants[place]
    return Int32(truncatingIfNeeded: place)
  }
}
