import Platform
import Raster
import Styling
import Tiling

/// A writer of one layer's labels and icons along lines, over the whole world of one zoom.
///
/// Anchors are measured from the start of the whole line, never from a tile's edge.
struct LineSymbols {
  /// The looks of a symbol and the position of its middle.
  struct Symbol {
    let place: WorldPlace
    let looks: [Look]
  }

  private let layer: LookResolver
  private let shaper: TextShaper

  /// The side of the world, in style px.
  private let worldSide: Double

  /// See ``StyleZoom/magnification``. As in MapLibre, symbols keep the positions on a line that
  /// they have at the whole zoom below.
  private let magnification: Double

  /// The zoom at which the style is evaluated.
  private let styleZoom: Double

  /// The distance of symbols, in px of the whole zoom.
  private let spacing: Double
  private let maxAngle: Double

  /// The labels placed so far; `nil` if repeated labels are dropped later.
  private let repeats: RepeatedLabels?

  /// The maximum length of a label, in style px; longer labels are not written, since a mask ends
  /// 2,048 device px from its anchor.
  private static let maxLength = 1000.0

  init(layer: LookResolver, grid: PixelGrid, shaper: TextShaper, repeats: LabelRepeats?) {
    self.layer = layer
    self.shaper = shaper
    worldSide = grid.worldSide
    magnification = grid.magnification
    styleZoom = grid.styleZoom
    spacing = max(1, layer.values.constant(.symbolSpacing, 250))
    maxAngle = layer.values.constant(.textMaxAngle, 45)
    self.repeats = repeats?.labels(
      of: layer.index, distance: spacing / 2 * magnification)
  }

  /// Returns the symbols of a feature on one of its lines.
  ///
  /// As in MapLibre, symbols along a line stand on its parts within the tile's square, and symbols
  /// at the middle stand at the middle of the whole line that the tile has.
  ///
  /// - Parameters:
  ///   - looks: the feature's icon and label, lying flat.
  ///   - feature: the feature that has the line.
  ///   - tile: the tile that has the line; `nil` for a line that no tile cuts.
  /// - Complexity: O(vertices + symbols · glyphs · log vertices).
  func symbols(
    _ looks: [Look], of feature: any LookFeature, on places: [WorldPlace],
    of tile: SourceTile? = nil
  ) throws -> [Symbol] {
    guard let tile, layer.placement == .line else {
      return try symbols(looks, of: feature, onPart: places, of: tile)
    }
    return try tile.parts(of: places).flatMap {
      try symbols(looks, of: feature, onPart: $0, of: tile)
    }
  }

  private func symbols(
    _ looks: [Look], of feature: any LookFeature, onPart places: [WorldPlace],
    of tile: SourceTile?
  ) throws -> [Symbol] {
    guard places.count > 1 else { return [] }
    let wholeLine = LabelLine(
      places, worldSide: worldSide / magnification, keepsVertices: tile != nil)
    let (icon, text) = looks.symbol
    let label = try text.map { try lineLabel($0) }
    let size = emSize(of: text)
    let scale = layer.anchorScale(feature)
    let anchorSize = text == nil ? layer.anchorSize(feature) : size * scale
    let width = label?.flat.layout.width ?? 0
    let length = max(width * scale, icon.map { iconLength($0, em: anchorSize) } ?? 0)
    guard max(length, width) <= Self.maxLength else { return [] }
    let line = wholeLine.magnified(by: magnification)
    var symbols: [Symbol] = []
    let cut = tile.map { tile in
      LabelLine.TileCut(
        isAtStart: tile.isOnSide(places[0]),
        magnification: tile.borders.magnification(at: styleZoom))
    }
    for anchor in anchors(
      on: wholeLine, length: length, size: anchorSize, hasText: text != nil, cut ?? .whole)
    {
      let distance = anchor * magnification
      guard let middle = line.place(at: distance) else { continue }
      var place = WorldPlace(x: middle.x / worldSide, y: middle.y / worldSide)
      if let tile {
        guard let anchor = tile.anchor(at: place) else { continue }
        place = anchor
      }
      var placed: [Look] = []
      if let icon,
        let turned = turned(icon, at: middle, rounded: tile == nil ? nil : place, on: line)
      {
        placed.append(.icon(turned))
      }
      if let text, let label {
        guard
          let written = written(label, of: text, at: distance, on: line, size: size)
        else { continue }
        if layer.placement == .line,
          repeats?.insert(text.text, of: tile?.key, x: middle.x, y: middle.y) == false
        {
          continue
        }
        placed.append(.text(written))
      }
      symbols.append(Symbol(place: place, looks: placed))
    }
    return symbols
  }

  /// A label lying flat, and its glyphs.
  private struct FlatLabel {
    let look: TextLook
    let layout: TextLayout
  }

  /// A label in the directions that it may take along a line.
  private struct LineLabel {
    let flat: FlatLabel
    /// The label set downward, for steep parts of the line; `nil` if it never is.
    let downward: FlatLabel?
  }

  private func lineLabel(_ look: TextLook) throws -> LineLabel {
    var flat = look
    // The offset moves the glyphs along and across the line, not the text's boxes.
    if layer.followsLine {
      flat.style.offsetX = 0
      flat.style.offsetY = 0
      flat.style.justify = .center
    }
    guard layer.mayRunDownward(flat.sections) else {
      return LineLabel(flat: try laidOut(flat), downward: nil)
    }
    var downward = flat
    downward.style.writingMode = .vertical
    return LineLabel(flat: try laidOut(flat), downward: try laidOut(downward))
  }

