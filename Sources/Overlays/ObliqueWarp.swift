import Raster

/// A task that fills a tile where the image is rotated, sheared or in perspective: pixel by pixel,
/// through the exact inverse map of each pixel's centre and corners.
///
/// - Complexity: O(pixels · 4 + 4 times the image's pixels under the tile).
struct ObliqueWarp: TexelTask {
  let image: OverlayImage
  let placement: ImagePlacement
  let kernel: ResamplingKernel
  let grid: PixelCorners
  let pixels: UnsafeMutableBufferPointer<UInt32>

  /// Whether the box of an image reaches a tile, directly or after a turn around the world.
  static func reaches(_ placement: ImagePlacement, _ grid: PixelCorners) -> Bool {
    let extent = placement.extent
    if grid.rows(north: extent.north, south: extent.south).isEmpty { return false }
    return placement.turns.contains { turn in
      !grid.columns(west: extent.west - Double(turn), east: extent.east - Double(turn)).isEmpty
    }
  }

  func run(_ reader: some TexelReader) -> PaintedBox? {
    let extent = placement.extent
    let rows = grid.rows(north: extent.north, south: extent.south)
    for turn in placement.turns {
      let away = Double(turn)
      let columns = grid.columns(west: extent.west - away, east: extent.east - away)
      if !columns.isEmpty { fill(reader, columns: columns, rows: rows, turn: away) }
    }
    return PaintedBox(of: pixels, width: grid.side, rows: rows)
  }

  /// Adds one copy of the image; two copies overlap only in pixels that both cover in part.
  private func fill(
    _ reader: some TexelReader, columns: Range<Int>, rows: Range<Int>, turn: Double
  ) {
    let sampler = ObliqueSampler(image: image, kernel: kernel)
    var upper = corners(columns, row: rows.lowerBound, turn: turn)
    for y in rows {
      let lower = corners(columns, row: y + 1, turn: turn)
      for x in columns {
        let index = x - columns.lowerBound
        guard let topLeft = upper[index], let topRight = upper[index + 1],
          let bottomLeft = lower[index], let bottomRight = lower[index + 1],
          let centre = imagePixel(Double(x) + 0.5, Double(y) + 0.5, turn: turn)
        else { continue }
        let quad = PixelQuad(
          topLeft: topLeft, topRight: topRight, bottomRight: bottomRight, bottomLeft: bottomLeft)
        let color = sampler.color(reader, centre: centre, quad: quad)
        guard color != 0 else { continue }
        let pixel = y * grid.side + x
        pixels[pixel] = pixels[pixel] == 0 ? color : Channels.sum(pixels[pixel], color)
      }
      upper = lower
    }
  }

  /// Returns the positions in the image of the upper corners of a row of pixels, including the
  /// right end.
  private func corners(_ columns: Range<Int>, row: Int, turn: Double) -> [PlanePoint?] {
    (columns.lowerBound...columns.upperBound).map {
      imagePixel(Double($0), Double(row), turn: turn)
    }
  }

  /// Returns a position of the tile in pixels of the image.
  @inline(__always)
  private func imagePixel(_ column: Double, _ row: Double, turn: Double) -> PlanePoint? {
    guard
      let point = placement.imagePoint(
        worldX: grid.worldX(column) + turn, worldY: grid.worldY(row))
    else { return nil }
    return PlanePoint(x: point.x * Double(image.width), y: point.y * Double(image.height))
  }
}
