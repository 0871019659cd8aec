import Platform
import Raster
import Styling

/// A painter of icons: images and signed distance fields, scaled, stretched and turned.
///
/// As in MapLibre, an image that is neither scaled nor turned keeps its pixels: it stands on the
/// nearest whole pixel. An image that is fitted to a text repeats or omits some of its pixels.
/// Every other image, and every image of a layer with data-driven scale or rotation, is
/// interpolated at the centre of each pixel of the picture.
struct IconPainter {
  private let icon: IconLook

  /// Device pixels per style pixel.
  private let scale: Double

  /// The place of the anchor, in device pixels from the corner of the pixel (0, 0).
  private let x: Double
  private let y: Double

  /// The size of the letters beside an inline icon, as a multiple of MapLibre's 24 units; `nil`
  /// for an icon that is not in a text.
  private let textScale: Double?

  init(_ icon: IconLook, scale: Double, x: Double, y: Double, textScale: Double? = nil) {
    self.icon = icon
    self.scale = scale
    self.x = x
    self.y = y
    self.textScale = textScale
  }

  /// Returns the pixels of the icon within a window.
  func sprite(within window: PixelBox) -> SymbolSprite {
    if icon.isPlain(scale: scale) { return plainSprite(within: window) }
    let bounds = icon.drawnBounds.scaled(by: scale)
    let box = PixelBox(
      ShapedText.Box(
        minX: Self.near(bounds.minX + x), minY: Self.near(bounds.minY + y),
        maxX: Self.near(bounds.maxX + x), maxY: Self.near(bounds.maxY + y))
    ).clipped(to: window)
    var canvas = IconCanvas(box)
    guard !box.isEmpty else { return canvas.sprite }
    let grid = TexelGrid(icon, scale: scale)
    let size = textScale ?? (icon.right - icon.left) / icon.image.displayWidth
    let field = icon.image.geometry.isSDF ? DistanceField(icon, size: size, scale: scale) : nil
    let sampler = ImageSampler(icon.image, columns: .transparent, rows: .transparent)
    for row in box.top..<box.bottom {
      for column in box.left..<box.right {
        let sample = grid.sample(
          sampler, x: Double(column) + 0.5 - x, y: Double(row) + 0.5 - y)
        guard sample.color.w > 0 else { continue }
        if let field {
          canvas.set(column, row, field.color(at: sample.color.w), isEdge: field.isEdge)
        } else {
          canvas.set(
            column, row, ImageSampler.bits(sample.color * Float(icon.opacity)),
            isEdge: sample.isMixed)
        }
      }
    }
    return canvas.sprite
  }

  private func plainSprite(within window: PixelBox) -> SymbolSprite {
    let image = icon.image
    // The first pixel whose centre lies within the image.
    let left = Int((Self.near(icon.left * scale + x) - 0.5).rounded(.up))
    let top = Int((Self.near(icon.top * scale + y) - 0.5).rounded(.up))
    let box = PixelBox(
      left: left, top: top, right: left + image.width, bottom: top + image.height
    ).clipped(to: window)
    var canvas = IconCanvas(box)
    let opacity = Float(icon.opacity)
    let sampler = ImageSampler(image, columns: .transparent, rows: .transparent)
    for row in box.top..<max(box.bottom, box.top) {
      for column in box.left..<max(box.right, box.left) {
        var color = sampler.color(column - left, row - top)
        let isEdge = sampler.isMixture(column - left, row - top)
        if opacity < 1 { color = ImageSampler.faded(color, opacity) }
        canvas.set(column, row, color, isEdge: isEdge)
      }
    }
    return canvas.sprite
  }

  /// Returns a coordinate within the range of masks and their surroundings.
  private static func near(_ value: Double) -> Double {
    value.isFinite ? min(max(value, -1e6), 1e6) : 0
  }
}

/// The pixels of an icon that is being drawn.
private struct IconCanvas {
  private let box: PixelBox
  private var pixels: ContiguousArray<UInt32>
  private var edges: ContiguousArray<UInt8>

  init(_ box: PixelBox) {
    self.box = box.isEmpty ? .empty : box
    pixels = ContiguousArray(repeating: 0, count: self.box.width * self.box.height)
    edges = ContiguousArray(repeating: 0, count: pixels.count)
  }

  mutating func set(_ column: Int, _ row: Int, _ color: UInt32, isEdge: Bool) {
    let index = (row - box.top) * box.width + column - box.left
    pixels[index] = color
    edges[index] = isEdge && color >> 24 > 0 ? 1 : 0
  }

  var sprite: SymbolSprite {
    SymbolSprite(
      originX: box.left, originY: box.top, width: box.width, height: box.height, pixels: pixels,
      edges: edges)
  }
}

/// The mapping from device pixels around an icon's anchor to the pixels of its image.
private struct TexelGrid {
  private let columns: TexelAxis
  private let rows: TexelAxis
  private let cosine: Double
  private let sine: Double

  /// The number of samples along each side of a device pixel: one, as in MapLibre, which
  /// interpolates between pixels of the image; more if one would skip pixels.
  private let samples: Int
  private let scale: Double

