import Columns
package import Features
package import Styling
package import Tiling

/// The symbols of a zoom that are shown, by content and position. The decision is made once among
/// all symbols, so that any part of them can be drawn without the others.
///
/// A symbol takes some thirty bytes. Equal symbols at one position are told apart by their order.
package struct VisibleSymbols: Sendable {
  /// Maximum number of layers of a group with symbols to be placed: each takes two bits of a word.
  static let layerLimit = 16

  private var symbols: SceneTable

  /// The visible parts of each symbol: for each layer to be placed, one bit for the label and one
  /// for the icon.
  private var kept: Column<UInt32>

  /// The place of each symbol's label among those that it may take.
  private var choices: Column<UInt16>

  /// The distance from a symbol's anchor beyond which no symbol shows a pixel, in device px.
  package internal(set) var reach = 0

  /// The images that layers ask for and the style does not have.
  package internal(set) var missingImages = MissingImages()

  /// The numbers of the style that were not finite.
  package internal(set) var unusable = UnusableNumbers()

  /// The hash of the symbols in each square that has any, with all that was decided on them.
  private var cells: [TileKey: StableHash] = [:]

  init(in scratch: Scratch?) {
    symbols = SceneTable(in: scratch)
    kept = Column(in: scratch)
    choices = Column(in: scratch)
  }

  /// Adds a symbol with all its parts visible.
  ///
  /// - Returns: its number.
  mutating func insert(_ key: StableHash) -> Int {
    var key = key
    while true {
      let (number, isNew) = symbols.insert(key)
      if isNew {
        kept.append(.max)
        choices.append(0)
        return number
      }
      key.combine(1)
    }
  }

  /// Hides the label or the icon of a layer in a symbol.
  mutating func hide(_ part: Part, of layer: Int, at number: Int) {
    kept[number] &= ~Self.bit(part, of: layer)
  }

  /// Gives the label of a symbol one of the places that it may take. A layer with such labels has a
  /// group of its own.
  mutating func choose(_ choice: Int, at number: Int) { choices[number] = UInt16(clamping: choice) }

  /// The parts of a symbol that are placed separately.
  enum Part: UInt32 {
    case label = 1
    case icon = 2
  }

  private static func bit(_ part: Part, of layer: Int) -> UInt32 {
    part.rawValue << UInt32(2 * layer)
  }

  /// Hashes symbols into the squares of a zoom in which they stand.
  mutating func hash(
    _ numbers: Column<UInt32>, _ list: SymbolRequests.List, inCellsOf zoom: Int, _ grid: PixelGrid
  ) {
    let (side, world) = (grid.tilePixels * PixelGrid.phases << (grid.zoom - zoom), 1 << zoom)
    for (row, number) in numbers.enumerated() {
      let column = Int((Double(list.xs[row]) / Double(side)).rounded(.down))
      let line = Int((Double(list.ys[row]) / Double(side)).rounded(.down))
      let cell = TileKey(
        column: ((column % world) + world) % world, row: min(max(line, 0), world - 1))
      var hash = cells[cell] ?? StableHash()
      hash.combine(symbols.hashes[Int(number)])
      hash.combine(UInt64(kept[Int(number)]) << 16 | UInt64(choices[Int(number)]))
      if !list.sortKeys.isEmpty { hash.combine(list.sortKeys[row]) }
      cells[cell] = hash
    }
  }

  /// Returns a hash of the symbols in some squares, with all that was decided on them.
  package func hash(of range: TileRange) -> StableHash {
    var hash = StableHash()
    range.forEachKey { key in
      if let cell = cells[key] {
        hash.combine(key.rawValue)
        hash.combine(cell)
      }
      return true
    }
    return hash
  }

  /// Removes the symbols, labels and icons of a group that are not shown, and moves labels to the
  /// places that were found.
  ///
  /// - Parameter layers: the layers of the group that look for room, in the order of their bits.
  /// - Complexity: O(symbols).
  func filter(
    _ group: inout SymbolGroup, layers: [LookResolver], looks: inout LookTable
  ) throws {
    let hasChoices = layers.contains(where: \.hasVariants)
    var seen: Set<StableHash> = []
    for row in 0..<group.symbols.count where group.symbols.stacks[row] != 0 {
      var key = group.key(ofSymbol: row, looks)
      while !seen.insert(key).inserted { key.combine(1) }
      guard let number = symbols.number(of: key) else {
        group.symbols.stacks[row] = 0
        continue
      }
      guard hasChoices || kept[number] != .max else { continue }
      let stack = looks.stacks[Int(group.symbols.stacks[row])]
      let shown = try stack.compactMap { entry in
        try self.shown(entry, of: stack, layers, at: number, group.feature(ofSymbol: row))
      }
      group.symbols.stacks[row] = looks.number(of: shown)
    }
  }

  /// Returns a look of a symbol's stack as it shows; `nil` if it is hidden.
  private func shown(
    _ entry: StackedLook, of stack: LookStack, _ layers: [LookResolver], at number: Int,
    _ feature: any LookFeature
  ) throws -> StackedLook? {
    guard let index = layers.firstIndex(where: { $0.index == entry.layer }) else { return entry }
    let layer = layers[index]
    let hasLabel = kept[number] & Self.bit(.label, of: index) != 0
    func chosen(_ text: TextLook) -> TextLook {
      guard hasLabel, layer.hasVariants, text.poses.isEmpty else { return text }
      let looks = layer.choices(of: text, feature)
      return looks[min(Int(choices[number]), looks.count - 1)]
    }
    switch entry.look {
    case .text(let text):
      return hasLabel ? StackedLook(layer: entry.layer, look: .text(chosen(text))) : nil
    case .icon(let icon):
      guard kept[number] & Self.bit(.icon, of: index) != 0 else { return nil }
      let text = stack.symbol(of: entry.layer).text.map(chosen)
      return StackedLook(
        layer: entry.layer, look: .icon(try layer.icon(icon, beside: text, feature)))
    case .circle, .chart, .leg: return entry
    }
  }
}

extension SymbolGroup {
  /// Returns a hash of a symbol's looks and place, and of whether its feature is a point.
  func key(ofSymbol row: Int, _ looks: LookTable) -> StableHash {
    var key = looks.hashes[Int(symbols.stacks[row])]
    key.combine(isShape(ofSymbol: row) ? 1 : 0)
    key.combine(symbols.xs[row])
    key.combine(symbols.ys[row])
    return key
  }

  /// Whether the feature of a symbol is a line or polygon.
  func isShape(ofSymbol row: Int) -> Bool { Int(features[row]) >= pointCount }
}
