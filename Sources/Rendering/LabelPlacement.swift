import Expressions
import Raster

/// Decides which labels find room, once for the whole zoom.
///
/// As in MapLibre, layers look for room from the uppermost down, whatever their sources; within a
/// layer features do in drawing order. A label shows if what it takes up, grown by `text-padding`,
/// meets nothing placed before it. Because the decision is made on world pixels it is the same in
/// every tile, so no label is cut or doubled at a border.
struct LabelPlacement {
  private let grid: PixelGrid
  private let shaper: TextShaper
  private var index: CollisionIndex
  private let sizes = LabelSizes()

  /// Device px from its anchor within which a label takes room; bounds the squares of one label.
  private static let reach = 8192.0

  init(grid: PixelGrid, shaper: TextShaper) {
    self.grid = grid
    self.shaper = shaper
    index = CollisionIndex(world: grid.worldPixels)
  }

  /// Takes the labels of a layer out of a group's stacks that find no room.
  ///
  /// - Complexity: O(symbols), each with the labels near it.
  mutating func place(_ layer: LookResolver, in group: inout SymbolGroup, looks: inout LookTable)
    throws
  {
    sizes.removeAll()
    let rules = Rules(layer, scale: grid.scale)
    var without: [UInt32: UInt32] = [:]
    let rows = 0..<group.symbols.count
    for step in rows {
      let row = layer.isOrderedByLatitude ? rows.count - 1 - step : step
      let number = group.symbols.stacks[row]
      guard number != 0, let look = Self.label(of: layer.index, in: looks.stacks[Int(number)])
      else { continue }
      let padding =
        rules.padding
        ?? Rules.pixels(
          layer.padding(group.feature(ofSymbol: row)), scale: grid.scale)
      let x = group.symbols.xs[row] >> 4
      let y = group.symbols.ys[row] >> 4
      if layer.hasVariants, look.poses.isEmpty {
        let variants = layer.variants(group.feature(ofSymbol: row))
        let placed = try placed(
          number, look, variants: variants, x, y, padding: padding, rules: rules)
        group.symbols.stacks[row] =
          placed.map { looks.number(of: [StackedLook(layer: layer.index, look: .text($0))]) } ?? 0
        continue
      }
      let obstacles = try obstacles(of: number, look).map {
        $0.moved(x: x, y: y, padding: padding)
      }
      if obstacles.contains(where: { index.isTaken($0, for: rules.overlap) }) {
        let rest =
          without[number]
          ?? looks.number(
            of: looks.stacks[Int(number)].filter { $0.layer != layer.index })
        without[number] = rest
        group.symbols.stacks[row] = rest
      } else if !rules.ignoresPlacement {
        for obstacle in obstacles { index.take(obstacle, with: rules.overlap) }
      }
    }
  }

  /// A layer's rules, as far as they do not depend on the feature.
  private struct Rules {
    let overlap: LabelOverlap
    let ignoresPlacement: Bool
    /// Device px; `nil` where it depends on the feature.
    let padding: Int?

    init(_ layer: LookResolver, scale: Int) {
      overlap = layer.overlap
      ignoresPlacement = layer.ignoresPlacement
      padding =
        !layer.values.isConstant(.textPadding)
        ? nil : Self.pixels(layer.values.constant(.textPadding, 2), scale: scale)
    }

    static func pixels(_ padding: Double, scale: Int) -> Int {
      Int(min(max(padding * Double(scale), 0), 4096).rounded(.up))
    }
  }

  private static func label(of layer: Int, in stack: LookStack) -> TextLook? {
    for entry in stack where entry.layer == layer {
      if case .text(let look) = entry.look { return look }
    }
    return nil
  }

  /// The label in the first of its places that is free; as MapLibre does, one that may cover others
  /// first tries all places without.
  private mutating func placed(
    _ number: UInt32, _ look: TextLook, variants: [LabelVariant], _ x: Int, _ y: Int, padding: Int,
    rules: Rules
  ) throws -> TextLook? {
    let size = try size(of: number, look)
    let tries = variants.isEmpty ? [look] : variants.map { $0.applied(to: look) }
    for overlap in rules.overlap == .never ? [.never] : [.never, rules.overlap] {
      for look in tries {
        let box = box(of: look, size).moved(x: x, y: y, padding: padding)
        guard !index.isTaken(box, for: overlap) else { continue }
        if !rules.ignoresPlacement { index.take(box, with: rules.overlap) }
        return look
      }
    }
    return nil
  }

  // MARK: What labels take up

