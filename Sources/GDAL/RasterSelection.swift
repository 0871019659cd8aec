/// The part of an image that is taken, and the grid that it is warped to, as a pipeline names them.
package struct RasterSelection: Hashable, Sendable {
  /// The bands, counted from 1: one, or red, green and blue; empty for those that the file names.
  package var bands: [Int] = []

  /// The subdataset, such as a variable of a NetCDF file; `nil` for the only one.
  package var layer: String?

  /// The coordinate reference system, instead of the one that the file names.
  package var system: String?

  /// The values that become black and white; `nil` for bytes as they are.
  package var scale: ClosedRange<Double>?

  /// Whether the pipeline colours the values of the only band with a ramp.
  package var hasRamp = false

  /// The value of missing pixels, or three for a colour; empty for the value in the file.
  package var missing: [Double] = []

  /// The kernel, by its name in GDAL.
  package var kernel = "bilinear"

  /// The seconds without a sign of life after which a program is ended.
  package var timeout = 300.0

  /// The zoom of 256-pixel tiles whose pixels are the finest that can be seen.
  package var finestZoom = 24

  package init() {}
}
