/// The style of a line; all lengths in pixels of the picture.
///
/// The names are those of the MapLibre style specification's `line-*` properties.
package struct StrokeStyle: Hashable, Sendable {
  package enum Cap: Hashable, Sendable { case butt, round, square }
  package enum Join: Hashable, Sendable { case miter, round, bevel }

  /// Maximum length in pixels, so that no sum or product of a stroke's lengths can overflow.
  static let maxLength = 4096.0

  /// Maximum length of miters, as a multiple of the line's width.
  static let maxMiterLimit = 10.0

  /// Width of the line; nothing is drawn if it is 0.
  package var width: Double

  /// Width of the gap between two lines of `width` each, one on each side; 0 draws one line.
  package var gapWidth = 0.0

  /// Offset to the right of the line's direction.
  package var offset = 0.0

  /// Width over which each side fades out.
  package var blur = 0.0

  /// Alternating lengths of dashes and gaps from the line's start on, repeated; empty for a solid
  /// line.
  package var dashes: [Double] = []

  /// Whether the line is a glow, which keeps an even opacity where its triangles overlap; in
  /// MapLibre, rays are visible at its bends.
  package var isGlow = false

  /// The line width for which round dashes have round ends; 0 stands for ``width``.
  package var dashWidth = 0.0

  /// The length over which the end of a dash fades, to each side.
  package var dashSoftness = 0.5

  /// The distance from a sharp bend within which dashes and patterns are slanted.
  package var dashCornerLength = 15.0

  package var cap = Cap.butt
  package var join = Join.miter

  /// Ratio of a miter's length to the width beyond which a miter join becomes a bevel.
  package var miterLimit = 2.0

  /// Ratio of a miter's length to the width below which a round join is drawn as a miter.
  package var roundLimit = 1.05

  package init(
    width: Double, gapWidth: Double = 0, offset: Double = 0, blur: Double = 0,
    dashes: [Double] = [], cap: Cap = .butt, join: Join = .miter, miterLimit: Double = 2,
    roundLimit: Double = 1.05
  ) {
    self.width = width
    self.gapWidth = gapWidth
    self.offset = offset
    self.blur = blur
    self.dashes = dashes
    self.cap = cap
    self.join = join
    self.miterLimit = miterLimit
    self.roundLimit = roundLimit
  }

  /// The distance in pixels, rounded up, from its vertices and edges within which a line may
  /// colour pixels. A tile needs all edges within this distance.
  package var reach: Int {
    let style = bounded
    guard style.width > 0 else { return 0 }
    let half = style.gapWidth > 0 ? style.gapWidth / 2 + style.width : style.width / 2
    let side = abs(style.offset) + half
    // The corner of a square cap lies farther out than its side, the tip of a miter farther still.
    let corner = style.cap == .square ? (side * side + half * half).squareRoot() : side
    // The inner corners of all bends that are not miters lie up to twice as far as the sides.
    let tip = (side + 0.5) * max(style.miterLimit, 2)
    return Int((max(corner, tip) + 1.5).rounded(.up))
  }

  /// The style with every length clamped to its range; NaN becomes 0.
  package var bounded: StrokeStyle {
    func length(_ value: Double) -> Double {
      value.isNaN ? 0 : min(max(value, 0), StrokeStyle.maxLength)
    }
    var style = self
    style.width = length(width)
    style.gapWidth = length(gapWidth)
    style.offset = offset < 0 ? -length(-offset) : length(offset)
    style.blur = length(blur)
    style.dashes = dashes.map(length)
    style.dashWidth = dashWidth > 0 ? length(dashWidth) : style.width
    style.dashSoftness = max(length(dashSoftness), 0.01)
    style.dashCornerLength = length(dashCornerLength)
    // Below this a bevel is indistinguishable from a miter.
    let limit = join == .bevel ? 1.05 : miterLimit
    style.miterLimit = min(length(limit), StrokeStyle.maxMiterLimit)
    style.roundLimit = min(length(roundLimit), StrokeStyle.maxMiterLimit)
    return style
  }
}
