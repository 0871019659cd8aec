import Styling

/// A sampler of an image's pixels between their centres, by bilinear interpolation.
struct ImageSampler {
  /// The continuation of an image beyond its edges.
  enum Edge {
    /// Nothing.
    case transparent
    /// The image again.
    case repeated
  }

  private let image: StyleImage
  private let columns: Edge
  private let rows: Edge

  init(_ image: StyleImage, columns: Edge, rows: Edge) {
    self.image = image
    self.columns = columns
    self.rows = rows
  }

  /// A colour, and whether it mixes colours that differ visibly.
  struct Sample {
    var color = SIMD4<Float>.zero
    var isMixed = false
  }

  /// The difference of a channel from which a mixture of two pixels is an edge.
  private static let contrast: Float = 32

  /// The maximum number of samples along each side of a pixel.
  private static let sampleLimit = 8

  /// Returns the number of samples along a side of a device pixel that covers a number of pixels of
  /// the image.
  static func samples(per step: Double) -> Int {
    step.isFinite ? Int(min(max(step - 0.01, 1).rounded(.up), Double(sampleLimit))) : 1
  }

  /// Returns the colour at a place, in pixels from the image's corner, as premultiplied channels of
  /// 0 … 255.
  func sample(_ u: Double, _ v: Double) -> Sample {
    let (x, y) = ((u - 0.5).rounded(.down), (v - 0.5).rounded(.down))
    guard abs(x) < 1e9, abs(y) < 1e9 else { return Sample() }
    let (column, row) = (Int(x), Int(y))
    let (a, b) = (color(column, row), color(column + 1, row))
    let (c, d) = (color(column, row + 1), color(column + 1, row + 1))
    if a == b, a == c, a == d { return Sample(color: Self.channels(a), isMixed: false) }
    let (right, below) = (Float(u - 0.5 - x), Float(v - 0.5 - y))
    let (p, q, r, s) = (
      Self.channels(a), Self.channels(b), Self.channels(c), Self.channels(d)
    )
    let most = pointwiseMax(pointwiseMax(p, q), pointwiseMax(r, s))
    let least = pointwiseMin(pointwiseMin(p, q), pointwiseMin(r, s))
    let upper = p + (q - p) * right
    let lower = r + (s - r) * right
    return Sample(
      color: upper + (lower - upper) * below,
      isMixed: (most - least).max() > Self.contrast)
  }

  /// Returns whether a pixel is a mixture of two opposite neighbours that differ visibly, as on the
  /// antialiased edge of a shape that the image shows.
  func isMixture(_ column: Int, _ row: Int) -> Bool {
    let own = Self.channels(color(column, row))
    return Self.halfTurn.contains { dx, dy in
      let first = Self.channels(color(column - dx, row - dy))
      let second = Self.channels(color(column + dx, row + dy))
      let least = pointwiseMin(first, second)
      let most = pointwiseMax(first, second)
      return (most - least).max() > Self.contrast
        && all(own .>= least) && all(own .<= most) && own != first && own != second
    }
  }

  /// The directions to one of each pair of opposite neighbours.
  private static let halfTurn = [(1, 0), (1, 1), (0, 1), (-1, 1)]

  /// Returns the colour of the pixel that contains a place.
  func nearest(_ u: Double, _ v: Double) -> Sample {
    guard abs(u) < 1e9, abs(v) < 1e9 else { return Sample() }
    return Sample(
      color: Self.channels(color(Int(u.rounded(.down)), Int(v.rounded(.down)))), isMixed: false)
  }

  /// Returns the pixel at a position; the bits of a premultiplied colour.
  func color(_ column: Int, _ row: Int) -> UInt32 {
    guard let x = Self.place(column, image.width, columns),
      let y = Self.place(row, image.height, rows)
    else { return 0 }
    return image.pixels[y * image.width + x]
  }

  private static func place(_ position: Int, _ length: Int, _ edge: Edge) -> Int? {
    if position >= 0, position < length { return position }
    switch edge {
    case .transparent: return nil
    case .repeated:
      let rest = position % length
      return rest < 0 ? rest + length : rest
    }
  }

  private static func channels(_ bits: UInt32) -> SIMD4<Float> {
    SIMD4(
      Float(bits & 0xFF), Float(bits >> 8 & 0xFF), Float(bits >> 16 & 0xFF), Float(bits >> 24))
  }

  /// Returns a colour times an opacity.
  static func faded(_ bits: UInt32, _ opacity: Float) -> UInt32 {
    Self.bits(channels(bits) * opacity)
  }

  /// Returns the mixture of two colours, a share of the second.
  static func mixed(_ first: UInt32, _ second: UInt32, _ share: Float) -> UInt32 {
    if first == second { return first }
    let color = channels(first)
    return bits(color + (channels(second) - color) * share)
  }

  /// Returns the bits of channels, rounded; no channel exceeds alpha.
  static func bits(_ color: SIMD4<Float>) -> UInt32 {
    func byte(_ value: Float) -> UInt32 { UInt32(min(max(value, 0), 255).rounded()) }
    let alpha = byte(color.w)
    return min(byte(color.x), alpha) | min(byte(color.y), alpha) << 8
      | min(byte(color.z), alpha) << 16 | alpha << 24
  }
}
