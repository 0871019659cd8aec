import Expressions
import Raster
import Styling

/// The placement of labels that find room, decided once for the whole zoom.
///
/// As in MapLibre, layers look for room from the uppermost down, whatever their sources; within a
/// layer, features do so in drawing order. A label shows if its footprint, grown by `text-padding`,
/// meets nothing placed before it. The decision is made on world pixels and is therefore the same
/// in every tile, so no label is cut or doubled at a border.
struct LabelPlacement {
  private let grid: PixelGrid
  private let footprint: LabelFootprint
  private var index: CollisionIndex
  private let sizes = LabelSizes()

  init(grid: PixelGrid, shaper: TextShaper) {
    self.grid = grid
    footprint = LabelFootprint(scale: grid.scale, shaper: shaper)
    index = CollisionIndex(world: grid.worldPixels)
  }

  /// Removes the labels of a layer that find no room from a group's stacks.
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
        let variants = layer.variants(group.feature(ofSymbol: row), of: look)
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

  /// The rules of a layer that do not depend on the feature.
  private struct Rules {
    let overlap: LabelOverlap
    let ignoresPlacement: Bool
    /// The padding in device px; `nil` where it depends on the feature.
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

  /// Returns the label in the first of its places that is free; as in MapLibre, a label that may
  /// cover others first tries all places without doing so.
  private mutating func placed(
    _ number: UInt32, _ look: TextLook, variants: [LabelVariant], _ x: Int, _ y: Int, padding: Int,
    rules: Rules
  ) throws -> TextLook? {
    let tries = variants.isEmpty ? [look] : variants.map { $0.applied(to: look) }
    for overlap in rules.overlap == .never ? [.never] : [.never, rules.overlap] {
      for look in tries {
        let box = footprint.box(of: look, try size(of: number, look)).moved(
          x: x, y: y, padding: padding)
        guard !index.isTaken(box, for: overlap) else { continue }
        if !rules.ignoresPlacement { index.take(box, with: rules.overlap) }
        return look
      }
    }
    return nil
  }

  // MARK: Room that labels take up

  /// Returns the obstacles of a label around its anchor.
  private func obstacles(of number: UInt32, _ look: TextLook) throws -> [LabelObstacle] {
    guard look.poses.isEmpty else { return try footprint.circles(along: look) }
    return [footprint.box(of: look, try size(of: number, look))]
  }

  /// Returns the size of a flat label, measured once for each stack and direction of lines.
  private func size(of number: UInt32, _ look: TextLook) throws -> LabelFootprint.Size {
    let key = LabelSizes.Key(stack: number, writingMode: look.style.writingMode)
    if let known = sizes.size(of: key) { return known }
    let size = try footprint.size(of: look)
    sizes.remember(size, of: key)
    return size
  }
}

/// The sizes of a layer's flat labels, by the number of their stack and the direction of their lines.
///
/// This is a class because a dictionary inside ``LabelPlacement`` was copied for each label: 87,000
/// names at 17 zooms took 109 s instead of 8 s.
private final class LabelSizes {
  struct Key: Hashable {
    let stack: UInt32
    let writingMode: TextStyle.WritingMode
  }

  private var sizes: [Key: LabelFootprint.Size] = [:]

  func size(of key: Key) -> LabelFootprint.Size? { sizes[key] }

  func remember(_ size: LabelFootprint.Size, of key: Key) { sizes[key] = size }

  func removeAll() { sizes.removeAll() }
}
