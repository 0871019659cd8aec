package import Features
import Raster

/// An image that is repeated over an area or along a line.
package struct PatternLook: Hashable, Sendable {
  package var image: StyleImage

  /// The factor of the image's own alpha, 0 … 1.
  package var opacity: Double

  /// The factor by which the image is drawn larger; see ``StyleZoom/magnification``.
  package var magnification: Double

  package init(image: StyleImage, opacity: Double, magnification: Double = 1) {
    self.image = image
    self.opacity = min(max(opacity, 0), 1)
    self.magnification = magnification
  }

  /// Returns the number of pixels of the image per device pixel.
  ///
  /// - Parameter scale: device pixels per style pixel.
  package func step(scale: Int) -> Double {
    image.geometry.pixelRatio / (Double(scale) * magnification)
  }
}

/// The colours along a line, from its start to its end.
package struct LineGradient: Hashable, Sendable {
  /// The number of steps between the colours.
  package static let steps = 256

  /// The premultiplied colours: ``steps`` + 1.
  package let colors: [UInt32]

  package let opacity: Double

  init(_ colors: [Color], opacity: Double) {
    self.opacity = min(max(opacity, 0), 1)
    self.colors = colors.map { PremultipliedColor($0.faded(min(max(opacity, 0), 1))).bits }
  }
}

/// The paint of a line that has more than one colour.
package enum LinePaint: Hashable, Sendable {
  /// An image as high as the line is wide.
  ///
  /// - Parameter width: the width in device pixels at which the image has its own proportions.
  case pattern(PatternLook, width: Double)
  case gradient(LineGradient)

  var opacity: Double {
    switch self {
    case .pattern(let pattern, _): pattern.opacity
    case .gradient(let gradient): gradient.opacity
    }
  }
}

extension StableHash {
  /// Mixes in all that decides a pattern's pixels, apart from its place.
  package mutating func combine(_ pattern: PatternLook) {
    combine(6)
    combine(pattern.image.hash)
    combine(pattern.opacity)
    combine(pattern.magnification)
  }

  mutating func combine(_ gradient: LineGradient) {
    combine(7)
    for color in gradient.colors { combine(UInt64(color)) }
  }
}
