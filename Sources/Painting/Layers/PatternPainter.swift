import Scenes
import Styling

/// A painter of patterns that repeat over the world; one per worker.
///
/// A repetition of whole device pixels is sampled once and kept.
struct PatternPainter {
  /// One repetition of a pattern in device pixels.
  private struct Repetition {
    let width: Int
    let height: Int
    let pixels: ContiguousArray<UInt32>
  }

  private struct Key: Hashable {
    let pattern: PatternLook
    /// The distance from the image's corner to the corner of the first pixel, in pixels of the
    /// image.
    let x: Double
    let y: Double
  }

  private var repetitions: [Key: Repetition] = [:]

  /// The maximum number of kept repetitions, and of the pixels of one.
  private static let limit = 256
  private static let pixelLimit = 1 << 20

  /// Calls the body with the colours of a tile's pixels.
  ///
  /// - Parameters:
  ///   - place: the place of the tile in the pattern.
  ///   - scale: device pixels per style pixel.
  mutating func withColors(
    of pattern: PatternLook, at place: PatternPlace, scale: Int,
    _ body: (_ color: (_ x: Int, _ y: Int) -> UInt32) -> Void
  ) {
    let image = pattern.image
    let step = pattern.step(scale: scale)
    let source = PatternSource(pattern, step: step)
    guard let width = Self.whole(Double(image.width) / step),
      let height = Self.whole(Double(image.height) / step), width * height <= Self.pixelLimit
    else {
      return body { x, y in
        source.color(u: place.x + Double(x) * step, v: place.y + Double(y) * step)
      }
    }
    let (columns, rows) = ((place.x / step).rounded(.down), (place.y / step).rounded(.down))
    let key = Key(
      pattern: pattern, x: place.x - columns * step, y: place.y - rows * step)
    let repetition = repetitions[key] ?? source.repetition(width, height, u: key.x, v: key.y)
    if repetitions[key] == nil {
      if repetitions.count >= Self.limit { repetitions.removeAll(keepingCapacity: true) }
      repetitions[key] = repetition
    }
    let (left, top) = (Int(columns), Int(rows))
    repetition.pixels.withUnsafeBufferPointer { pixels in
      body { x, y in
        pixels[(top &+ y) % height &* width &+ (left &+ x) % width]
      }
    }
  }

  /// Returns a length as a whole number; `nil` if it is not one.
  private static func whole(_ length: Double) -> Int? {
    guard length >= 1, length < 1e6, length == length.rounded() else { return nil }
    return Int(length)
  }

  /// The samples of a pattern.
  private struct PatternSource {
    private let sampler: ImageSampler
    private let opacity: Float
    private let step: Double
    private let samples: Int

    init(_ pattern: PatternLook, step: Double) {
      sampler = ImageSampler(pattern.image, columns: .repeated, rows: .repeated)
      opacity = Float(pattern.opacity)
      self.step = step
      samples = ImageSampler.samples(per: step)
    }

    /// Returns the colour of the device pixel whose corner is at a place of the image.
    func color(u: Double, v: Double) -> UInt32 {
      if step == 1, u == u.rounded(), v == v.rounded() {
        // In tiles, pixels of the image coincide with device pixels; a view may begin between two
        // of them.
        let color = sampler.color(Int(u), Int(v))
        return opacity < 1 ? ImageSampler.faded(color, opacity) : color
      }
      var sum = SIMD4<Float>.zero
      for row in 0..<samples {
        for column in 0..<samples {
          sum +=
            sampler.sample(
              u + (Double(column) + 0.5) / Double(samples) * step,
              v + (Double(row) + 0.5) / Double(samples) * step
            ).color
        }
      }
      return ImageSampler.bits(sum / Float(samples * samples) * opacity)
    }

    func repetition(_ width: Int, _ height: Int, u: Double, v: Double) -> Repetition {
      var pixels = ContiguousArray<UInt32>()
      pixels.reserveCapacity(width * height)
      for row in 0..<height {
        for column in 0..<width {
          pixels.append(color(u: u + Double(column) * step, v: v + Double(row) * step))
        }
      }
      return Repetition(width: width, height: height, pixels: pixels)
    }
  }
}
