package import Raster

/// A polygon's area with everything decided: what one shape looks like in one `fill` layer.
///
/// Colours carry their opacity.
package struct FillLook: Hashable, Sendable {
  package var color: Color

  /// Whether all areas of the layer have this colour, by the style rather than by chance.
  package var isOnlyColor: Bool

  package var isAntialiased: Bool

  /// `fill-translate`: style px eastward and southward.
  package var translateX: Double
  package var translateY: Double

  package init(
    color: Color, isOnlyColor: Bool = false, isAntialiased: Bool = true, translateX: Double = 0,
    translateY: Double = 0
  ) {
    self.color = color
    self.isOnlyColor = isOnlyColor
    self.isAntialiased = isAntialiased
    self.translateX = translateX
    self.translateY = translateY
  }
}

/// A line with everything decided: what one shape looks like in one `line` layer.
package struct LineLook: Hashable, Sendable {
  /// Width, joins, caps and dashes; lengths in device px.
  package var stroke: StrokeStyle

  /// Carries its opacity.
  package var color: Color

  /// Whether all lines of the layer look like this, by the style rather than by chance.
  package var isOnlyLook: Bool

  /// `line-translate`: style px eastward and southward.
  package var translateX: Double
  package var translateY: Double

  package init(
    stroke: StrokeStyle, color: Color, isOnlyLook: Bool = false, translateX: Double = 0,
    translateY: Double = 0
  ) {
    self.stroke = stroke
    self.color = color
    self.isOnlyLook = isOnlyLook
    self.translateX = translateX
    self.translateY = translateY
  }
}

extension LineLook {
  /// Whether all lines of a tile are drawn as one: over an opaque colour the same colour makes no
  /// difference. The style decides it, so that neighbouring tiles do alike.
  package var isUnited: Bool { isOnlyLook && color.alpha >= 1 }
}

/// What one shape looks like in one layer.
package enum ShapeLook: Hashable, Sendable {
  case fill(FillLook)
  case line(LineLook)

  /// Whether nothing of it can be seen.
  var isInvisible: Bool {
    switch self {
    case .fill(let fill): fill.color.alpha <= 0
    case .line(let line): line.color.alpha <= 0 || line.stroke.width <= 0
    }
  }

  /// Whether it covers areas; other looks draw along lines.
  package var isArea: Bool {
    if case .fill = self { true } else { false }
  }

  /// Whether it draws dashes, which go on from tile to tile.
  package var hasDashes: Bool {
    if case .line(let line) = self { !line.stroke.dashes.isEmpty } else { false }
  }

  /// Style px by which the shape is moved.
  var translate: (x: Double, y: Double) {
    switch self {
    case .fill(let fill): (fill.translateX, fill.translateY)
    case .line(let line): (line.translateX, line.translateY)
    }
  }

  /// How far the shape is moved, in 1/256 device px.
  ///
  /// - Parameter scale: device px a style px.
  package func offset(scale: Int) -> (x: Int, y: Int) {
    let (x, y) = translate
    return (
      Int((x * Double(scale) * 256).rounded()), Int((y * Double(scale) * 256).rounded())
    )
  }

  /// Device px beyond a line at which its stroke may still show something; 0 for areas.
  package var strokeReach: Double {
    if case .line(let line) = self { Double(line.stroke.reach) } else { 0 }
  }

  /// Device px beyond the shape's own edges at which it may still show something.
  ///
  /// - Parameter scale: device px a style px.
  package func reach(scale: Int) -> Double {
    let (x, y) = translate
    let moved = max(abs(x), abs(y)) * Double(scale)
    return moved + strokeReach
  }

  /// The hash of all that decides its pixels.
  var contentHash: StableHash {
    var hash = StableHash()
    switch self {
    case .fill(let fill):
      hash.combine(3)
      hash.combine(fill.color)
      hash.combine((fill.isAntialiased ? 1 : 0) | (fill.isOnlyColor ? 2 : 0))
    case .line(let line):
      hash.combine(4)
      hash.combine(line.color)
      hash.combine(line.stroke)
      hash.combine(line.isUnited ? 1 : 0)
    }
    hash.combine(translate.x)
    hash.combine(translate.y)
    return hash
  }
}

/// Gives every distinct shape look of a build a number, so that a drawn shape is a few bytes.
///
/// Numbers follow the order of first use; nothing that is written depends on them.
package struct ShapeLookTable: Sendable {
  private var numbers: [ShapeLook: UInt32] = [:]
  package private(set) var looks: [ShapeLook] = []

  /// The content hash of each look.
  package private(set) var hashes: [StableHash] = []

  /// Numbers that looks could not be made of.
  package var unusable = UnusableNumbers()

  package init() {}

  /// The number of a look, a new one if it was not seen before.
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
      stroke.roundLimit,
    ] {
      combine(value)
    }
    combine("\(stroke.cap) \(stroke.join)")
    combine(stroke.dashes.count)
    for dash in stroke.dashes { combine(dash) }
  }
}
