import Features
import Styling

/// The looks that one layer gives to the shapes of its source at one zoom.
struct ShapeLayerLooks {
  /// The number that stands for "not drawn".
  static let none = UInt32.max

  /// The layer's index in the style.
  let layer: Int

  /// The number of the look of each shape's area; empty if the layer draws no areas.
  private(set) var areas = ContiguousArray<UInt32>()

  /// The number of the look of each shape's line; empty if the layer draws no lines.
  private(set) var lines = ContiguousArray<UInt32>()

  /// The rank of each shape in the layer's order; `nil` if that is the order of the source.
  private(set) var ranks: ContiguousArray<UInt32>?

  /// Creates the looks by evaluating the layer for every shape.
  ///
  /// - Complexity: O(shapes), and O(shapes · log shapes) with a sort key.
  init(
    _ resolver: ShapeLookResolver, of source: ShapeSource, table: inout ShapeLookTable,
    _ missing: inout MissingImages
  ) {
    layer = resolver.index
    let count = source.shapes.count
    let shape = source.view()
    var isUsed = (areas: false, lines: false)
    areas.reserveCapacity(count)
    lines.reserveCapacity(count)
    // If only the filter depends on the shape, the look of the first visible shape serves for all.
    let isUniform = resolver.isUniform
    var common: (area: UInt32, line: UInt32)?
    var shown = 0
    for row in 0..<count {
      var numbers = (area: Self.none, line: Self.none)
      shape.row = row
      if source.kept?[row] != false, resolver.shows(shape) {
        shown += 1
        numbers = common ?? Self.numbers(resolver.looks(of: shape), &table)
        if isUniform { common = numbers }
      }
      areas.append(numbers.area)
      lines.append(numbers.line)
      isUsed.areas = isUsed.areas || numbers.area != Self.none
      isUsed.lines = isUsed.lines || numbers.line != Self.none
    }
    if !isUsed.areas { areas = [] }
    if !isUsed.lines { lines = [] }
    if resolver.hasSortKey { ranks = Self.ranks(resolver, shape, count) }
    table.unusable.insert(resolver.unusable, of: layer)
    if isUniform {
      for entry in resolver.missingImages.entries { missing.count(entry.name, features: shown) }
    } else {
      missing.add(resolver.missingImages)
    }
  }

  private static func numbers(
    _ looks: ShapeLookResolver.Looks, _ table: inout ShapeLookTable
  ) -> (area: UInt32, line: UInt32) {
    (
      looks.area.map { table.number(of: $0) } ?? none,
      looks.line.map { table.number(of: $0) } ?? none
    )
  }

  /// Returns the ranks by ascending sort key; ties keep their order.
  private static func ranks(
    _ resolver: ShapeLookResolver, _ shape: FeatureView, _ count: Int
  ) -> ContiguousArray<UInt32> {
    let keys = (0..<count).map { row in
      shape.row = row
      return resolver.sortKey(of: shape)
    }
    var ranks = ContiguousArray<UInt32>(repeating: 0, count: count)
    let order = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    for (rank, row) in order.enumerated() { ranks[row] = UInt32(rank) }
    return ranks
  }

  /// Returns the look of a shape's area, or `nil`.
  func area(_ shape: Int) -> UInt32? {
    areas.isEmpty || areas[shape] == Self.none ? nil : areas[shape]
  }

  /// Returns the look of a shape's line, or `nil`.
  func line(_ shape: Int) -> UInt32? {
    lines.isEmpty || lines[shape] == Self.none ? nil : lines[shape]
  }

  /// Returns the greatest distance that a look of this layer reaches beyond its shape, in device
  /// px.
  static func reach(
    _ numbers: ContiguousArray<UInt32>, _ table: ShapeLookTable, scale: Int
  ) -> Double {
    var isSeen = [Bool](repeating: false, count: table.looks.count)
    for number in numbers where number != none { isSeen[Int(number)] = true }
    return isSeen.indices.reduce(0) {
      isSeen[$1] ? max($0, table.looks[$1].reach(scale: scale)) : $0
    }
  }
}
