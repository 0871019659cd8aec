import Raster

// Symbols of so many pixels that no sprite of them is kept: each tile draws its own part of them, so
// that a circle over the whole world costs a tile what its own pixels cost.
extension SpriteFactory {
  /// Pixels of a box from which on a look, or a stack, is vast: those of four tiles at density 1.
  private static let vastArea = 512 * 512

  /// Length of a text, in device px of its letters, from which on it is measured whether it is vast.
  private static let longText = 4096.0

  /// The box of all pixels that a stack may show, from its anchor's pixel on, if one of its looks is
  /// vast or they lie so far apart that all of them are; nil of any other stack.
  ///
  /// Follows from the looks and the phase alone.
  func vastBox(of stack: LookStack, phaseX: Int, phaseY: Int) throws -> PixelBox? {
    let hasVast = try stack.contains { try isVast($0.look) }
    guard hasVast || stack.count > 1 && stack.contains(where: { $0.look.isFarFromAnchor }) else {
      return nil
    }
    let joined = try stack.reduce(PixelBox.empty) { whole, entry in
      let x = (phaseX + steps(entry.look.translateX)) >> 4
      let y = (phaseY + steps(entry.look.translateY)) >> 4
      return whole.joined(with: try box(of: entry.look).moved(dx: x, dy: y))
    }
    return hasVast || joined.width * joined.height > Self.vastArea ? joined : nil
  }

  /// Lays a look over a picture, its anchor at a pixel.
  ///
  /// - Complexity: O(pixels of the look), of a vast one O(pixels of the picture).
  func draw(
    _ look: Look, phaseX: Int, phaseY: Int, onto picture: Pixmap, x: Int, y: Int
  ) throws {
    guard try isVast(look) else {
      return picture.blend(try sprite(of: look, phaseX: phaseX, phaseY: phaseY), x: x, y: y)
    }
    let window = PixelBox(left: -x, top: -y, right: picture.width - x, bottom: picture.height - y)
    if let color = onlyColor(of: look, phaseX: phaseX, phaseY: phaseY, within: window) {
      return picture.blend(color)
    }
    let part = try sprite(of: look, phaseX: phaseX, phaseY: phaseY, within: window)
    picture.blend(part, x: x, y: y)
  }

  /// Whether a stack shows a pixel within a window.
  ///
  /// - Complexity: O(looks) where geometry decides, else O(pixels of the window).
  func shows(
    _ stack: LookStack, phaseX: Int, phaseY: Int, within window: PixelBox
  ) throws -> Bool {
    try stack.contains { entry in
      if let color = onlyColor(of: entry.look, phaseX: phaseX, phaseY: phaseY, within: window) {
        return color != .transparent
      }
      if surelyShows(entry.look, phaseX: phaseX, phaseY: phaseY, within: window) { return true }
      return try !sprite(of: entry.look, phaseX: phaseX, phaseY: phaseY, within: window).isEmpty
    }
  }

  /// The uppermost layer of a stack that covers all pixels of a window with an opaque colour.
  func opaqueLayer(
    of stack: LookStack, phaseX: Int, phaseY: Int, within window: PixelBox
  ) -> Int? {
    stack.last { entry in
      onlyColor(of: entry.look, phaseX: phaseX, phaseY: phaseY, within: window)?.alpha == 255
    }?.layer
  }

  /// Whether a look has too many pixels for a sprite.
  private func isVast(_ look: Look) throws -> Bool {
    if case .text(let text) = look, !isLong(text) { return false }
    let box = try box(of: look)
    return box.width * box.height > Self.vastArea
  }

  /// The box of all pixels that a look may show at any phase, before it is translated.
  private func box(of look: Look) throws -> PixelBox {
    switch look {
    case .circle(let circle):
      let outer = circle.shape(scale: scale).drawnOuterRadius
      let box = ShapedText.Box(minX: -outer, minY: -outer, maxX: outer, maxY: outer)
      return PixelBox(box).grown(by: 2)
    case .text(let text):
      guard let bounds = try shape(text).bounds else { return .empty }
      let rim = min(max(text.haloWidth, 0) * scale, CoverageRasterizer.maxHalo)
      let fade = min(max(text.haloBlur, 0) * scale, CoverageRasterizer.maxHalo)
      return PixelBox(bounds).grown(by: Int((rim + 1.19 * fade).rounded(.up)) + 4)
        .clipped(to: .ofMasks)
    }
  }

