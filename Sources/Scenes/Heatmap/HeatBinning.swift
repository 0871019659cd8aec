import Features
import Raster
package import SpatialIndex
package import Tiling

/// The assignment of a heatmap layer's points to the tiles that their kernels reach.
package struct HeatBinning {
  package let range: TileRange

  /// Whether the run should stop; see ``SceneBuilder/isStopped``.
  private let isStopped: @Sendable () -> Bool

  package init(range: TileRange, isStopped: @escaping @Sendable () -> Bool = { false }) {
    self.range = range
    self.isStopped = isStopped
  }

  /// Returns the tiles of the range in which the layer shows a pixel.
  ///
  /// The result is exact: a tile is left out if the ramp shows nothing at its densities. If a
  /// density of 0 has a colour, all tiles of the range show it.
  ///
  /// - Throws: ``TileExcess`` if large kernels reach more tiles than memory can hold.
  /// - Complexity: O(points + entries); tiles that are neither certainly visible nor certainly
  ///   empty are summed pixel by pixel.
  package func scenes(
    of points: HeatPoints, sorter: inout RadixSorter
  ) throws(TileExcess) -> HeatScenes {
    var scenes = HeatScenes(points)
    guard let firstVisible = points.ramp.firstVisible else { return scenes }
    var bins = try HeatBins(points, range: range, isStopped)
    bins.sort(&sorter)
    var visibility = HeatVisibility(points)
    if firstVisible == 0 {
      appendAll(bins, to: &scenes, &visibility)
    } else {
      var start = 0
      while start < bins.count, !isStopped() {
        let end = bins.end(from: start)
        append(bins.keys[start], bins, start..<end, to: &scenes, &visibility)
        start = end
      }
    }
    return scenes
  }

  /// Appends every tile of the range, with or without points.
  private func appendAll(
    _ bins: HeatBins, to scenes: inout HeatScenes, _ visibility: inout HeatVisibility
  ) {
    var start = 0
    range.forEachKey { tile in
      if isStopped() { return false }
      let isFound = start < bins.count && bins.keys[start] == tile.rawValue
      let end = isFound ? bins.end(from: start) : start
      append(tile.rawValue, bins, start..<end, to: &scenes, &visibility)
      start = end
      return true
    }
  }

  /// Appends a tile with its entries, its hash and its quadrants, unless it shows nothing.
  private func append(
    _ key: UInt64, _ bins: HeatBins, _ entries: Range<Int>, to scenes: inout HeatScenes,
    _ visibility: inout HeatVisibility
  ) {
    let tile = TileCoord(TileKey(rawValue: key), z: scenes.points.grid.zoom)
    let first = scenes.rows.count
    for entry in entries {
      scenes.rows.append(bins.row(entry))
      scenes.copies.append(bins.copy(entry))
    }
    let quadrants = visibility.quadrants(first..<scenes.rows.count, of: tile, in: scenes)
    guard quadrants != 0 else {
      scenes.rows.removeLast(scenes.rows.count - first)
      scenes.copies.removeLast(scenes.copies.count - first)
      return
    }
    var hash = visibility.layerHash
    for entry in first..<scenes.rows.count {
      let row = Int(scenes.rows[entry])
      let (x, y) = scenes.place(row: row, copy: Int(scenes.copies[entry]), in: tile)
      hash.combine(UInt64(bitPattern: Int64(x)) << 32 ^ UInt64(bitPattern: Int64(y)))
      hash.combine(scenes.points.radii[row])
      hash.combine(scenes.points.weights[row])
    }
    scenes.tileKeys.append(key)
    scenes.entryEnds.append(UInt32(truncatingIfNeeded: scenes.rows.count))
    scenes.hashes.append(hash)
    scenes.quadrants.append(quadrants)
  }
}

/// Pairs of a tile and a point whose kernel reaches it.
private struct HeatBins {
  /// The `TileKey` of each pair.
  private(set) var keys: Column<UInt64>

  /// The index of each pair in ``rows`` and ``copies``, which keep the order they had before the
  /// sort.
  private var order: Column<UInt32>
  private var rows: Column<UInt32>
  private var copies: Column<Int16>

  /// Creates the pairs of a layer's points and the tiles of a range.
  ///
  /// - Complexity: O(points + pairs).
  init(
    _ points: HeatPoints, range: TileRange, _ isStopped: () -> Bool
  ) throws(TileExcess) {
    let scratch = points.xs.scratch
    keys = Column(in: scratch)
    order = Column(in: scratch)
    rows = Column(in: scratch)
    copies = Column(in: scratch)
    let grid = points.grid
    let division = TileDivision(side: grid.tilePixels)
    let across = grid.tilesAcross
    for row in 0..<points.count where !isStopped() {
      guard let kernel = points.kernel(row) else { continue }
      let columns = kernel.pixels(around: points.xs[row])
      let lines = kernel.pixels(around: points.ys[row])
      let firstRow = max(division.tile(lines.lowerBound), range.firstRow)
      let lastRow = min(division.tile(lines.upperBound - 1), range.lastRow)
      guard firstRow <= lastRow, !columns.isEmpty, !lines.isEmpty else { continue }
      let first = division.tile(columns.lowerBound)
      for column in first...division.tile(columns.upperBound - 1) {
        let wrapped = column & (across - 1)
        guard range.contains(column: wrapped) else { continue }
        for tileRow in firstRow...lastRow {
          keys.append(TileKey(TileCoord(z: grid.zoom, x: wrapped, y: tileRow)).rawValue)
          rows.append(UInt32(truncatingIfNeeded: row))
          copies.append(Int16(truncatingIfNeeded: -(column >> grid.zoom)))
        }
      }
      try TileExcess.check(.symbols, zoom: grid.zoom, tiles: keys.count)
    }
  }

  var count: Int { keys.count }

  /// Sorts the pairs by tile; the pairs of a tile stay in the order of the points.
  mutating func sort(_ sorter: inout RadixSorter) {
    order = Column(0..<UInt32(clamping: keys.count), in: keys.scratch)
    sorter.sort(&keys, &order)
  }

  /// Returns the end of the run of pairs that share the tile of the pair at `start`.
  func end(from start: Int) -> Int {
    var end = start + 1
    while end < keys.count, keys[end] == keys[start] { end += 1 }
    return end
  }

  func row(_ pair: Int) -> UInt32 { rows[Int(order[pair])] }
  func copy(_ pair: Int) -> Int16 { copies[Int(order[pair])] }
}
