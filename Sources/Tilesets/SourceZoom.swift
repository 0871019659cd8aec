package import Tiling

extension TilesetHead {
  /// Returns the zoom of the tiles from which a zoom of the map is drawn: the same, or the deepest
  /// there is; `nil` below the first, where nothing is drawn, as in MapLibre.
  package func sourceZoom(for zoom: Int) -> Int? {
    guard zoom >= minZoom ?? 0 else { return nil }
    return min(zoom, maxZoom ?? zoom, TileCoord.maxZoom)
  }
}

extension TileRange {
  /// Returns the tiles of the same or a lower zoom that cover these tiles, with a margin around
  /// them.
  ///
  /// - Parameter margin: the number of further tiles on each side, so that whatever is drawn across
  ///   a border is found, and no feature that these tiles show is cut within them.
  ///   a border are found, and no feature that these tiles show is cut within them.
  package func sourceTiles(zoom source: Int, margin: Int) -> TileRange {
    precondition((0...zoom).contains(source) && margin >= 0, "tiles are drawn from lower zooms")
    let shift = zoom - source
    let world = 1 << source
    let first = (firstColumn >> shift) - margin
    var last = (lastColumn >> shift) + margin
    // East of the antimeridian column numbers start again at 0.
    if firstColumn > lastColumn { last += world }
    let isAllAround = last - first + 1 >= world
    return TileRange(
      zoom: source, firstColumn: isAllAround ? 0 : (first + world) % world,
      lastColumn: isAllAround ? world - 1 : (last + world) % world,
      firstRow: max((firstRow >> shift) - margin, 0),
      lastRow: min((lastRow >> shift) + margin, world - 1))
  }
}
