package import Columns
package import Raster
import Styling
package import Tiling

/// The points of one heatmap layer at one zoom, as columns that share one index.
package struct HeatPoints: Sendable {
  /// The layer's index in the style.
  package let layer: Int
  package let grid: PixelGrid

  /// The colours by density, including the layer's opacity.
  package let ramp: HeatmapRamp

  /// The factor of all weights.
  package let intensity: Double

  /// The distances eastward from the world's west edge, in 1/16 device px.
  package private(set) var xs: Column<Int>

  /// The distances southward from the world's north edge, in 1/16 device px.
  package private(set) var ys: Column<Int>

  /// The radii of the kernels, in device px; positive.
  package private(set) var radii: Column<Double>

  /// The properties with a value that was not finite.
  var unusable: Set<StyleProperty> = []

  /// The weights of the points; positive.
  package private(set) var weights: Column<Double>

  /// - Parameter scratch: decides where the columns lie; `nil` for memory.
  init(
    layer: Int, grid: PixelGrid, ramp: HeatmapRamp, intensity: Double, in scratch: Scratch? = nil
  ) {
    self.layer = layer
    self.grid = grid
    self.ramp = ramp
    self.intensity = intensity
    xs = Column(in: scratch)
    ys = Column(in: scratch)
    radii = Column(in: scratch)
    weights = Column(in: scratch)
  }

  package var count: Int { xs.count }

  package mutating func reserve(_ capacity: Int) {
    xs.reserveCapacity(capacity)
    ys.reserveCapacity(capacity)
    radii.reserveCapacity(capacity)
    weights.reserveCapacity(capacity)
  }

  /// Adds a point, unless it shows nothing.
  package mutating func append(x: Int, y: Int, radius: Double, weight: Double) {
    guard HeatmapKernel(radius: radius, weight: weight, intensity: intensity) != nil else { return }
    xs.append(x)
    ys.append(y)
    radii.append(radius)
    weights.append(weight)
  }

  /// Returns the kernel of a point.
  func kernel(_ row: Int) -> HeatmapKernel? {
    HeatmapKernel(radius: radii[row], weight: weights[row], intensity: intensity)
  }
}