  /// Whether a text has so many or so large letters that it may be vast, without measuring it.
  private func isLong(_ text: TextLook) -> Bool {
    let largest = text.sections.reduce(1) { max($0, $1.scale) }
    let em = min(text.style.size * scale * largest, TextStyle.maxSize)
    let step = 1 + abs(text.style.letterSpacing) + abs(text.style.lineHeight)
    return Double(text.text.unicodeScalars.count) * em * step > Self.longText
  }

  // MARK: Windows that geometry decides

  /// The colour of all pixels of a window where the whole of it lies in a disc, in its stroke or
  /// beyond both; nil where an edge may run through it.
  private func onlyColor(
    of look: Look, phaseX: Int, phaseY: Int, within window: PixelBox
  ) -> PremultipliedColor? {
    guard case .circle(let circle) = look else { return nil }
    let shape = circle.shape(scale: scale)
    let (near, far) = distances(of: circle, phaseX, phaseY, window)
    if near > shape.drawnOuterRadius + Self.edge { return .transparent }
    guard !shape.isBlurred else { return nil }
    if far < shape.drawnRadius - Self.edge { return PremultipliedColor(circle.color) }
    if near > shape.drawnRadius + Self.edge, far < shape.drawnOuterRadius - Self.edge {
      return PremultipliedColor(circle.strokeColor)
    }
    return nil
  }

  /// Whether some pixel of a window surely lies inside of a disc or a stroke that can be seen.
  private func surelyShows(
    _ look: Look, phaseX: Int, phaseY: Int, within window: PixelBox
  ) -> Bool {
    guard case .circle(let circle) = look else { return false }
    let shape = circle.shape(scale: scale)
    let (near, far) = distances(of: circle, phaseX, phaseY, window)
    if shape.isBlurred {
      guard shape.strokeWidth == 0 else { return false }
      return near < shape.visibleRadius(alpha: PremultipliedColor(circle.color).alpha) - Self.edge
    }
    if PremultipliedColor(circle.color).alpha > 0, near < shape.drawnRadius - Self.edge {
      return true
    }
    return PremultipliedColor(circle.strokeColor).alpha > 0
      && max(near, shape.drawnRadius + Self.edge) < min(far, shape.drawnOuterRadius - Self.edge)
  }

  /// Pixels to both sides of a rim that may be covered in part.
  private static let edge = 2.0

  /// How far the nearest and the farthest point of a window are from a circle's centre, px.
  private func distances(
    of circle: CircleLook, _ phaseX: Int, _ phaseY: Int, _ window: PixelBox
  ) -> (near: Double, far: Double) {
    let x = Double(phaseX + steps(circle.translateX)) / Double(PixelGrid.phases)
    let y = Double(phaseY + steps(circle.translateY)) / Double(PixelGrid.phases)
    let (left, right) = (Double(window.left) - x, Double(window.right) - x)
    let (top, bottom) = (Double(window.top) - y, Double(window.bottom) - y)
    let (nearX, nearY) = (max(left, -right, 0), max(top, -bottom, 0))
    let (farX, farY) = (max(abs(left), abs(right)), max(abs(top), abs(bottom)))
    return (
      (nearX * nearX + nearY * nearY).squareRoot(), (farX * farX + farY * farY).squareRoot()
    )
  }
}

extension Look {
  /// Whether the look may lie so far from its anchor, 128 style px, that a stack of it and others is
  /// to be measured.
  fileprivate var isFarFromAnchor: Bool {
    var distance = abs(translateX) + abs(translateY)
    if case .text(let text) = self {
      distance += (abs(text.style.offsetX) + abs(text.style.offsetY)) * text.style.size
    }
    return distance > 128
  }
}

extension CircleShape {
  /// The radius within which a blurred disc without stroke surely shows, px; 0 where it may not.
  ///
  /// A smoothstep is at least the square of its position, so 1 / 128 of the whole opacity is
  /// reached at a position of √(255 / 128 / alpha).
  fileprivate func visibleRadius(alpha: UInt8) -> Double {
    guard alpha > 1, drawnOuterRadius > 0 else { return 0 }
    let fade = max(blur, 1 / drawnOuterRadius)
    let position = (255 / 128 / Double(alpha)).squareRoot()
    return position < 1 ? max(drawnOuterRadius * (1 - fade * position), 0) : 0
  }
}

extension Pixmap {
  /// Lays a colour over all pixels.
  func blend(_ color: PremultipliedColor) {
    guard color != .transparent else { return }
    for index in pixels.indices { pixels[index] = sourceOver(color.bits, pixels[index]) }
    if Int(color.alpha) >= Pixmap.hidingAlpha { edges.update(repeating: 0) }
  }
}
