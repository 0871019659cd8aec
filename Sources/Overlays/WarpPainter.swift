package import Raster
package import Tiling

/// A painter of one placed image into tiles; one per worker, which reuses its memory from tile to
/// tile.
///
/// A tile's pixels depend only on image, placement, kernel and tile: the tiles of a zoom, put
/// together, are one large warped image, pixel for pixel.
package final class WarpPainter: RasterWarp {
  package let image: OverlayImage
  package let placement: ImagePlacement
  package let kernel: ResamplingKernel

  /// Side of a tile in pixels.
  package let tilePixels: Int

  /// The shift of the world eastward and southward, in pixels, so that the corner of a view falls
  /// on a whole pixel. Tiles of an archive are never shifted.
  private let shift: PlanePoint

  private var columns: AxisTable
  private var rows: AxisTable
  private let light: LightRows

  /// The zoom and column, and the zoom and row, of the current tables.
  private var columnsOf: (zoom: Int, index: Int)?
  private var rowsOf: (zoom: Int, index: Int)?

  /// The tables of rows of the current zoom: tiles come column by column, each over the same rows.
  private var knownRows: [Int: AxisTable] = [:]

  /// Maximum number of kept tables, about 8 kB each.
  private static let knownRowsLimit = 512

  /// - Parameters:
  ///   - shiftX: the shift of the world eastward, in 1/256 pixel, 0 ..< 256.
  ///   - shiftY: the shift southward, likewise.
  /// - Precondition: `tilePixels` is 1 … 65536.
  package init(
    image: OverlayImage, placement: ImagePlacement, kernel: ResamplingKernel, tilePixels: Int,
    shiftX: Int = 0, shiftY: Int = 0
  ) {
    precondition((1...65536).contains(tilePixels))
    self.image = image
    self.placement = placement
    self.kernel = kernel
    self.tilePixels = tilePixels
    shift = PlanePoint(x: Double(shiftX) / 256, y: Double(shiftY) / 256)
    columns = AxisTable(kernel: kernel, size: image.width, isPeriodic: placement.isPeriodic)
    rows = AxisTable(kernel: kernel, size: image.height, isPeriodic: false)
    light = LightRows(width: tilePixels)
  }

  /// Replaces the pixels of a tile; pixels outside the image become transparent.
  ///
  /// - Precondition: the picture is ``tilePixels`` wide and high, and the tile is valid.
  /// - Returns: the tight box of visible pixels, `nil` for a fully transparent tile.
  /// - Complexity: O(pixels + pixels of the image under the tile).
  @discardableResult
  package func paint(_ tile: TileCoord, into pixmap: Pixmap) -> PaintedBox? {
    precondition(pixmap.width == tilePixels && pixmap.height == tilePixels && tile.isValid)
    pixmap.clear()
    if isBlank(tile) { return nil }
    let pixels = pixmap.pixels
    guard placement.isSeparable else {
      return image.withReader(
        ObliqueWarp(
          image: image, placement: placement, kernel: kernel, grid: grid(tile), pixels: pixels))
    }
    image.warp(by: kernel, columns: columns, rows: rows, light: light, into: pixels)
    return PaintedBox(of: pixels, width: tilePixels, rows: rows.reached)
  }

  /// Whether the tile is known to be fully transparent, without drawing it.
  ///
  /// - Complexity: O(side of the tile) once per column and row of tiles.
  package func isBlank(_ tile: TileCoord) -> Bool {
    guard placement.isSeparable else {
      return !ObliqueWarp.reaches(placement, grid(tile))
    }
    prepareColumns(tile)
    if columns.reached.isEmpty { return true }
    prepareRows(tile)
    if rows.reached.isEmpty { return true }
    return image.occupancy.isBlank(x: columns.sources, y: rows.sources)
  }

  /// Returns which quadrants of a tile show a pixel, as far as can be told without drawing it;
  /// `nil` if it is fully transparent.
  ///
  /// - Parameter opacity: the opacity that will be applied to the tile, 0 … 1.
  /// - Complexity: O(side of the tile + sampled pixels), up to 1,088 of these.
  package func glance(at tile: TileCoord, opacity: Double = 1) -> QuadrantTest? {
    if isBlank(tile) { return nil }
    // Two steps: one may be lost to rounding. Fainter colours prove nothing.
    let least = (2 / max(opacity, 1 / 256)).rounded(.up)
    guard placement.isSeparable, least <= 255 else { return QuadrantTest(unknown: 15) }
    let glance = image.withReader(
      GlanceTask(
        image: image, kernel: kernel, columns: columns, rows: rows, side: tilePixels,
        leastAlpha: UInt32(least)))
    return glance.shown | glance.unknown == 0 ? nil : glance
  }

  private func grid(_ tile: TileCoord) -> PixelCorners {
    PixelCorners(tile: tile, tilePixels: tilePixels, shift: shift)
  }

  private func prepareColumns(_ tile: TileCoord) {
    if let columnsOf, columnsOf == (tile.z, tile.x) { return }
    columnsOf = (tile.z, tile.x)
    columns.fill(
      first: tile.x * tilePixels, count: tilePixels, total: tilePixels << tile.z, shift: shift.x,
      turns: placement.turns
    ) { placement.imageX(worldX: $0) }
  }

  private func prepareRows(_ tile: TileCoord) {
    if let rowsOf, rowsOf == (tile.z, tile.y) { return }
    if rowsOf?.zoom != tile.z || knownRows.count >= Self.knownRowsLimit { knownRows = [:] }
    rowsOf = (tile.z, tile.y)
    if let known = knownRows[tile.y] {
      rows = known
      return
    }
    rows = AxisTable(kernel: kernel, size: image.height, isPeriodic: false)
    rows.fill(
      first: tile.y * tilePixels, count: tilePixels, total: tilePixels << tile.z, shift: shift.y,
      turns: 0...0
    ) { placement.imageY(worldY: $0) }
    knownRows[tile.y] = rows
  }
}
