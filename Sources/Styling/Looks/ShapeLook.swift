package import Features
package import Raster

/// A polygon's area with all values resolved: the look of one shape in one `fill` layer.
///
/// Colours include their opacity.
package struct FillLook: Hashable, Sendable {
  package var color: Color

  /// The pattern instead of the colour.
  package var pattern: PatternLook?

  /// Whether the style gives all areas of the layer this colour; false if they merely happen to
  /// agree.
  package var isOnlyColor: Bool = false

  package var isAntialiased: Bool = true

  /// Whether edges have no line in the area's own colour, since the style sets an outline colour.
  package var hasPlainEdges: Bool = false

  /// The opacity of all areas of the layer together, `fill-layer-opacity`.
  package var layerOpacity: Double = 1

  /// The offset of `fill-translate`, in style pixels eastward and southward.
  package var translateX: Double = 0
  package var translateY: Double = 0
}

extension FillLook {
  /// Whether a line in the area's own colour softens its edges, as MapLibre draws it. Translucent
  /// areas with colours of their own have none, because such lines would show where areas meet.
  package var hasLinedEdges: Bool {
    isAntialiased && !hasPlainEdges
      && (pattern != nil || isOnlyColor || PremultipliedColor(color).alpha == 255)
  }
}

/// A line with all values resolved: the look of one shape in one `line` layer.
package struct LineLook: Hashable, Sendable {
  /// Width, joins, caps and dashes; lengths are in device pixels.
  package var stroke: StrokeStyle

  /// The colour, including its opacity.
  package var color: Color

  /// The pattern or gradient instead of the colour.
  package var paint: LinePaint?

  /// Whether the style gives all lines of the layer this look; false if they merely happen to
  /// agree.
  package var isOnlyLook: Bool = false

  /// The opacity of all lines of the layer together, `line-layer-opacity`.
  package var layerOpacity: Double = 1

  /// The offset of `line-translate`, in style pixels eastward and southward.
  package var translateX: Double = 0
  package var translateY: Double = 0
}

extension LineLook {
  /// Whether all lines of a tile are painted in one pass. The style determines it, so that
  /// neighbouring tiles agree.
  package var isUnited: Bool { isOnlyLook && paint == nil }
}

