package import Features
import Raster

/// An image that is repeated over an area or along a line.
package struct PatternLook: Hashable, Sendable {
  package var image: StyleImage

  /// The factor of the image's own alpha, 0 … 1.
  package var opacity: Double

  package init(image: StyleImage, opacity: Double) {
    self.image = image
    self.opacity = min(max(opacity, 0), 1)
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
  case pattern(PatternLook)
  case gradient(LineGradient)

  var opacity: Double {
    switch self {
    case .pattern(let pattern): pattern.opacity
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
  }

  mutating func combine(_ gradient: LineGradient) {
    combine(7)
    for color in gradient.colors { combine(UInt64(color)) }
  }
}
