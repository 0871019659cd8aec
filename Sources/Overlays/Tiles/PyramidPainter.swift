package import Features
package import Raster
package import Tiling

/// A painter of a pyramid of tiles into the tiles of a map; one per worker.
///
/// A pixel depends only on its place in the world, the zoom, the kernel and the pyramid's tiles
/// around it, so no seam shows where tiles meet, neither the map's nor the pyramid's.
package final class PyramidPainter: RasterWarp {
  private let pyramid: TilePyramid
  private let kernel: ResamplingKernel

  /// Side of a tile of the map in pixels.
  package let tilePixels: Int

  /// The zoom of the pyramid's tiles; `nil` if nothing is drawn.
  private let zoom: Int?

  /// The shift of the world eastward and southward, in pixels.
  private let shift: PlanePoint
  private let smaller: ShrunkWorld?
  private let light: LightRows

  /// The last table of columns, and the tables of rows of the current zoom.
  private var columns: (key: TableKey, table: AxisTable)?
  private var rows: [TableKey: AxisTable] = [:]

  /// The patch of the last tile, since a tile is asked for several times.
  private var last: (tile: TileCoord, patch: PyramidPatch?)?

  private struct TableKey: Hashable {
    let zoom: Int
    let index: Int
    let side: Int
  }

  /// Maximum number of kept tables of rows, about 8 kB each.
  private static let rowsLimit = 512

  /// Maximum number of pixels of a patch; larger tiles are reduced before they are assembled.
  private static let patchLimit = 1 << 22

  /// - Parameters:
  ///   - worldSide: the width of the world in style pixels, which decides the zoom of the tiles.
  ///   - shiftX: the shift of the world eastward, in 1/256 pixel, 0 ..< 256.
  ///   - shiftY: the shift southward, likewise.
  ///   - scaling: the world of a view at a fractional zoom; `nil` otherwise.
  package init(
    _ pyramid: TilePyramid, kernel: ResamplingKernel, tilePixels: Int, worldSide: Double,
    shiftX: Int = 0, shiftY: Int = 0, scaling: WorldScaling? = nil
  ) {
    self.pyramid = pyramid
    self.kernel = kernel
    self.tilePixels = tilePixels
    zoom = pyramid.sourceZoom(worldSide: worldSide)
    shift = PlanePoint(x: Double(shiftX) / 256, y: Double(shiftY) / 256)
    smaller = scaling.map { ShrunkWorld($0) }
    light = LightRows(width: tilePixels)
  }

  @discardableResult
  package func paint(_ tile: TileCoord, into pixmap: Pixmap) -> PaintedBox? {
    precondition(pixmap.width == tilePixels && pixmap.height == tilePixels && tile.isValid)
    pixmap.clear()
    guard let patch = patch(under: tile), !patch.isBlank else { return nil }
    patch.picture(of: pyramid, by: kernel).warp(
      by: kernel, columns: patch.columns, rows: patch.rows, light: light, into: pixmap.pixels)
    return PaintedBox(of: pixmap.pixels, width: tilePixels, rows: patch.rows.reached)
  }

  package func glance(at tile: TileCoord, opacity: Double) -> QuadrantTest? {
    guard let patch = patch(under: tile), !patch.isBlank else { return nil }
    let isShown =
      patch.isOpaque && opacity >= 1.0 / 64 && patch.columns.reached == 0..<tilePixels
      && patch.rows.reached == 0..<tilePixels
    return isShown ? QuadrantTest(shown: 15) : QuadrantTest(unknown: 15)
  }

  package func contentHash(of tile: TileCoord) -> StableHash? { patch(under: tile)?.hash }

  // MARK: Patches

  /// Returns the part of the pyramid under a tile; `nil` if there is none.
  private func patch(under tile: TileCoord) -> PyramidPatch? {
    if let last, last.tile == tile { return last.patch }
    let patch = newPatch(under: tile)
    last = (tile, patch)
    return patch
  }

  private func newPatch(under tile: TileCoord) -> PyramidPatch? {
    guard let zoom else { return nil }
    let (across, down) = (
      cells(tile.x, tile.z, corner(tile.z).x, zoom),
      cells(tile.y, tile.z, corner(tile.z).y, zoom).clamped(to: 0..<1 << zoom)
    )
    guard !across.isEmpty, !down.isEmpty, let side = side(zoom, across, down) else { return nil }
    let world = side << zoom
    let span =
      Double(world) / (Double(tilePixels << tile.z) * factor)
    let margin = Int((kernel.radius * max(span, 1)).rounded(.up)) + 2
    return PyramidPatch(
      zoom: zoom, side: side, core: (across, down), margin: margin,
      columns: columns(
        of: tile, side,
        AxisTable(
          kernel: kernel, size: world, isEndless: true, origin: across.lowerBound * side - margin)),
      rows: rows(
        of: tile, side,
        AxisTable(
          kernel: kernel, size: world, isEndless: false, origin: down.lowerBound * side - margin)),
      pyramid)
  }

  /// Returns the position of the world's corner in pixels. As in MapLibre it is a whole pixel, so
  /// that tiles keep their pixels even in views that begin between two.
  private func corner(_ level: Int) -> PlanePoint {
    let total = Double(tilePixels << level)
    return PlanePoint(
      x: ((smaller?.originX ?? 0) * total + shift.x).rounded(),
      y: ((smaller?.originY ?? 0) * total + shift.y).rounded())
  }

  /// The width of the world as a fraction of the width of the square of the map's tiles.
  private var factor: Double { smaller?.factor ?? 1 }

  /// Returns the columns or rows of the pyramid's tiles under a column or row of the map's.
  private func cells(
    _ index: Int, _ level: Int, _ corner: Double, _ zoom: Int
  ) -> Range<Int> {
    let total = Double(tilePixels << level) * factor
    func place(_ pixel: Int) -> Double { (Double(pixel) - corner) / total * Double(1 << zoom) }
    // An overlap of a thousandth of a pixel is a rounding error.
    let rounding = 1e-3 * Double(1 << zoom) / total
    let first = Int((place(index * tilePixels) + rounding).rounded(.down))
    let end = Int((place((index + 1) * tilePixels) - rounding).rounded(.up))
    return first..<max(end, first + 1)
  }

  /// Returns the side in pixels to which tiles are fitted: the longest side of their pictures;
  /// `nil` if there are no tiles.
  private func side(_ zoom: Int, _ across: Range<Int>, _ down: Range<Int>) -> Int? {
    let world = 1 << zoom
    var side = 0
    for row in down {
      for column in across {
        let tile = TileCoord(z: zoom, x: ((column % world) + world) % world, y: row)
        side = max(side, pyramid.shown(tile)?.facts.side ?? 0)
      }
    }
    while side > 1, across.count * down.count * side * side > Self.patchLimit { side /= 2 }
    return side == 0 ? nil : side
  }

  private func columns(of tile: TileCoord, _ side: Int, _ table: AxisTable) -> AxisTable {
    let key = TableKey(zoom: tile.z, index: tile.x, side: side)
    if let columns, columns.key == key { return columns.table }
    var table = table
    table.fill(
      first: tile.x * tilePixels, count: tilePixels, total: tilePixels << tile.z,
      shift: corner(tile.z).x, turns: 0...0
    ) { $0 / factor }
    columns = (key, table)
    return table
  }

  private func rows(of tile: TileCoord, _ side: Int, _ table: AxisTable) -> AxisTable {
    let key = TableKey(zoom: tile.z, index: tile.y, side: side)
    if let known = rows[key] { return known }
    if rows.count >= Self.rowsLimit { rows = [:] }
    var table = table
    table.fill(
      first: tile.y * tilePixels, count: tilePixels, total: tilePixels << tile.z,
      shift: corner(tile.z).y, turns: 0...0
    ) { $0 / factor }
    rows[key] = table
    return table
  }
}
