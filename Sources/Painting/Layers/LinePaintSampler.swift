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

  /// The width of the line, and the distances of its middle from the geometry and of the middles of
  /// the two lines of a casing from each other, in device pixels.
  private let width: Double
  private let offset: Double
  private let gap: Double

  init(_ paint: LinePaint, of stroke: StrokeStyle) {
    let stroke = stroke.bounded
    width = max(stroke.width, 1e-3)
    offset = stroke.offset
    gap = stroke.gapWidth > 0 ? stroke.gapWidth + stroke.width : 0
    switch paint {
    case .gradient(let gradient): content = .gradient(gradient)
    case .pattern(let pattern, let width):
      content = .pattern(
        ImageSampler(pattern.image, columns: .repeated, rows: .extended),
        width: Double(pattern.image.width), height: Double(pattern.image.height),
        step: Double(pattern.image.height) / max(width, 1), opacity: Float(pattern.opacity))
    }
  }

  /// Returns the bits of the premultiplied colour at a place of the line.
  func color(at place: LinePlaces.Place) -> UInt32 {
    switch content {
    case .gradient(let gradient):
      let progress = place.length > 0 ? min(max(place.along / place.length, 0), 1) : 0
      let position = progress * Double(LineGradient.steps)
      let index = min(Int(position), LineGradient.steps - 1)
      return ImageSampler.mixed(
        gradient.colors[index], gradient.colors[index + 1], Float(position - Double(index)))
    case .pattern(let sampler, let columns, let rows, let step, let opacity):
      var across = place.across - offset
      if gap > 0 { across -= across < 0 ? -gap / 2 : gap / 2 }
      // As in MapLibre, the image's upper edge lies on the right of the line's direction.
      let v = min(max(0.5 - across / width, 0), 1) * rows
      let u = (place.along * step).truncatingRemainder(dividingBy: columns)
      let samples = ImageSampler.samples(per: step)
      var sum = SIMD4<Float>.zero
      for row in 0..<samples {
        for column in 0..<samples {
          sum +=
            sampler.sample(
              u + ((Double(column) + 0.5) / Double(samples) - 0.5) * step,
              v + ((Double(row) + 0.5) / Double(samples) - 0.5) * rows / width
            ).color
        }
      }
      return ImageSampler.bits(sum / Float(samples * samples) * opacity)
    }
  }
}
