/// The outline of one glyph in font units, x rightward and y **upward** from the baseline.
struct GlyphOutline: Sendable {
  /// A step of the outline; curves start where the previous step ended.
  enum Step: Sendable {
    case move(Point)
    case line(Point)
    case quad(Point, Point)
    case cubic(Point, Point, Point)
  }

  struct Point: Hashable, Sendable {
    var x: Int32
    var y: Int32
  }

  var steps: [Step] = []

  /// The advance of the pen in font units.
  var advance: Int32 = 0

  /// The highest y of all points; 0 if there are none.
  var top: Int32 {
    var top: Int32?
    for step in steps {
      switch step {
      case .move(let p), .line(let p): top = max(top ?? p.y, p.y)
      case .quad(let c, let p): top = max(top ?? p.y, c.y, p.y)
      case .cubic(let a, let b, let p): top = max(top ?? p.y, a.y, b.y, p.y)
      }
    }
    return top ?? 0
  }
}

/// A transformation from font units to pixels of the picture: scale, flip, translation, rotation.
struct GlyphPlacement {
  /// Pixels per font unit.
  var scale: Double

  /// The position of the glyph's origin in pixels, before the rotation.
  var x: Double
  var y: Double

  /// The cosine and sine of the rotation about (0, 0), clockwise on the screen.
  var cosine = 1.0
  var sine = 0.0

  /// The position of (0, 0) after the rotation, in pixels.
  var originX = 0.0
  var originY = 0.0

  /// The placement of a glyph with the same origin, rotated by 90° to the left about it.
  var turnedLeft: GlyphPlacement {
    GlyphPlacement(
      scale: scale, x: 0, y: 0, cosine: sine, sine: -cosine,
      originX: x * cosine - y * sine + originX, originY: x * sine + y * cosine + originY)
  }

  /// Returns the transformed point in 1/256 px.
  func apply(_ point: GlyphOutline.Point) -> (x: Int32, y: Int32) {
    let flatX = x + Double(point.x) * scale
    let flatY = y - Double(point.y) * scale
    return (
      GlyphPlacement.fixed(flatX * cosine - flatY * sine + originX),
      GlyphPlacement.fixed(flatX * sine + flatY * cosine + originY)
    )
  }

  private static func fixed(_ pixels: Double) -> Int32 {
    Int32(Path.nearest(min(max(pixels * 256, -0x1p30), 0x1p30)))
  }
}

extension Path {
  /// Adds a glyph's contours.
  mutating func append(_ outline: GlyphOutline, placed placement: GlyphPlacement) {
    for step in outline.steps {
      switch step {
      case .move(let point):
        close()
        let end = placement.apply(point)
        move(toX: end.x, y: end.y)
      case .line(let point):
        let end = placement.apply(point)
        addLine(toX: end.x, y: end.y)
      case .quad(let control, let point):
        let bend = placement.apply(control)
        let end = placement.apply(point)
        addQuad(controlX: bend.x, controlY: bend.y, toX: end.x, y: end.y)
      case .cubic(let control1, let control2, let point):
        let first = placement.apply(control1)
        let second = placement.apply(control2)
        let end = placement.apply(point)
        addCubic(
          control1X: first.x, control1Y: first.y, control2X: second.x, control2Y: second.y,
          toX: end.x, y: end.y)
      }
    }
    close()
  }
}
