import Tiling

/// The options of `clusterMethod: grid`: the division of the world into cells.
package struct GridOptions: Hashable, Sendable {
  /// The default sizes: cells of 88 pixels, 64 from zoom 13, 32 from 16 and 16 from 19 up.
  package static let defaultCellSizes = [0: 88, 13: 64, 16: 32, 19: 16]

  /// The largest cell in pixels.
  package static let maxCellSize = 1 << 16

  /// `clusterCellSize`: a cell's edge in world pixels from a zoom up to the next key. Zooms below
  /// the first key use the first.
  package let cellSizes: [Int: Int]

  /// The length of a tile's edge in pixels, which is the width of the world at zoom 0. A power of
  /// two, 1 … 1024.
  package let tileSize: Int

  /// `clusterMaxZoom`: deeper zooms show every point by itself.
  package let maxZoom: Int

  /// `clusterMinPoints`: in a cell with fewer points each stands alone. At least 2.
  package let minPoints: Int

  /// The cell size of each zoom, 0 … ``TileCoord/maxZoom``.
  private let sizes: [Int]

  /// - Throws: ``ClusteringError`` if no zoom has a cell size, a size is not 1 … 65536 pixels, the
  ///   tile size is not a power of two of at most 1024, or a zoom is outside 0 … 22.
  package init(
    cellSizes: [Int: Int] = defaultCellSizes, tileSize: Int = 256, maxZoom: Int = 16,
    minPoints: Int = 2
  ) throws {
    let zooms = 0...TileCoord.maxZoom
    guard let first = cellSizes.min(by: { $0.key < $1.key }) else {
      throw ClusteringError(
        code: .cellSize, message: "clusterCellSize is empty. Give a size for zoom 0: {0: 88}.")
    }
    // The smallest invalid key, so that the message does not depend on hashing.
    if let zoom = cellSizes.keys.filter({ !zooms.contains($0) }).min() {
      throw ClusteringError(
        code: .zoom, message: "clusterCellSize names zoom \(zoom). Zooms go from 0 to 22.")
    }
    let unfit = cellSizes.filter { !(1...Self.maxCellSize).contains($0.value) }
    if let (zoom, size) = unfit.min(by: { $0.key < $1.key }) {
      throw ClusteringError(
        code: .cellSize,
        message: "clusterCellSize is \(size) px at zoom \(zoom). Use 1 to \(Self.maxCellSize) px.")
    }
    guard (1...1024).contains(tileSize), tileSize.nonzeroBitCount == 1 else {
      throw ClusteringError(
        code: .tileSize, message: "tileSize is \(tileSize). Use 256 or 512.")
    }
    guard zooms.contains(maxZoom) else {
      throw ClusteringError(
        code: .zoom, message: "clusterMaxZoom is \(maxZoom). Use 0 to 22.")
    }
    self.cellSizes = cellSizes
    self.tileSize = tileSize
    self.maxZoom = maxZoom
    self.minPoints = max(2, minPoints)
    var size = first.value
    sizes = zooms.map { zoom in
      size = cellSizes[zoom] ?? size
      return size
    }
  }

  /// Returns the cells of a zoom in 0 … 22.
  func cells(at zoom: Int) -> CellGrid {
    CellGrid(
      zoom: zoom, cellSize: UInt32(sizes[zoom]),
      pixelBits: UInt64(zoom + tileSize.trailingZeroBitCount))
  }
}
