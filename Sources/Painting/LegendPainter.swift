package import Raster
import Scenes
package import Styling

/// A painter of legends: a heading for each entry, and below it a row for each step with its swatch
/// and label.
package struct LegendPainter {
  /// Device pixels per style pixel.
  private let scale: Double
  private let factory: SpriteFactory
  private let shaper: TextShaper
  private let rasterizer = CoverageRasterizer()
  private let lines = LinePainter()

  // Lengths in style pixels.
  private static let margin = 12.0
  private static let gap = 8.0
  private static let leastSwatch = 28.0
  private static let leastRow = 20.0
  private static let boxHeight = 14.0
  private static let rampWidth = 120.0
  /// The largest radius and stroke width in a swatch; larger symbols are reduced to them.
  private static let largestRadius = 60.0
  private static let fonts = ["Open Sans Regular"]
  private static let boldFonts = ["Open Sans Semibold"]
  private static let ink = Color(red: 0.11, green: 0.15, blue: 0.19)
  private static let soft = Color(red: 0.36, green: 0.41, blue: 0.46)

  package init(scale: Int, fonts: FontLibrary) {
    self.scale = Double(scale)
    factory = SpriteFactory(scale: scale, fonts: fonts)
    shaper = TextShaper(fonts: fonts)
  }

  /// An item at a position in the picture, in device pixels.
  private struct Item {
    enum Content {
      case text(ShapedText, Color)
      case swatch([LegendSwatch], width: Double, height: Double)
    }
    var content: Content
    var x: Double
    /// The middle of the item's line.
    var y: Double
  }

  /// Returns the picture of a legend, dark on white.
  ///
  /// - Throws: ``FontError`` if no font is available.
  /// - Complexity: O(pixels); a legend of 24 rows has about 100,000.
  package func picture(of legend: Legend) throws -> Pixmap {
    var items: [Item] = []
    var y = Self.margin * scale
    var width = 0.0
    func add(_ text: String, _ fonts: [String], size: Double, color: Color, x: Double, y: Double)
      throws
    {
      let style = TextStyle(
        fontStack: fonts, size: size * scale, maxWidth: 0, justify: .left, anchor: .left)
      let shaped = try shaper.shape(text, style: style)
      items.append(Item(content: .text(shaped, color), x: x, y: y))
      width = max(width, x + shaped.width)
    }
    let left = Self.margin * scale
    try add(legend.title, Self.boldFonts, size: 14, color: Self.ink, x: left, y: y + 9 * scale)
    y += 24 * scale
    for entry in legend.entries {
      if let heading = Self.heading(of: entry) {
        y += 4 * scale
        try add(heading, Self.boldFonts, size: 11, color: Self.soft, x: left, y: y + 8 * scale)
        y += 20 * scale
      }
      let column = max(Self.leastSwatch, entry.rows.map { Self.width(of: $0.swatch) }.max() ?? 0)
      for row in entry.rows {
        let height = max(Self.leastRow, Self.height(of: row.swatch) + 4)
        let middle = y + height * scale / 2
        items.append(
          Item(
            content: .swatch(row.swatch, width: column, height: height), x: left, y: middle))
        try add(
          row.label, Self.fonts, size: 12, color: Self.ink,
          x: left + (column + Self.gap) * scale, y: middle)
        y += height * scale
      }
      y += 4 * scale
    }
    let picture = Pixmap(
      width: Int(min(width + Self.margin * scale, 4096).rounded(.up)),
      height: Int(min(y + (Self.margin - 4) * scale, 16_384).rounded(.up)))
    picture.clear(to: PremultipliedColor(.white))
    for item in items { try draw(item, onto: picture) }
    return picture
  }

  /// Returns the heading above the rows; `nil` if the row itself says the same.
  static func heading(of entry: LegendEntry) -> String? {
    guard let property = entry.property else {
      // The only row of an entry says the same.
      return entry.rows.count > 1 ? entry.title : nil
    }
    return "\(entry.title): \(LegendWords.property(property))"
  }

  private func draw(_ item: Item, onto picture: Pixmap) throws {
    switch item.content {
    case .text(let shaped, let color):
      let mask = shaped.fillMask(phaseX: 0, phaseY: 0, using: rasterizer)
      picture.blend(
        mask, color: PremultipliedColor(color), x: Int(item.x.rounded()), y: Int(item.y.rounded()))
    case .swatch(let swatch, let width, let height):
      for part in swatch {
        try draw(
          part, width: width * scale, height: height * scale, at: item, among: swatch,
          onto: picture)
      }
    }
  }

  private func draw(
    _ part: LegendSwatch, width: Double, height: Double, at item: Item, among all: [LegendSwatch],
    onto picture: Pixmap
  ) throws {
    let middle = Int((item.x + width / 2).rounded())
    let row = Int(item.y.rounded())
    switch part {
    case .circle(var look):
      look.radius = min(look.radius, Self.largestRadius)
      look.strokeWidth = min(look.strokeWidth, Self.largestRadius)
      (look.translateX, look.translateY) = (0, 0)
      let sprite = try factory.sprite(of: .circle(look), phaseX: 0, phaseY: 0)
      let drawn = Pixmap(width: max(sprite.width, 1), height: max(sprite.height, 1))
      for index in sprite.pixels.indices { drawn.pixels[index] = sprite.pixels[index] }
      picture.blend(drawn, x: middle + sprite.originX, y: row + sprite.originY)
    case .icon(let icon):
      draw(icon, x: middle, y: row, onto: picture)
    case .pattern(let pattern):
      draw(pattern, x: middle, y: row, onto: picture)
    case .fill(let color):
      let mask = rasterizer.mask(of: box, rule: .nonZero)
      picture.blend(mask, color: PremultipliedColor(color), x: middle, y: row)
    case .line(let line):
      draw(
        line, around: all.contains { if case .fill = $0 { true } else { false } },
        x: middle, y: row, onto: picture)
    case .ramp(let colors):
      drawRamp(colors, x: Int(item.x.rounded()), y: row, onto: picture)
    }
  }

  /// Draws an icon centred in its own size, reduced if it is too large.
  private func draw(_ icon: IconLook, x: Int, y: Int, onto picture: Pixmap) {
    let size = Self.size(of: icon)
    var centred = icon
    let share = min(size.width / (icon.right - icon.left), size.height / (icon.bottom - icon.top))
    func moved(_ stops: [IconLook.Stop]) -> [IconLook.Stop] {
      let from = stops.first?.place ?? 0
      let middle = ((stops.last?.place ?? 0) - from) / 2
      return stops.map { stop in
        IconLook.Stop(texel: stop.texel, place: (stop.place - from - middle) * share)
      }
    }
    centred.columns = moved(icon.columns)
    centred.rows = moved(icon.rows)
    centred.rotate = 0
    let sprite = IconPainter(centred, scale: scale, x: 0, y: 0).sprite(within: .ofMasks)
    picture.blend(sprite, x: x, y: y)
  }

  private func draw(_ pattern: PatternLook, x: Int, y: Int, onto picture: Pixmap) {
    let width = Int((Self.leastSwatch - 4) * scale)
    let height = Int(Self.boxHeight * scale)
    let drawn = Pixmap(width: width, height: height)
    var painter = PatternPainter()
    painter.withColors(of: pattern, at: PatternPlace(), scale: Int(scale)) { color in
      for row in 0..<height {
        for column in 0..<width {
          drawn[column, row] = PremultipliedColor(bits: color(column, row))
        }
      }
    }
    picture.blend(drawn, x: x - width / 2, y: y - height / 2)
  }

  /// The area of a swatch, centred on its middle.
  private var box: Path {
    let unit = Double(Path.unitsPerPixel) * scale
    let (width, height) = (Self.leastSwatch - 4, Self.boxHeight)
    return .rectangle(
      x: Int32(-width / 2 * unit), y: Int32(-height / 2 * unit), width: Int32(width * unit),
      height: Int32(height * unit))
  }

  /// Draws a line over the swatch, or around its area.
  private func draw(
    _ look: LineLook, around isOutline: Bool, x: Int, y: Int, onto picture: Pixmap
  ) {
    var stroke = look.stroke
    let widest = isOutline ? 4.0 : Self.boxHeight
    stroke.width = min(stroke.width, widest) * scale
    stroke.gapWidth = min(stroke.gapWidth, widest) * scale
    stroke.offset = 0
    stroke.blur = min(stroke.blur, widest) * scale
    stroke.dashes = stroke.dashes.map { $0 * scale }
    let unit = Double(Path.unitsPerPixel)
    let half = (Self.leastSwatch / 2 - 2) * scale * unit
    let rise = isOutline ? Self.boxHeight / 2 * scale * unit : 0
    let (middleX, middleY) = (Double(x) * unit, Double(y) * unit)
    func point(_ dx: Double, _ dy: Double) -> Path.Point {
      Path.Point(x: Int32(middleX + dx), y: Int32(middleY + dy))
    }
    var points = [point(-half, -rise), point(half, -rise)]
    if isOutline { points += [point(half, rise), point(-half, rise)] }
    points.withUnsafeBufferPointer { points in
      lines.draw(
        [StrokeRun(points: points, isClosed: isOutline)], style: stroke,
        color: look.color, into: picture)
    }
  }

  private func drawRamp(_ colors: [Color], x: Int, y: Int, onto picture: Pixmap) {
    guard let last = colors.indices.last, last > 0 else { return }
    let width = Int(Self.rampWidth * scale)
    let height = Int(Self.boxHeight * scale)
    let bar = Pixmap(width: width, height: height)
    for column in 0..<width {
      let place = Double(column) / Double(width - 1) * Double(last)
      let lower = min(Int(place), last - 1)
      let share = place - Double(lower)
      func mix(_ channel: (Color) -> Double) -> Double {
        channel(colors[lower]) * (1 - share) + channel(colors[lower + 1]) * share
      }
      let color = Color(
        red: mix(\.red), green: mix(\.green), blue: mix(\.blue), alpha: mix(\.alpha))
      for line in 0..<height { bar[column, line] = PremultipliedColor(color) }
    }
    picture.blend(bar, x: x, y: y - height / 2)
  }

  // MARK: Sizes

  private static func width(of swatch: [LegendSwatch]) -> Double {
    swatch.map { part in
      switch part {
      case .circle(let look): 2 * radius(of: look)
      case .icon(let icon): size(of: icon).width
      case .fill, .line, .pattern: leastSwatch
      case .ramp: rampWidth
      }
    }.max() ?? 0
  }

  private static func height(of swatch: [LegendSwatch]) -> Double {
    swatch.map { part in
      switch part {
      case .circle(let look): 2 * radius(of: look)
      case .icon(let icon): size(of: icon).height
      case .fill, .line, .pattern, .ramp: boxHeight
      }
    }.max() ?? 0
  }

  /// Returns the size of an icon's picture, within ``largestRadius`` to each side.
  private static func size(of icon: IconLook) -> (width: Double, height: Double) {
    let (width, height) = (icon.right - icon.left, icon.bottom - icon.top)
    let share = min(1, 2 * largestRadius / max(width, height, 1))
    return (width * share, height * share)
  }

  private static func radius(of look: CircleLook) -> Double {
    min(look.radius, largestRadius) + min(look.strokeWidth, largestRadius) + 1
  }
}