  private func laidOut(_ look: TextLook) throws -> FlatLabel {
    FlatLabel(look: look, layout: try shaper.layout(look.sections, style: look.style))
  }

  /// Returns the label at a distance along the line; `nil` if a glyph would lie beyond its end.
  private func written(
    _ label: LineLabel, of look: TextLook, at distance: Double, on line: LabelLine, size: Double
  ) -> TextLook? {
    guard layer.followsLine else { return label.flat.look }
    let steep = label.downward.flatMap { downward in
      line.isSteep(around: distance, length: downward.layout.width) ? downward : nil
    }
    let set = steep ?? label.flat
    guard
      let poses = poses(
        of: set.layout, at: distance, on: line, look: look, size: size, isDownward: steep != nil)
    else { return nil }
    var placed = set.look
    placed.poses = poses
    return placed
  }

  /// Returns the size of an em, in pixels; without a text, the size of the layer's labels.
  private func emSize(of text: TextLook?) -> Double {
    let size = text?.style.size ?? layer.values.constant(.textSize, 16)
    return min(max(size, 0), TextStyle.maxSize)
  }

  /// Returns the length of an icon that counts for the spacing of symbols: MapLibre measures it in
  /// 24ths of an em, whatever `icon-size`.
  private func iconLength(_ icon: IconLook, em: Double) -> Double {
    icon.image.displayWidth * em / 24
  }

  /// Returns the direction of a line at a place, in degrees; `nil` if a rounded anchor is the
  /// line's first vertex.
  private func angle(
    at place: LabelLine.Place, rounded anchor: WorldPlace?, on line: LabelLine
  ) -> Double? {
    guard let anchor else { return atan2(place.directionY, place.directionX) * 180 / .pi }
    let direction = line.direction(
      toX: anchor.x * worldSide, y: anchor.y * worldSide, on: place.segment, tolerance: 1e-4)
    return direction.map { atan2($0.y, $0.x) * 180 / .pi }
  }

  /// Returns an icon turned with its line; `nil` where MapLibre does not show it.
  private func turned(
    _ icon: IconLook, at place: LabelLine.Place, rounded anchor: WorldPlace?, on line: LabelLine
  ) -> IconLook? {
    guard layer.turnsIcons else { return icon }
    guard var angle = angle(at: place, rounded: anchor, on: line) else { return nil }
    var turned = icon
    let isFlipped = layer.values.constantFlag(.iconKeepUpright, false) && place.directionX < 0
    if isFlipped { angle += 180 }
    turned.rotate = (icon.rotate + angle).truncatingRemainder(dividingBy: 360)
    turned.lineAngle = turned.rotate - icon.rotate
    return turned
  }

  private func anchors(
    on line: LabelLine, length: Double, size: Double, hasText: Bool, _ cut: LabelLine.TileCut
  ) -> [Double] {
    // As in MapLibre, the bends of the line, and for symbols at the middle also its length, matter
    // only to texts.
    guard layer.placement == .line else {
      let middle = line.length / 2
      let fits = line.bears(length, at: middle, size: size, maxAngle: maxAngle)
      return fits || !hasText ? [middle] : []
    }
    return line.anchors(
      labelLength: length, spacing: spacing, size: size, maxAngle: hasText ? maxAngle : nil, cut)
  }

  /// Returns the poses of the glyphs; `nil` if one would lie beyond the line's end.
  private func poses(
    of layout: TextLayout, at distance: Double, on line: LabelLine, look: TextLook, size: Double,
    isDownward: Bool
  ) -> [GlyphPose]? {
    let middles = layout.middles
    let along = look.style.offsetX * size
    let across = look.style.offsetY * size
    guard let center = line.place(at: distance), let first = middles.min(),
      let last = middles.max()
    else { return nil }
    let isFlipped: Bool
    if let start = line.place(at: distance + along + first),
      let end = line.place(at: distance + along + last), first < last
    {
      isFlipped = keepsUpright && (isDownward ? start.y > end.y : start.x > end.x)
    } else {
      isFlipped = keepsUpright && (isDownward ? center.directionY : center.directionX) < 0
    }
    // A flipped label runs from the line's end to its start; its offset is not flipped.
    let way: Double = isFlipped ? -1 : 1
    let ends = [distance + along + way * first, distance + along + way * last]
    guard ends.allSatisfy({ (0...line.length).contains($0) }) else { return nil }
    let angle = look.style.rotate * .pi / 180
    let (cosine, sine) = (cos(angle), sin(angle))
    // Poses are kept as long as the zoom, so the array reserves exactly what it needs.
    var poses: [GlyphPose] = []
    poses.reserveCapacity(middles.count)
    for middle in middles {
      guard let place = line.place(at: distance + along + way * middle) else { continue }
      let x = layer.keepsGlyphsUpright ? 1 : way * place.directionX
      let y = layer.keepsGlyphsUpright ? 0 : way * place.directionY
      poses.append(
        GlyphPose(
          x: Float(place.x - place.directionY * across - center.x),
          y: Float(place.y + place.directionX * across - center.y),
          cosine: Float(x * cosine - y * sine), sine: Float(y * cosine + x * sine)))
    }
    return poses
  }

  private var keepsUpright: Bool { layer.values.constantFlag(.textKeepUpright, true) }
}
