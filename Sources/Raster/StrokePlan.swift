/// A style taken apart into what is painted.
struct StrokePlan {
  let style: StrokeStyle
  let dashes: DashPattern?

  /// How far a square cap goes beyond a line's end, px.
  let squareExtent: Double

  /// Passes of each of the parallel lines; those that need the outer and inner plane end with both.
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

  /// Two lines about a gap whose middle is the geometry.
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

  /// One line whose middle is `offset` px right of the geometry.
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

  /// The right side of a line whose middle is `offset` px right of the geometry; nil where nothing of
  /// the line lies there.
  private func side(
    _ offset: Double, _ half: Double, _ cache: inout StrokeProfileCache
  ) -> StrokeProfile? {
    guard offset + half > -0.75 else { return nil }
    return cache.profile(
      isBlurred
        ? .fade(center: offset, outset: half + 0.5, width: fadeWidth)
        : .strip(from: offset - half, to: offset + half))
  }

  /// Over how many px a side fades: as MapLibre's line shader has it, a pixel's antialiasing
  /// included.
  private var fadeWidth: Double { style.blur + 1 }
}
