@testable import Raster

extension HeatmapCanvas {
  /// Returns the distance at which a point is visible along each axis, in pixels; 0 if it is not
  /// visible at all.
  static func reach(radius: Double, weight: Double, intensity: Double) -> Double {
    let kernel = HeatmapKernel(radius: radius, weight: weight, intensity: intensity)
    return Double(kernel?.reach ?? 0) / 16
  }

  /// Adds a point.
  ///
  /// - Parameters:
  ///   - x: the position from the picture's west edge, in 1/16 px; may lie outside.
  ///   - y: the position from its north edge, in 1/16 px.
  ///   - radius: the radius in pixels; nothing is added if it is not positive.
  ///   - weight: the weight; nothing is added if it is not positive.
  ///   - intensity: the layer's factor for all weights.
  /// - Complexity: O(pixels that the kernel reaches and that are not full yet).
  func add(x: Int, y: Int, radius: Double, weight: Double = 1, intensity: Double = 1) {
    guard let kernel = HeatmapKernel(radius: radius, weight: weight, intensity: intensity)
    else { return }
    add(kernel, x: x, y: y)
  }
}
