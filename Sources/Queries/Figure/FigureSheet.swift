import Painting
import Raster
import Runs

/// The sheet of a figure: the title, and below it the map with its panels.
struct FigureSheet {
  /// Device pixels per style pixel.
  private let ratio: Int
  private let margin: Int
  private let shaper: TextShaper
  private let title: ShapedText?
  private let rasterizer = CoverageRasterizer()

  /// The width that the map has, in device pixels.
  private let width: Int

  // Lengths in style pixels.
  private static let titleSize = 20.0
  private static let titleGap = 10
  private static let labelSize = 11.0
  private static let padding = 4
  /// The distance of the panels from the edges of the map.
  private static let inset = 10

  private static let ink = PremultipliedColor(Color(red: 0.11, green: 0.15, blue: 0.19))
  private static let paper = PremultipliedColor(
    Color(red: 1, green: 1, blue: 1, alpha: 0.85))

  /// - Parameters:
  ///   - width: the map's width in style pixels.
  ///   - ratio: device pixels per style pixel.
  /// - Throws: ``FontError`` if no font is available.
  init(_ figure: Figure, width: Int, ratio: Int, fonts: FontLibrary) throws {
    self.ratio = ratio
    self.width = width * ratio
    margin = figure.margin * ratio
    shaper = TextShaper(fonts: fonts)
    title = try figure.title.map { [shaper] text in
      try shaper.shape(
        text,
        style: TextStyle(
          fontStack: ["Open Sans Semibold"], size: Self.titleSize * Double(ratio),
          maxWidth: Double(width) / Self.titleSize, justify: .left, anchor: .topLeft))
    }
  }

  /// The height of all that stands above and below the map, in style pixels.
  var heightBesideMap: Int { 2 * margin / ratio + (titleHeight + ratio - 1) / ratio }

  /// The height of the title with the gap below it, in device pixels.
  private var titleHeight: Int {
    title.map { Int($0.height.rounded(.up)) + Self.titleGap * ratio } ?? 0
  }

  /// Draws the sheet.
  ///
  /// - Parameter panels: what stands in the corners of the map.
  func draw(_ map: Pixmap, _ panels: [PlacedPanel]) -> Pixmap {
    let above = margin + (titleHeight + ratio - 1) / ratio * ratio
    let sheet = Pixmap(width: map.width + 2 * margin, height: map.height + above + margin)
    sheet.clear(to: PremultipliedColor(.white))
    if let title { draw(title, onto: sheet, x: margin, y: margin) }
    sheet.replace(with: map, x: margin, y: above)
    for panel in panels {
      sheet.blend(panel.picture, x: margin + panel.box.left, y: above + panel.box.top)
    }
    return sheet
  }

  /// A panel as it is drawn.
  struct PlacedPanel {
    let picture: Pixmap

    /// The box in device pixels from the corner of the map.
    let box: PixelBox
  }

  /// Returns a panel in a corner of a map of some device pixels.
  func placed(
    _ panel: Panel, _ corner: Corner, on map: (width: Int, height: Int)
  ) throws -> PlacedPanel {
    let picture = try picture(of: panel)
    let (right, bottom) = (map.width - picture.width, map.height - picture.height)
    let inset = corner == .bottomRight ? 0 : Self.inset * ratio
    let x = corner == .bottomLeft ? inset : right - inset
    let y = corner == .topRight ? inset : bottom - inset
    return PlacedPanel(
      picture: picture,
      box: PixelBox(left: x, top: y, right: x + picture.width, bottom: y + picture.height))
  }

  /// A corner of the map.
  enum Corner {
    case topRight
    case bottomLeft
    case bottomRight
  }

  /// Something that stands over the map.
  enum Panel {
    case picture(Pixmap)
    case text(String)
    case scale(ScaleBar)
  }

  private func picture(of panel: Panel) throws -> Pixmap {
    switch panel {
    case .picture(let picture): return picture
    case .text(let text):
      let shaped = try label(text)
      let picture = sheet(shaped.width, shaped.height)
      draw(shaped, onto: picture, x: Self.padding * ratio, y: Self.padding * ratio)
      return picture
    case .scale(let bar):
      let shaped = try label(bar.label)
      let length = (bar.length * Double(ratio)).rounded()
      let picture = sheet(max(length, shaped.width), shaped.height + Double(4 * ratio))
      let (left, bottom) = (Self.padding * ratio, picture.height - Self.padding * ratio)
      draw(shaped, onto: picture, x: left, y: Self.padding * ratio)
      fill(picture, x: left, y: bottom - 2 * ratio, width: Int(length), height: 2 * ratio)
      for x in [left, left + Int(length) - ratio] {
        fill(picture, x: x, y: bottom - 6 * ratio, width: ratio, height: 6 * ratio)
      }
      return picture
    }
  }

  private func label(_ text: String) throws -> ShapedText {
    let size = Self.labelSize * Double(ratio)
    let room = width - 2 * (Self.inset + Self.padding) * ratio
    return try shaper.shape(
      text,
      style: TextStyle(
        fontStack: ["Open Sans Regular"], size: size, maxWidth: max(Double(room) / size, 1),
        justify: .left, anchor: .topLeft))
  }

  /// Returns a translucent white panel with room for a content, in device pixels.
  private func sheet(_ width: Double, _ height: Double) -> Pixmap {
    let padding = 2 * Self.padding * ratio
    let picture = Pixmap(
      width: Int(width.rounded(.up)) + padding, height: Int(height.rounded(.up)) + padding)
    picture.clear(to: Self.paper)
    return picture
  }

  private func draw(_ text: ShapedText, onto picture: Pixmap, x: Int, y: Int) {
    let window = PixelBox(
      left: -x, top: -y, right: picture.width - x, bottom: picture.height - y)
    let mask = text.fillMask(phaseX: 0, phaseY: 0, within: window, using: rasterizer)
    picture.blend(mask, color: Self.ink, x: x, y: y)
  }

  private func fill(_ picture: Pixmap, x: Int, y: Int, width: Int, height: Int) {
    let block = Pixmap(width: max(width, 1), height: max(height, 1))
    block.clear(to: Self.ink)
    picture.replace(with: block, x: x, y: y)
  }
}
