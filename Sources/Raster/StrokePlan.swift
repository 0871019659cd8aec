/// A style broken down into painting passes; behind one reference, since every run is painted by it.
final class StrokePlan {
  let style: StrokeStyle
  let dashes: DashPattern?

  /// The extent of a square cap beyond a line's end, in pixels.
  let squareExtent: Double

  /// The passes of each of the parallel lines; those that need the outer and inner plane end with
  /// both.
  private(set) var lines: [[StrokePass]] = []

  var isBlurred: Bool { style.blur > 0 }

  init(_ style: StrokeStyle, cache: inout StrokeProfileCache) {
    let style = style.bounded
    self.style = style
    cache.trim()
    dashes = DashPattern(style.dashes)
    let half = style.width / 2
    if style.gapWidth > 0 && style.offset == 0 {
      let inner = style.gapWidth / 2
      squareExtent = inner + style.width
      lines = [casing(inner: inner, outer: inner + style.width, &cache)]
    } else {
      squareExtent = half
      let aside = style.gapWidth > 0 ? [-1, 1] : [0.0]
      lines = aside.map {
        line(at: style.offset + $0 * (style.gapWidth + style.width) / 2, half: half, &cache)
      }
    }
  }

  /// Returns the passes of two lines on both sides of a gap that is centred on the geometry.
  private func casing(
    inner: Double, outer: Double, _ cache: inout StrokeProfileCache
  ) -> [StrokePass] {
    [(StrokePass.Plane.outer, outer), (.inner, inner)].map { plane, radius in
      var pass = StrokePass(plane: plane)
      // MapLibre lets the inner side fade into the gap.
      let shape: StrokeProfile.Shape =
        isBlurred
        ? .fade(center: 0, outset: radius + 0.5, width: fadeWidth)
        : .strip(from: -radius, to: radius)
      pass.right = cache.profile(shape)
      pass.left = pass.right
      pass.isSymmetric = true
      pass.outset = radius
      if style.cap == .round {
        pass.disk = cache.profile(isBlurred ? shape : .disk(radius: radius))
      }
      return pass
    }
  }

  /// Returns the passes of one line centred `offset` px right of the geometry.
  private func line(
    at offset: Double, half: Double, _ cache: inout StrokeProfileCache
  ) -> [StrokePass] {
    var cover = StrokePass(plane: .cover)
    if style.cap == .round {
      cover.disk = cache.profile(
        isBlurred
          ? .fade(center: 0, outset: half + 0.5, width: fadeWidth) : .disk(radius: half))
      cover.diskOffset = offset
    }
    cover.isSymmetric = offset == 0
    cover.right = side(offset, half, &cache)
    cover.left = cover.isSymmetric ? cover.right : side(-offset, half, &cache)
    cover.outset = cover.isSymmetric ? half : nil
    return [cover]
  }

  /// Returns the profile of the right side of a line centred `offset` px right of the geometry; nil
  /// if no part of the line lies there.
  private func side(
    _ offset: Double, _ half: Double, _ cache: inout StrokeProfileCache
  ) -> StrokeProfile? {
    guard offset + half > -0.75 else { return nil }
    return cache.profile(
      isBlurred
        ? .fade(center: offset, outset: half + 0.5, width: fadeWidth)
        : .strip(from: offset - half, to: offset + half))
  }

  /// The width in pixels over which a side fades: as in MapLibre's line shader, including a pixel
  /// of antialiasing.
  private var fadeWidth: Double { style.blur + 1 }
}
