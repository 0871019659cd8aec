import Features
import Raster
import Tiling

/// A test for the quadrants of a tile in which a heatmap layer shows a pixel.
///
/// For most tiles there is no need to compute pixels: one point alone may be bright enough, or all
/// points together too faint. Densities are summed only if neither is the case.
struct HeatVisibility {
  /// The hash of everything that all tiles of the layer share.
  let layerHash: StableHash

  private let side: Int
  private let ramp: HeatmapRamp
  private let firstVisible: Int
  private let staysVisible: Bool
  private var canvas: HeatmapCanvas?

  /// Creates a test for the points of one layer.
  ///
  /// - Parameter points: the points of a layer whose ramp shows something.
  init(_ points: HeatPoints) {
    side = points.grid.tilePixels
    ramp = points.ramp
    firstVisible = points.ramp.firstVisible ?? HeatmapRamp.count
    staysVisible = points.ramp.staysVisible
    var hash = StableHash()
    hash.combine(points.layer)
    hash.combine(side)
    hash.combine(points.intensity)
    for color in ramp.colors { hash.combine(UInt64(color.bits)) }
    layerHash = hash
  }

  /// Returns the quadrants with a visible pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  ///
  /// - Parameter entries: the entries of the tile, as indexes into the scenes' columns.
  /// - Complexity: O(entries), or O(pixels that their kernels reach) where the entries alone do not
  ///   decide.
  mutating func quadrants(_ entries: Range<Int>, of tile: TileCoord, in scenes: HeatScenes) -> UInt8
  {
    if firstVisible == 0, staysVisible { return 15 }
    var visible: UInt8 = 0
    var brightest = SIMD4<Float>.zero
    for entry in entries {
      let row = Int(scenes.rows[entry])
      guard let kernel = scenes.points.kernel(row) else { continue }
      let (x, y) = scenes.place(row: row, copy: Int(scenes.copies[entry]), in: tile)
      for quadrant in 0..<4 where visible & UInt8(1 << quadrant) == 0 {
        let density = nearestDensity(of: kernel, x: x, y: y, quadrant: quadrant)
        if staysVisible, DensityScale.index(density) >= firstVisible {
          visible |= UInt8(1 << quadrant)
        }
        brightest[quadrant] = min(brightest[quadrant] + density, DensityScale.one)
      }
      if visible == 15 { return 15 }
    }
    let open = (0..<4).filter { quadrant in
      visible & UInt8(1 << quadrant) == 0
        && DensityScale.index(brightest[quadrant]) >= firstVisible
    }
    guard !open.isEmpty else { return visible }
    let canvas = summed(entries, of: tile, in: scenes)
    for quadrant in open {
      let (columns, rows) = box(of: quadrant)
      if canvas.shows(ramp, columns: columns, rows: rows) { visible |= UInt8(1 << quadrant) }
    }
    return visible
  }

  /// Returns the largest density that a point adds to a pixel of a quadrant: that of the nearest
  /// pixel.
  private func nearestDensity(of kernel: HeatmapKernel, x: Int, y: Int, quadrant: Int) -> Float {
    let (columns, rows) = box(of: quadrant)
    let column = min(max(x >> 4, columns.lowerBound), columns.upperBound - 1)
    let row = min(max(y >> 4, rows.lowerBound), rows.upperBound - 1)
    return kernel.density(dx: 16 * column + 8 - x, dy: 16 * row + 8 - y)
  }

  /// Returns the pixel ranges of a quadrant.
  private func box(of quadrant: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    let half = side / 2
    let left = (quadrant & 1) * half
    let top = (quadrant >> 1) * half
    return (left..<left + half, top..<top + half)
  }

  private mutating func summed(
    _ entries: Range<Int>, of tile: TileCoord, in scenes: HeatScenes
  ) -> HeatmapCanvas {
    let canvas = canvas ?? HeatmapCanvas(width: side, height: side)
    self.canvas = canvas
    canvas.clear()
    scenes.add(entries, of: tile, to: canvas)
    return canvas
  }
}
