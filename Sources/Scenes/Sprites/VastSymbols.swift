package import Raster
package import Styling

/// A test for symbols with too many pixels for a sprite: each tile draws its own part of them, so
/// that a circle over the whole world costs a tile no more than its own pixels.
package struct VastSymbols {
  /// The number of pixels of a box above which a look or a stack is vast: as many as four tiles
  /// have at density 1.
  private static let vastArea = 512 * 512

  /// The length of a text, in device px of its letters, from which on the text is measured to
  /// decide whether it is vast.
  private static let longText = 4096.0

  private let geometry: LookGeometry
  private let shaper: TextShaper

  package init(scale: Int, shaper: TextShaper) {
    geometry = LookGeometry(scale: scale)
    self.shaper = shaper
  }

  /// Returns the box of all pixels that a stack may show, relative to its anchor's pixel, if one
  /// of its looks is vast, or if they lie so far apart that the whole stack is; `nil` for any
  /// other stack.
  ///
  /// The result depends on the looks and the phase alone.
  package func box(of stack: LookStack, phaseX: Int, phaseY: Int) throws -> PixelBox? {
    let hasVast = try stack.contains { try isVast($0.look) }
    guard hasVast || stack.count > 1 && stack.contains(where: { $0.look.isFarFromAnchor }) else {
      return nil
    }
    let joined = try stack.reduce(PixelBox.empty) { whole, entry in
      let x = (phaseX + geometry.steps(entry.look.translateX)) >> 4
      let y = (phaseY + geometry.steps(entry.look.translateY)) >> 4
      return whole.joined(with: try box(of: entry.look).moved(dx: x, dy: y))
    }
    return hasVast || joined.width * joined.height > Self.vastArea ? joined : nil
  }

  /// Returns the distance from its anchor's pixel, in device px, beyond which a stack shows no pixel.
  func reach(of stack: LookStack) throws -> Int {
    try stack.reduce(0) { reach, entry in
      let box = try box(of: entry.look)
      let translation = max(abs(entry.look.translateX), abs(entry.look.translateY))
      let side = max(-box.left, -box.top, box.right, box.bottom, 0)
      return max(reach, side + (geometry.steps(translation) >> 4) + 2)
    }
  }

  /// Returns whether a look has too many pixels for a sprite.
  package func isVast(_ look: Look) throws -> Bool {
    if case .text(let text) = look, !isLong(text) { return false }
    let box = try box(of: look)
    return box.width * box.height > Self.vastArea
  }

  /// Returns the box of all pixels that a look may show at any phase, before it is translated.
  private func box(of look: Look) throws -> PixelBox {
    switch look {
    case .circle(let circle):
      let outer = circle.shape(scale: geometry.scale).drawnOuterRadius
      let box = ShapedText.Box(minX: -outer, minY: -outer, maxX: outer, maxY: outer)
      return PixelBox(box).grown(by: 2)
    case .chart(let chart):
      let reach = chart.shape(scale: geometry.scale).reach
      let box = ShapedText.Box(minX: -reach.x, minY: -reach.y, maxX: reach.x, maxY: reach.y)
      return PixelBox(box).grown(by: 2)
    case .leg(let leg):
      return PixelBox(leg.bounds.scaled(by: geometry.scale)).grown(by: 2)
    case .icon(let icon):
      return PixelBox(icon.drawnBounds.scaled(by: geometry.scale)).grown(by: 2)
        .clipped(to: .ofMasks)
    case .text(let text):
      guard let bounds = try shaper.shape(text, scale: geometry.scale).bounds else { return .empty }
      let rim = min(max(text.haloWidth, 0) * geometry.scale, CoverageRasterizer.maxHalo)
      let fade = min(max(text.haloBlur, 0) * geometry.scale, CoverageRasterizer.maxHalo)
      return PixelBox(bounds).grown(by: Int((rim + 1.19 * fade).rounded(.up)) + 4)
        .clipped(to: .ofMasks)
    }
  }

  /// Returns whether a text has so many or so large letters, or images, that it may be vast, without
  /// measuring it.
  private func isLong(_ text: TextLook) -> Bool {
    guard text.images.isEmpty else { return true }
    let largest = text.sections.reduce(1) { max($0, $1.scale) }
    let em = min(text.style.size * geometry.scale * largest, TextStyle.maxSize)
    let step = 1 + abs(text.style.letterSpacing) + abs(text.style.lineHeight)
    return Double(text.text.unicodeScalars.count) * em * step > Self.longText
  }
}

extension Look {
  /// Whether the look may lie more than 128 style px from its anchor, so that stacks with other
  /// looks must be measured.
  fileprivate var isFarFromAnchor: Bool {
    var distance = abs(translateX) + abs(translateY)
    if case .icon(let icon) = self {
      distance += [icon.left, icon.right, icon.top, icon.bottom].reduce(0) { max($0, abs($1)) }
    }
    if case .leg(let leg) = self { distance += abs(leg.end.x) + abs(leg.end.y) }
    if case .text(let text) = self {
      distance += (abs(text.style.offsetX) + abs(text.style.offsetY)) * text.style.size
    }
    return distance > 128
  }
}
