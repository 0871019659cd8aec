import Raster
import Styling

/// The colours of a pattern or gradient along a line.
struct LinePaintSampler {
  private enum Content {
    case gradient(LineGradient)
    /// - Parameter step: the pixels of the image per device pixel.
    case pattern(ImageSampler, width: Double, height: Double, step: Double, opacity: Float)
  }

  private let content: Content

  init(_ paint: LinePaint) {
    switch paint {
    case .gradient(let gradient): content = .gradient(gradient)
    case .pattern(let pattern, let width):
      content = .pattern(
        ImageSampler(pattern.image, columns: .repeated, rows: .repeated),
        width: Double(pattern.image.width), height: Double(pattern.image.height),
        step: Double(pattern.image.height) / max(width, 0.01), opacity: Float(pattern.opacity))
    }
  }

  /// Returns the bits of the premultiplied colour at a place of the line.
  func color(at place: LinePlace) -> UInt32 {
    switch content {
    case .gradient(let gradient):
      let progress = place.length > 0 ? min(max(place.along / place.length, 0), 1) : 0
      let position = progress * Double(LineGradient.steps)
      let index = min(Int(position), LineGradient.steps - 1)
      return ImageSampler.mixed(
        gradient.colors[index], gradient.colors[index + 1], Float(position - Double(index)))
    case .pattern(let sampler, let columns, let rows, let step, let opacity):
      // As in MapLibre, the image's upper edge lies on the right of the line's direction, and a border
      // of one pixel around the image is drawn as well.
      let part = (place.along * step / columns).truncatingRemainder(dividingBy: 1)
      let color = sampler.sample(
        part * (columns + 2) - 1, (place.across + 1) / 2 * (rows + 2) - 1
      ).color
      return ImageSampler.bits(color * opacity)
    }
  }
}
