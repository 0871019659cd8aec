package import Raster
import Scenes
package import Styling

/// A factory that draws looks as sprites; one per worker because it owns a rasterizer.
package final class SpriteFactory {
  let geometry: LookGeometry
  let vast: VastSymbols
  private let rasterizer = CoverageRasterizer()

  /// Recently drawn looks: with clusters, many counts share a circle, and many charts a number;
  /// drawing one takes some 30 µs.
  private var known: [PhasedLook: SymbolSprite] = [:]

  /// The maximum number of remembered looks; each takes about 3 kB.
  private static let knownLimit = 4096

  private struct PhasedLook: Hashable {
    var look: Look
    var phaseX: Int
    var phaseY: Int
  }
  private let shaper: TextShaper

  package init(scale: Int, fonts: FontLibrary) {
    shaper = TextShaper(fonts: fonts)
    geometry = LookGeometry(scale: scale)
    vast = VastSymbols(scale: scale, shaper: shaper)
  }

  /// Device pixels per style pixel.
  private var scale: Double { geometry.scale }

  /// Returns the sprite of one look.
  ///
  /// - Parameters:
  ///   - phaseX: the anchor's position inside its pixel, in 1/16 pixels eastward.
  ///   - phaseY: the anchor's position inside its pixel, in 1/16 pixels southward.
  ///   - window: the only pixels to draw, relative to the anchor; `nil` for all.
  package func sprite(
    of look: Look, phaseX: Int, phaseY: Int, within window: PixelBox? = nil
  ) throws -> SymbolSprite {
    guard window == nil, look.recurs else {
      return try draw(look, phaseX: phaseX, phaseY: phaseY, within: window)
    }
    let key = PhasedLook(look: look, phaseX: phaseX, phaseY: phaseY)
    if let sprite = known[key] { return sprite }
    let drawn = try draw(look, phaseX: phaseX, phaseY: phaseY, within: nil)
    if known.count >= Self.knownLimit { known.removeAll(keepingCapacity: true) }
    known[key] = drawn
    return drawn
  }

  private func draw(
    _ look: Look, phaseX: Int, phaseY: Int, within window: PixelBox?
  ) throws -> SymbolSprite {
    let x = phaseX + geometry.steps(look.translateX)
    let y = phaseY + geometry.steps(look.translateY)
    let (dx, inX) = (x >> 4, Int32(x & 15) * 16)
    let (dy, inY) = (y >> 4, Int32(y & 15) * 16)
    let window = window?.moved(dx: -dx, dy: -dy)
    switch look {
    case .circle(let circle):
      return sprite(
        of: circle, dx: dx, dy: dy, phaseX: inX, phaseY: inY, within: window ?? .ofMasks)
    case .chart(let chart):
      return sprite(
        of: chart, dx: dx, dy: dy, phaseX: inX, phaseY: inY, within: window ?? .ofMasks)
    case .leg(let leg):
      let path = leg.path(scale: scale).translated(dx: inX, dy: inY)
      let mask = rasterizer.mask(of: path, rule: .nonZero, within: window ?? .ofMasks)
      var canvas = SpriteCanvas(covering: [mask.box(dx: dx, dy: dy)])
      canvas.over(mask, color: PremultipliedColor(leg.color), dx: dx, dy: dy)
      return canvas.sprite()
    case .icon(let icon):
      return IconPainter(
        icon, scale: scale, x: Double(dx) + Double(inX) / 256, y: Double(dy) + Double(inY) / 256
      ).sprite(within: window?.moved(dx: dx, dy: dy).clipped(to: .ofMasks) ?? .ofMasks)
    case .text(let text):
      return try sprite(
        of: text, dx: dx, dy: dy, phaseX: inX, phaseY: inY,
        within: window?.clipped(to: .ofMasks) ?? .ofMasks)
    }
  }

  /// Returns the sprite of a circle. Its fill and stroke share the edge at the radius: their
  /// coverages add up, so the background does not show through between them.
  private func sprite(
    of look: CircleLook, dx: Int, dy: Int, phaseX: Int32, phaseY: Int32, within window: PixelBox
  ) -> SymbolSprite {
    let shape = look.shape(scale: scale)
    let fill = shape.fillMask(phaseX: phaseX, phaseY: phaseY, within: window, using: rasterizer)
    let stroke = shape.strokeMask(phaseX: phaseX, phaseY: phaseY, within: window, using: rasterizer)
    var canvas = SpriteCanvas(covering: [fill, stroke].map { $0.box(dx: dx, dy: dy) })
    for (mask, color) in [(fill, look.color), (stroke, look.strokeColor)] {
      canvas.add(
        mask, color: PremultipliedColor(color), dx: dx, dy: dy, isBlurred: shape.isBlurred)
    }
    return canvas.sprite()
  }

  /// Returns the sprite of a chart. The coverages of its bands add up, as those of a circle.
  private func sprite(
    of look: ChartLook, dx: Int, dy: Int, phaseX: Int32, phaseY: Int32, within window: PixelBox
  ) -> SymbolSprite {
    let shape = look.shape(scale: scale)
    let box = shape.box(phaseX: phaseX, phaseY: phaseY, within: window).moved(dx: dx, dy: dy)
    var canvas = SpriteCanvas(covering: [(box.left, box.top, box.width, box.height)])
    let colors = look.bandColors
    shape.forEachBand(phaseX: phaseX, phaseY: phaseY, within: window, using: rasterizer) {
      canvas.add($1, in: box, color: PremultipliedColor(colors[$0]), isBlurred: false)
    }
    return canvas.sprite()
  }

  private func sprite(
    of look: TextLook, dx: Int, dy: Int, phaseX: Int32, phaseY: Int32, within window: PixelBox
  ) throws -> SymbolSprite {
    let shaped = try shaper.shape(look, scale: scale)
    let fill = shaped.fillMask(phaseX: phaseX, phaseY: phaseY, within: window, using: rasterizer)
    let isOneColor = shaped.parts.allSatisfy { $0.color == nil }
    let fills: [(mask: CoverageMask, color: Color)] =
      isOneColor
      ? [(fill, look.color)]
      : shaped.parts.map { part in
        (
          part.fillMask(phaseX: phaseX, phaseY: phaseY, within: window, using: rasterizer),
          part.color ?? look.color
        )
      }
    var halo = CoverageMask.empty
    if look.haloWidth > 0, look.haloColor.alpha > 0 {
      halo = shaped.haloMask(
        width: look.haloWidth * scale, blur: look.haloBlur * scale, phaseX: phaseX,
        phaseY: phaseY, within: window, using: rasterizer)
    }
    let images = shaped.images.map { image in
      sprite(of: image, in: look, x: Double(phaseX) / 256, y: Double(phaseY) / 256, within: window)
    }
    var canvas = SpriteCanvas(
      covering: [halo, fill].map { $0.box(dx: dx, dy: dy) }
        + images.map { ($0.originX + dx, $0.originY + dy, $0.width, $0.height) })
    if !halo.isEmpty {
      canvas.over(
        halo, color: PremultipliedColor(look.haloColor), dx: dx, dy: dy,
        isBlurred: look.haloBlur > 0)
    }
    for image in images { canvas.over(image, dx: dx, dy: dy) }
    for (mask, color) in fills {
      canvas.over(mask, color: PremultipliedColor(color), dx: dx, dy: dy)
    }
    return canvas.sprite()
  }

  /// Returns the sprite of an image among letters, which is not moved to a whole pixel.
  private func sprite(
    of image: ShapedText.PlacedImage, in look: TextLook, x: Double, y: Double,
    within window: PixelBox
  ) -> SymbolSprite {
    let picture = look.images[image.number]
    let (width, height) = (image.width / scale, image.height / scale)
    var icon = IconLook(
      image: picture,
      columns: [
        IconLook.Stop(texel: 0, place: -width / 2),
        IconLook.Stop(texel: Double(picture.width), place: width / 2),
      ],
      rows: [
        IconLook.Stop(texel: 0, place: -height / 2),
        IconLook.Stop(texel: Double(picture.height), place: height / 2),
      ])
    icon.rotate = image.rotate
    icon.opacity = picture.geometry.isSDF ? 1 : look.imageOpacity
    icon.color = look.color
    icon.haloColor = look.haloColor
    icon.haloWidth = look.haloWidth
    icon.haloBlur = look.haloBlur
    return IconPainter(
      icon, scale: scale, x: x + image.x, y: y + image.y, textScale: look.style.size / 24
    ).sprite(within: window)
  }

  /// Returns the sprite of a whole stack, drawn layer by layer and combined.
  package func sprite(of stack: LookStack, phaseX: Int, phaseY: Int) throws -> StackSprite {
    let layers = try stack.map { entry in
      StackSprite.Layer(
        index: entry.layer, sprite: try sprite(of: entry.look, phaseX: phaseX, phaseY: phaseY))
    }
    return StackSprite(layers: layers.filter { !$0.sprite.isEmpty })
  }

  /// Returns the sprite of a key.
  func sprite(of key: SpriteKey, looks: LookTable) throws -> StackSprite {
    try sprite(
      of: looks.stacks[Int(key.stack)], phaseX: Int(key.phaseX), phaseY: Int(key.phaseY))
  }
}

extension Look {
  /// Whether other stacks often have the look, too: circles, charts, and texts as short as numbers.
  fileprivate var recurs: Bool {
    switch self {
    case .circle, .chart: true
    case .text(let text): text.images.isEmpty && text.text.utf8.count <= 8
    case .icon, .leg: false
    }
  }
}

extension CoverageMask {
  func box(dx: Int, dy: Int) -> (x: Int, y: Int, width: Int, height: Int) {
    (originX + dx, originY + dy, width, height)
  }
}
