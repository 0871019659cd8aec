import Overlays
import Raster
import Tiling

/// A test for the quadrants of a tile in which a raster layer shows a pixel; one per worker, with
/// its scratch memory.
struct RasterVisibility {
  private let warp: WarpPainter
  private let paint: RasterPaint

  /// The picture of a tile that a glance does not decide.
  private let picture: Pixmap

  init(_ layer: RasterLayer, of source: RasterSource, grid: PixelGrid) {
    paint = layer.paint
    picture = Pixmap(width: grid.tilePixels, height: grid.tilePixels)
    warp = WarpPainter(
      image: source.image, placement: source.placement, kernel: source.kernel ?? layer.kernel,
      tilePixels: grid.tilePixels, shiftX: grid.shiftX, shiftY: grid.shiftY)
  }

  /// Returns the quadrants of a tile that show a pixel of the image: bit 0 NW, 1 NE, 2 SW, 3 SE;
  /// `nil` if the tile shows nothing of it.
  ///
  /// The result is exact; the image is warped where a glance does not decide.
  func quadrants(of tile: TileCoord) -> UInt8? {
    guard let glance = warp.glance(at: tile, opacity: paint.opacity) else { return nil }
    if glance.unknown == 0 { return glance.shown == 0 ? nil : glance.shown }
    guard let box = warp.paint(tile, into: picture) else { return nil }
    // A faint colour may vanish when it is faded.
    if paint.opacity < 1 { paint.apply(to: picture, box: box) }
    let half = picture.width / 2
    var quadrants: UInt8 = 0
    for quadrant in 0..<4 {
      let columns = box.columns.clamped(
        to: quadrant & 1 == 0 ? 0..<half : half..<picture.width)
      let rows = box.rows.clamped(to: quadrant & 2 == 0 ? 0..<half : half..<picture.height)
      if shows(columns, rows) { quadrants |= UInt8(1 << quadrant) }
    }
    return quadrants == 0 ? nil : quadrants
  }

  private func shows(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
    rows.contains { y in
      let start = y * picture.width
      return columns.contains { picture.pixels[start + $0] != 0 }
    }
  }
}
