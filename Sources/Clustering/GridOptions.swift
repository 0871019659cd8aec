import Tiling

/// The form in which the points of a cell are shown.
package enum CellShape: Hashable, Sendable {
  /// A cluster at the mean position of the points.
  case cluster
  /// The area of the cell, whatever the number of its points.
  case square, hexagon
}

/// The options of `clusterMethod: grid`, `square` and `hexagon`: the division of the world into
/// cells.
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

  /// `clusterMinPoints`: the points of a cell with fewer of them stay single. At least 2; 1 if cells
  /// are areas.
  package let minPoints: Int

  package let shape: CellShape

  /// `clusterCellMeters`: the width of a cell at all zooms in metres of Web Mercator (EPSG:3857),
  /// which are those of the ground at the equator; `nil` for ``cellSizes``.
  package let cellMeters: Double?

  /// The width of the world in metres of Web Mercator.
  package static let worldMeters = 2 * Double.pi * 6_378_137

  /// The limit on the number of columns of equal cells, at which an id has room for a cell's code.
  private static let maxColumns = Double(1 << 28)

  /// The cell size of each zoom, 0 … ``TileCoord/maxZoom``.
  private let sizes: [Int]

  /// - Throws: ``ClusteringError`` if no zoom has a cell size, a size is not 1 … 65536 pixels, the
  ///   tile size is not a power of two of at most 1024, or a zoom is outside 0 … 22.
  package init(
    cellSizes: [Int: Int] = defaultCellSizes, tileSize: Int = 256, maxZoom: Int = 16,
    minPoints: Int = 2, shape: CellShape = .cluster, cellMeters: Double? = nil
  ) throws {
    let zooms = 0...TileCoord.maxZoom
    guard let first = cellSizes.min(by: { $0.key < $1.key }) else {
      throw ClusteringError(
        code: .cellSize, message: "clusterCellSize is empty. Give a size for zoom 0: {0: 88}.")
    }
    // The smallest invalid key is reported, so that the message does not depend on hashing.
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
    self.minPoints = shape == .cluster ? max(2, minPoints) : 1
    self.shape = shape
    self.cellMeters = cellMeters
    var size = first.value
    sizes = zooms.map { zoom in
      size = cellSizes[zoom] ?? size
      return size
    }
  }

  /// Returns the cells of a zoom in 0 … 22. The width of equal cells is rounded so that a whole
  /// number of them goes around the world.
  func cells(at zoom: Int) -> CellLattice {
    let pixels = Double(tileSize << zoom)
    if shape == .hexagon || cellMeters != nil {
      let columns = cellMeters.map { Self.worldMeters / $0 } ?? pixels / Double(sizes[zoom])
      return .equal(
        EqualCells(
          zoom: zoom, columns: UInt32(min(max(columns.rounded(), 1), Self.maxColumns)),
          isHexagonal: shape == .hexagon))
    }
    return .pixels(
      CellGrid(
        zoom: zoom, cellSize: UInt32(sizes[zoom]),
        pixelBits: UInt64(zoom + tileSize.trailingZeroBitCount)))
  }
}