/// The look of one shape in one layer.
package enum ShapeLook: Hashable, Sendable {
  case fill(FillLook)
  case line(LineLook)

  /// Whether the shape shows nothing.
  var isInvisible: Bool {
    if layerOpacity <= 0 { return true }
    return switch self {
    case .fill(let fill): (fill.pattern?.opacity ?? fill.color.alpha) <= 0
    case .line(let line):
      (line.paint?.opacity ?? line.color.alpha) <= 0 || line.stroke.width <= 0
    }
  }

  /// The opacity of everything that the layer draws, as one picture: overlapping shapes do not
  /// show through each other.
  package var layerOpacity: Double {
    switch self {
    case .fill(let fill): fill.layerOpacity
    case .line(let line): line.layerOpacity
    }
  }

  /// Whether the look covers areas; other looks draw along lines.
  package var isArea: Bool {
    if case .fill = self { true } else { false }
  }

  /// Whether the look changes along a line, and continues from tile to tile.
  package var followsLine: Bool {
    if case .line(let line) = self {
      !line.stroke.dashes.isEmpty || line.paint != nil
    } else {
      false
    }
  }

  /// Whether lines extend beyond their ends, so that even a point shows.
  package var hasCaps: Bool {
    if case .line(let line) = self { line.stroke.cap != .butt } else { false }
  }

  /// The pattern of an area, whose place in a tile depends on the tile's place in the world.
  package var areaPattern: PatternLook? {
    if case .fill(let fill) = self { fill.pattern } else { nil }
  }

  /// The offset of the shape, in style pixels.
  var translate: (x: Double, y: Double) {
    switch self {
    case .fill(let fill): (fill.translateX, fill.translateY)
    case .line(let line): (line.translateX, line.translateY)
    }
  }

  /// Returns the offset of the shape, in 1/256 device pixels.
  ///
  /// - Parameter scale: device pixels per style pixel.
  package func offset(scale: Int) -> (x: Int, y: Int) {
    let (x, y) = translate
    return (
      Int((x * Double(scale) * 256).rounded()), Int((y * Double(scale) * 256).rounded())
    )
  }

  /// The distance from a line within which its stroke may be visible, in device pixels; 0 for
  /// areas.
  package var strokeReach: Double {
    if case .line(let line) = self { Double(line.stroke.reach) } else { 0 }
  }

  /// The distance from an area within which its edges may show in a pixel, in device pixels: those whose
  /// middle is less than one away.
  private static let edgeReach = 0.5

  /// The distance from the shape's own edges within which it may be visible if it is not moved, in
  /// device pixels.
  package var ownReach: Double {
    switch self {
    case .fill(let fill): fill.hasLinedEdges ? Self.edgeReach : 0
    case .line: strokeReach
    }
  }

  /// Returns the distance around a tile within which the shape's edges must be right, in device
  /// pixels: its own reach and the distance by which the style moves it.
  ///
  /// - Parameter scale: device pixels per style pixel.
  package func reach(scale: Int) -> Double {
    let (x, y) = translate
    let moved = max(abs(x), abs(y)) * Double(scale)
    // Whether an area's edge shows depends on the pixels at both of its sides.
    return moved + ownReach + (isArea && ownReach > 0 ? 0.5 : 0)
  }

  /// The hash of all values that determine the look's pixels.
  var contentHash: StableHash {
    var hash = StableHash()
    switch self {
    case .fill(let fill):
      hash.combine(3)
      hash.combine(fill.color)
      hash.combine(
        (fill.isAntialiased ? 1 : 0) | (fill.isOnlyColor ? 2 : 0)
          | (fill.hasPlainEdges ? 4 : 0))
      if let pattern = fill.pattern { hash.combine(pattern) }
    case .line(let line):
      hash.combine(4)
      hash.combine(line.color)
      hash.combine(line.stroke)
      hash.combine(line.isUnited ? 1 : 0)
      switch line.paint {
      case .pattern(let pattern, let width)?:
        hash.combine(pattern)
        hash.combine(width)
      case .gradient(let gradient)?: hash.combine(gradient)
      case nil: break
      }
    }
    hash.combine(layerOpacity)
    hash.combine(translate.x)
    hash.combine(translate.y)
    return hash
  }
}

/// A table that numbers every distinct shape look of a build, so that a drawn shape takes a few
/// bytes.
///
/// Numbers follow the order of first use; the output does not depend on them.
package struct ShapeLookTable: Sendable {
  private var numbers: [ShapeLook: UInt32] = [:]
  package private(set) var looks: [ShapeLook] = []

  /// The content hash of each look.
  package private(set) var hashes: [StableHash] = []

  /// Properties whose numbers could not be used in looks.
  package var unusable = UnusableNumbers()

  /// The images that patterns ask for and the style does not have.
  package var missingImages = MissingImages()

  package init() {}

  /// Returns the number of a look; a new one if the look was not seen before.
  package mutating func number(of look: ShapeLook) -> UInt32 {
    if let known = numbers[look] { return known }
    let number = UInt32(looks.count)
    numbers[look] = number
    looks.append(look)
    hashes.append(look.contentHash)
    return number
  }
}

extension StableHash {
  fileprivate mutating func combine(_ stroke: StrokeStyle) {
    for value in [
      stroke.width, stroke.gapWidth, stroke.offset, stroke.blur, stroke.miterLimit,
      stroke.roundLimit, stroke.dashWidth, stroke.dashSoftness, stroke.dashCornerLength,
    ] {
      combine(value)
    }
    combine("\(stroke.cap) \(stroke.join)")
    combine(stroke.isGlow ? 1 : 0)
    combine(stroke.dashes.count)
    for dash in stroke.dashes { combine(dash) }
  }
}
