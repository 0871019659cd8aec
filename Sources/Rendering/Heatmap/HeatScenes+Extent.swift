import Raster
import Tiling

extension HeatScenes {
  /// A box that holds all visible pixels, in px from the world's north-west corner; `nil` where
  /// nothing shows. Columns may lie beyond the world where kernels reach over the antimeridian.
  ///
  /// It is the box of all kernels, cut to the tiles: some px wider than what the eye sees, since
  /// kernels fade below the first colour.
  ///
  /// - Complexity: O(points + tiles).
  package var visiblePixels: (columns: Range<Int>, rows: Range<Int>)? {
    guard var (left, right, top, bottom) = tileBox else { return nil }
    guard points.ramp.firstVisible != 0, let kernels = kernelBox else {
      return (left..<right, top..<bottom)
    }
    top = max(top, kernels.top)
    bottom = min(bottom, kernels.bottom)
    // Beyond the antimeridian tiles and kernels have different columns.
    if kernels.left < 0 || kernels.right > points.grid.worldPixels {
      (left, right) = (kernels.left, kernels.right)
    } else {
      left = max(left, kernels.left)
      right = min(right, kernels.right)
    }
    return left < right && top < bottom ? (left..<right, top..<bottom) : nil
  }

  /// The tiles' edges.
  private var tileBox: (left: Int, right: Int, top: Int, bottom: Int)? {
    guard count > 0 else { return nil }
    let side = points.grid.tilePixels
    var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
    for index in 0..<count {
      let tile = tile(index)
      (left, right) = (min(left, tile.x * side), max(right, (tile.x + 1) * side))
      (top, bottom) = (min(top, tile.y * side), max(bottom, (tile.y + 1) * side))
    }
    return (left, right, top, bottom)
  }

  /// The edges of all kernels.
  private var kernelBox: (left: Int, right: Int, top: Int, bottom: Int)? {
    var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
    for row in 0..<points.count {
      guard let kernel = points.kernel(row) else { continue }
      let columns = kernel.pixels(around: points.xs[row])
      let lines = kernel.pixels(around: points.ys[row])
      (left, right) = (min(left, columns.lowerBound), max(right, columns.upperBound))
      (top, bottom) = (min(top, lines.lowerBound), max(bottom, lines.upperBound))
    }
    return left < right ? (left, right, top, bottom) : nil
  }
}