  /// Whether pixels of the image are taken unmixed.
  private let isNearest: Bool

  init(_ icon: IconLook, scale: Double) {
    self.scale = scale
    columns = TexelAxis(icon.columns)
    rows = TexelAxis(icon.rows)
    let angle = icon.rotate * .pi / 180
    (cosine, sine) = icon.rotate == 0 ? (1, 0) : (cos(angle), sin(angle))
    isNearest = icon.keepsPixels(scale: scale)
    samples =
      isNearest
      ? 1 : ImageSampler.samples(per: max(columns.greatestStep, rows.greatestStep) / scale / 2)
  }

  /// Returns the mean colour of a pixel.
  ///
  /// - Parameters:
  ///   - x: the distance of the pixel's centre from the anchor, in device pixels eastward.
  ///   - y: the same southward.
  func sample(_ sampler: ImageSampler, x: Double, y: Double) -> ImageSampler.Sample {
    guard samples > 1 else { return sample(sampler, x, y) }
    var sum = ImageSampler.Sample()
    for row in 0..<samples {
      for column in 0..<samples {
        let one = sample(
          sampler, x + (Double(column) + 0.5) / Double(samples) - 0.5,
          y + (Double(row) + 0.5) / Double(samples) - 0.5)
        sum.color += one.color
        sum.isMixed = sum.isMixed || one.isMixed
      }
    }
    sum.color /= Float(samples * samples)
    return sum
  }

  private func sample(_ sampler: ImageSampler, _ x: Double, _ y: Double) -> ImageSampler.Sample {
    let u = columns.texel(at: (x * cosine + y * sine) / scale)
    let v = rows.texel(at: (y * cosine - x * sine) / scale)
    return isNearest ? sampler.nearest(u, v) : sampler.sample(u, v)
  }
}

/// The mapping from style pixels to the pixels of an image along one axis.
private struct TexelAxis {
  private let stops: [IconLook.Stop]

  init(_ stops: [IconLook.Stop]) {
    self.stops = stops
  }

  /// The greatest number of the image's pixels per style pixel.
  var greatestStep: Double {
    zip(stops, stops.dropFirst()).reduce(0) { most, pair in
      let size = pair.1.place - pair.0.place
      return size > 0 ? max(most, (pair.1.texel - pair.0.texel) / size) : most
    }
  }

  /// Returns the image's pixel at a position; beyond the ends, the outermost pixels continue.
  func texel(at place: Double) -> Double {
    var index = 1
    while index < stops.count - 1, stops[index].place < place { index += 1 }
    let (from, to) = (stops[index - 1], stops[index])
    guard to.place > from.place else { return place < from.place ? -2 : to.texel + 2 }
    return from.texel + (place - from.place) * (to.texel - from.texel) / (to.place - from.place)
  }
}

/// The colours of a signed distance field: 192 of 255 is the outline, and a style pixel farther out
/// is 32 less, as MapLibre reads it.
private struct DistanceField {
  private let fill: SIMD4<Float>
  private let halo: SIMD4<Float>
  private let outline: (low: Float, high: Float)
  private let rim: (low: Float, high: Float)

  /// Whether partly covered pixels are edges.
  let isEdge: Bool

  /// The distance over which an outline fades, in eighths of a device pixel, and the distance over
  /// which a blurred halo fades, as in MapLibre's shader.
  private static let gamma = 0.105
  private static let blur = 1.19

  /// - Parameter size: the factor by which the picture is enlarged.
  init(_ icon: IconLook, size: Double, scale: Double) {
    let size = max(size, 1e-6)
    let gamma = min(Self.gamma / (size * scale), 0.25)
    outline = (Float(0.75 - gamma), Float(0.75 + gamma))
    let far = 0.75 - icon.haloWidth / size / 8
    let soft = gamma + icon.haloBlur * Self.blur / size / 8
    rim = (Float(far - soft), Float(far + soft))
    func channels(_ color: Color) -> SIMD4<Float> {
      let alpha = color.alpha * icon.opacity
      return SIMD4(
        Float(color.red * alpha * 255), Float(color.green * alpha * 255),
        Float(color.blue * alpha * 255), Float(alpha * 255))
    }
    fill = channels(icon.color)
    halo = icon.haloWidth > 0 ? channels(icon.haloColor) : .zero
    isEdge = icon.haloBlur == 0
  }

  /// Returns the bits of the colour at a distance, the alpha of the field.
  func color(at alpha: Float) -> UInt32 {
    let distance = alpha / 255
    let covered = Self.smooth(distance, outline)
    let rim = halo.w > 0 ? Self.smooth(distance, rim) : 0
    let above = fill * covered
    return ImageSampler.bits(above + halo * rim * (1 - above.w / 255))
  }

  private static func smooth(_ value: Float, _ edge: (low: Float, high: Float)) -> Float {
    let share = min(max((value - edge.low) / (edge.high - edge.low), 0), 1)
    return share * share * (3 - 2 * share)
  }
}
