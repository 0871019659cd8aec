import Overlays
import Raster
import Tiling

/// Draws the image of one raster layer into tiles; one per worker, with its scratch memory.
final class RasterPainter {
  /// What the painter's pixels depend on besides the tile and the paint.
  struct Key: Hashable {
    let source: StableHash
    let kernel: ResamplingKernel
    let side: Int
    let shiftX: Int
    let shiftY: Int
  }

  private let warp: WarpPainter
  private let picture: Pixmap

  /// - Parameter picture: of the tile's size; what it holds is lost.
  init(_ source: RasterSource, kernel: ResamplingKernel, grid: PixelGrid, picture: Pixmap) {
    self.picture = picture
    warp = WarpPainter(
      image: source.image, placement: source.placement, kernel: kernel,
      tilePixels: grid.tilePixels, shiftX: grid.shiftX, shiftY: grid.shiftY)
  }

  /// Lays what a tile shows of the image over its picture.
  ///
  /// - Complexity: O(pixels of the tile + pixels of the image under it).
  func draw(_ tile: TileCoord, paint: RasterPaint, onto pixmap: Pixmap) {
    guard let box = warp.paint(tile, into: picture) else { return }
    paint.apply(to: picture, box: box)
    for y in box.rows {
      let start = y * picture.width
      for index in start + box.columns.lowerBound..<start + box.columns.upperBound {
        let color = picture.pixels[index]
        if color != 0 { pixmap.pixels[index] = sourceOver(color, pixmap.pixels[index]) }
        if color >> 24 >= Pixmap.hidingAlpha, !pixmap.edges.isEmpty { pixmap.edges[index] = 0 }
      }
    }
  }

  /// The quadrants of a tile that show a pixel of the image: bit 0 NW, 1 NE, 2 SW, 3 SE; `nil` where
  /// the tile shows nothing of it.
  ///
  /// Whether something shows is exact; the tile is drawn where a glance does not tell.
  func quadrants(of tile: TileCoord, paint: RasterPaint) -> UInt8? {
    guard let glance = warp.glance(at: tile, opacity: paint.opacity) else { return nil }
    if glance.unknown == 0 { return glance.shown == 0 ? nil : glance.shown }
    guard let box = warp.paint(tile, into: picture) else { return nil }
    // A thin colour may vanish as it is faded.
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