  /// The obstacles of a label around its anchor.
  private func obstacles(of number: UInt32, _ look: TextLook) throws -> [LabelObstacle] {
    guard look.poses.isEmpty else { return try circles(along: look) }
    return [box(of: look, try size(of: number, look))]
  }

  /// The size of a flat label; measured once for each stack.
  private func size(of number: UInt32, _ look: TextLook) throws -> LabelSizes.Size {
    if let known = sizes.size(of: number) { return known }
    let layout = try layout(of: look)
    let size = LabelSizes.Size(width: layout.width, height: layout.height)
    sizes.remember(size, of: number)
    return size
  }

  private func layout(of look: TextLook) throws -> TextLayout {
    var style = look.style
    style.size *= Double(grid.scale)
    return try shaper.layout(look.sections, style: style)
  }

  /// The box around the lines of a flat label, turned as the label is.
  private func box(of look: TextLook, _ size: LabelSizes.Size) -> LabelObstacle {
    let scale = Double(grid.scale)
    let lines = look.style.box(width: size.width, height: size.height, scale: scale)
    let x = look.translateX * scale
    let y = look.translateY * scale
    return LabelObstacle(
      left: Self.pixel((lines.minX + x).rounded(.down)),
      top: Self.pixel((lines.minY + y).rounded(.down)),
      right: Self.pixel((lines.maxX + x).rounded(.up)),
      bottom: Self.pixel((lines.maxY + y).rounded(.up)))
  }

  /// A row of circles along the glyphs, as high as the text.
  ///
  /// As MapLibre has them: a circle is at least ten 24ths of an em wide, and its neighbour stands
  /// up to two and a half radii away.
  private func circles(along look: TextLook) throws -> [LabelObstacle] {
    let scale = Double(grid.scale)
    let size = min(look.style.size * scale, TextStyle.maxSize)
    let radius = max(try layout(of: look).height, size * 10 / 24) / 2
    guard (0.01..<Self.reach).contains(radius) else { return [] }
    let path = LabelPath(look.poses, scale: scale)
    let margin = min(radius / 4, path.length / 2)
    let count =
      path.length <= radius / 2
      ? 1 : Int(min(((path.length - 2 * margin) / (2.5 * radius)).rounded(.up), 1024)) + 1
    return (0..<count).map { number in
      let share = count == 1 ? 0.5 : Double(number) / Double(count - 1)
      let middle = path.place(at: margin + share * (path.length - 2 * margin))
      let x = middle.x + look.translateX * scale
      let y = middle.y + look.translateY * scale
      return LabelObstacle(
        left: Self.pixel((x - radius).rounded()), top: Self.pixel((y - radius).rounded()),
        right: Self.pixel((x + radius).rounded()), bottom: Self.pixel((y + radius).rounded()),
        isCircle: true)
    }
  }

  /// A coordinate of a box: what is beyond any label's reach is as good as the reach.
  private static func pixel(_ value: Double) -> Int {
    guard value > -Self.reach else { return Int(-Self.reach) }
    return Int(min(value, Self.reach))
  }
}

/// The sizes of a layer's flat labels, by the number of their stack.
///
/// An object, for a dictionary inside ``LabelPlacement`` was copied for each label: 87,000 names at
/// 17 zooms took 109 s instead of 8 s.
private final class LabelSizes {
  /// A label's lines, device px.
  struct Size {
    let width: Double
    let height: Double
  }

  private var sizes: [UInt32: Size] = [:]

  func size(of stack: UInt32) -> Size? { sizes[stack] }

  func remember(_ size: Size, of stack: UInt32) { sizes[stack] = size }

  func removeAll() { sizes.removeAll() }
}

/// The way that a label's glyphs take, device px around its anchor.
private struct LabelPath {
  private var places: [(x: Double, y: Double, distance: Double)] = []

  init(_ poses: [GlyphPose], scale: Double) {
    for pose in poses {
      let (x, y) = (Double(pose.x) * scale, Double(pose.y) * scale)
      let way = places.last.map { last in
        let (dx, dy) = (x - last.x, y - last.y)
        return last.distance + (dx * dx + dy * dy).squareRoot()
      }
      places.append((x, y, way ?? 0))
    }
  }

  var length: Double { places.last?.distance ?? 0 }

  func place(at distance: Double) -> (x: Double, y: Double) {
    guard let next = places.firstIndex(where: { $0.distance >= distance }) else {
      return places.last.map { ($0.x, $0.y) } ?? (0, 0)
    }
    let end = places[next]
    guard next > 0, end.distance > places[next - 1].distance else { return (end.x, end.y) }
    let start = places[next - 1]
    let share = (distance - start.distance) / (end.distance - start.distance)
    return (start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
  }
}
