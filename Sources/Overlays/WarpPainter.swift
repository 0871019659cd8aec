package import Raster
package import Tiling

/// Draws one placed image into tiles; one per worker, who reuses its memory from tile to tile.
///
/// A tile's pixels are a function of image, placement, kernel and tile alone: the tiles of a zoom,
/// put together, are one great warp, pixel for pixel.
package final class WarpPainter {
  package let image: OverlayImage
  package let placement: ImagePlacement
  package let kernel: ResamplingKernel

  /// Pixels of a tile's side.
  package let tilePixels: Int

  /// How far the world is moved eastward and southward, in pixels: so that the corner of a view falls
  /// on a whole one. Tiles of an archive are never moved.
  private let shift: PlanePoint

  private var columns: AxisTable
  private var rows: AxisTable
  private let light: LightRows

  /// The zoom and column, and the zoom and row, that the tables are of.
  private var columnsOf: (zoom: Int, index: Int)?
  private var rowsOf: (zoom: Int, index: Int)?

  /// Tables of rows of the zoom at hand: tiles come column by column, each over the same rows.
  private var knownRows: [Int: AxisTable] = [:]

  /// Tables that are kept, of some 8 kB each.
  private static let knownRowsLimit = 512

  /// - Parameters:
  ///   - shiftX: how far the world is moved eastward, in 1/256 px, 0 ..< 256.
  ///   - shiftY: the same southward.
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

  /// Replaces the pixels of a tile; what the image does not reach becomes transparent.
  ///
  /// - Precondition: the picture is ``tilePixels`` wide and high, and the tile is valid.
  /// - Returns: the tight box of what shows, `nil` for a tile that is wholly transparent.
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
    if kernel.isLinear {
      image.withReader(
        SeparableSum(
          image: image, columns: columns, rows: rows, hasLobes: kernel.hasLobes, light: light,
          pixels: pixels))
    } else {
      image.withReader(
        SeparableChoice(
          image: image, kernel: kernel, columns: columns, rows: rows, width: tilePixels,
          pixels: pixels))
    }
    return PaintedBox(of: pixels, width: tilePixels, rows: rows.reached)
  }

  /// Whether the tile is known to be wholly transparent, without drawing it.
  ///
  /// - Complexity: O(side of the tile) once for a column and a row of tiles.
  package func isBlank(_ tile: TileCoord) -> Bool {
    guard placement.isSeparable else {
      return !ObliqueWarp.reaches(placement.extent, grid(tile))
    }
    prepareColumns(tile)
    if columns.reached.isEmpty { return true }
    prepareRows(tile)
    if rows.reached.isEmpty { return true }
    return image.occupancy.isBlank(x: columns.sources, y: rows.sources)
  }

  /// What is known of a tile without drawing it; `nil` where it is wholly transparent.
  ///
  /// - Parameter opacity: what the tile will be faded by, 0 … 1.
  /// - Complexity: O(side of the tile + pixels that are looked at), up to 1,088 of them.
  package func glance(at tile: TileCoord, opacity: Double = 1) -> TileGlance? {
    if isBlank(tile) { return nil }
    // Two steps: one may be lost by rounding. Thinner colours prove nothing.
    let least = (2 / max(opacity, 1 / 256)).rounded(.up)
    guard placement.isSeparable, least <= 255 else { return TileGlance(unknown: 15) }
    let glance = image.withReader(
      GlanceTask(
        image: image, kernel: kernel, columns: columns, rows: rows, side: tilePixels,
        leastAlpha: UInt32(least)))
    return glance.shown | glance.unknown == 0 ? nil : glance
  }

  private func grid(_ tile: TileCoord) -> PixelGrid {
    PixelGrid(tile: tile, tilePixels: tilePixels, shift: shift)
  }

  private func prepareColumns(_ tile: TileCoord) {
    if let columnsOf, columnsOf == (tile.z, tile.x) { return }
    columnsOf = (tile.z, tile.x)
    columns.fill(
      first: tile.x * tilePixels, count: tilePixels, total: tilePixels << tile.z, shift: shift.x,
      turns: 0...1
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
