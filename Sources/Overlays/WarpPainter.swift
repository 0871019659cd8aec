package import Raster
package import Tiling

/// A painter of one placed image into tiles; one per worker, which reuses its memory from tile to
/// tile.
///
/// A tile's pixels depend only on image, placement, kernel and tile: the tiles of a zoom, put
/// together, are one large warped image, pixel for pixel.
package final class WarpPainter {
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

  /// Returns a preview of a tile without drawing it; `nil` if it is fully transparent.
  ///
  /// - Parameter opacity: the opacity that will be applied to the tile, 0 … 1.
  /// - Complexity: O(side of the tile + sampled pixels), up to 1,088 of these.
  package func glance(at tile: TileCoord, opacity: Double = 1) -> TileGlance? {
    if isBlank(tile) { return nil }
    // Two steps: one may be lost to rounding. Fainter colours prove nothing.
    let least = (2 / max(opacity, 1 / 256)).rounded(.up)
    guard placement.isSeparable, least <= 255 else { return TileGlance(unknown: 15) }
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

/// A task that fills a tile with a choosing kernel, where columns and rows of the image are
/// parallel to those of the map.
struct SeparableChoice: TexelTask {
  let image: OverlayImage
  let kernel: ResamplingKernel
  let columns: AxisTable
  let rows: AxisTable
  let width: Int
  let pixels: UnsafeMutableBufferPointer<UInt32>

  func run(_ reader: some TexelReader) {
    var chooser = SampleChooser(kernel: kernel)
    for y in rows.reached {
      let row = rows.taps[y]
      let down = Int(row.first)..<Int(row.first) + Int(row.count)
      if image.occupancy.isBlank(x: columns.sources, y: down) { continue }
      defer { reader.didRead(columns.sources.count * Int(row.count)) }
      let target = UnsafeMutableBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
      if kernel == .nearest {
        copyNearest(reader, sourceRow: Int(row.first), into: target)
        continue
      }
      for x in columns.reached {
        target[x] = choose(reader, &chooser, column: columns.taps[x], row: row)
      }
    }
  }

  private func copyNearest(
    _ reader: some TexelReader, sourceRow: Int, into target: UnsafeMutableBufferPointer<UInt32>
  ) {
    let start = sourceRow &* image.width
    columns.taps.withUnsafeBufferPointer { taps in
      for x in columns.reached where taps[x].count > 0 {
        target[x] = reader.color(of: reader.sample(start &+ Int(taps[x].first)))
      }
    }
  }

  /// - Complexity: O(pixels of the image under the pixel of the tile).
  private func choose<Reader: TexelReader>(
    _ reader: Reader, _ chooser: inout SampleChooser, column: AxisTaps, row: AxisTaps
  ) -> UInt32 {
    guard column.count > 0, row.count > 0 else { return 0 }
    // Most pixels of an enlarged image lie within a single one of its own.
    if column.count == 1, row.count == 1, column.outside == 0, row.outside == 0 {
      let index = Int(row.first) &* image.width &+ Int(column.first)
      return reader.color(of: reader.sample(index))
    }
    chooser.begin()
    var (across, down) = (Double(column.outside), Double(row.outside))
    for step in 0..<Int(row.count) {
      let height = Double(rows.weights[Int(row.offset) + step])
      let start = (Int(row.first) + step) * image.width
      down += height
      var index = Int(column.first)
      for stepAcross in 0..<Int(column.count) {
        if index >= image.width { index -= image.width }
        let vote = Double(columns.weights[Int(column.offset) + stepAcross]) * height
        chooser.add(reader.sample(start + index), vote: vote, reader)
        index += 1
      }
    }
    var inside = 0.0
    for step in 0..<Int(column.count) {
      inside += Double(columns.weights[Int(column.offset) + step])
    }
    across += inside
    let outside = across * down - inside * (down - Double(row.outside))
    return chooser.color(reader, outside: outside)
  }
}
