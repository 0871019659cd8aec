import Platform

/// The method by which pixels of a tile are computed from those of an image, named as in GDAL's
/// `-r`.
package enum ResamplingKernel: String, Hashable, Sendable, CaseIterable {
  /// The image's pixel under the centre of the tile's pixel.
  case nearest

  /// A tent of one pixel to each side; like `cubic` and `lanczos`, it widens where the image is
  /// reduced, so that every pixel of the image counts.
  case bilinear

  /// Catmull-Rom, two pixels to each side: Keys' cubic convolution with a = −0.5.
  case cubic

  /// Windowed sinc, three pixels to each side.
  case lanczos

  /// The mean of all pixels that the tile's pixel covers, weighted by area.
  case average

  /// The sample that covers most of the tile's pixel; among equals the first from the top left.
  /// Transparent counts as a colour, so areas keep their size.
  case mode

  /// The greatest non-transparent sample that the tile's pixel touches: the greatest value or
  /// palette index, among colours the brightest (luminance of the premultiplied colour). A pixel is
  /// taken whole, so no new colours arise.
  case max

  /// The smallest non-transparent sample that the tile's pixel touches.
  case min

  /// Creates the kernel for a `raster-resampling` of MapLibre, `linear` or `nearest`.
  package init?(rasterResampling name: String) {
    switch name {
    case "linear": self = .bilinear
    case "nearest": self = .nearest
    default: return nil
    }
  }

  /// Whether pixels are weighted and summed, and the image's border is antialiased; the other
  /// kernels choose one pixel, so no new colours arise.
  var isLinear: Bool {
    switch self {
    case .bilinear, .cubic, .lanczos, .average: true
    case .nearest, .mode, .max, .min: false
    }
  }

  /// Whether some weights are negative.
  var hasLobes: Bool { self == .cubic || self == .lanczos }

  /// The radius of the kernel in pixels of an image that is not reduced.
  var radius: Double {
    switch self {
    case .bilinear: 1
    case .cubic: 2
    case .lanczos: 3
    case .nearest, .average, .mode, .max, .min: 0.5
    }
  }

  /// Returns the weight at a distance from the centre, not normalized; 0 from ``radius`` on.
  func weight(_ distance: Double) -> Double {
    let x = abs(distance)
    guard x < radius else { return 0 }
    switch self {
    case .bilinear: return 1 - x
    case .cubic:
      // Keys, Cubic convolution interpolation for digital image processing, 1981, with a = −½.
      return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2
    case .lanczos:
      if x < 1e-9 { return 1 }
      let angle = Double.pi * x
      return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    case .nearest, .average, .mode, .max, .min: return 1
    }
  }
}
