package import Clustering
package import Features
package import Raster
import Tiling

/// A source as the scene stage takes it: its points, and its clusters at the zoom.
package struct SymbolSource {
  package let id: String
  package let points: PointSet

  /// The clusters of the zoom; `nil` where every point stands alone.
  package let level: ClusterLevel?

  /// The names of the level's aggregates.
  package let aggregateNames: [String]

  package init(
    id: String, points: PointSet, level: ClusterLevel?, aggregateNames: [String] = []
  ) {
    self.id = id
    self.points = points
    self.level = level
    self.aggregateNames = aggregateNames
  }
}

/// Turns the features of a zoom into symbols: place and look stack.
package struct SymbolResolver {
  private let style: Style
  private let shaper: TextShaper

  package init(style: Style, fonts: FontLibrary) {
    self.style = style
    shaper = TextShaper(fonts: fonts)
  }

  /// The symbols of all sources at a zoom, in drawing order.
  ///
  /// - Complexity: O(features); looks that depend on the count alone are evaluated once a count.
  package func symbols(of sources: [SymbolSource], grid: PixelGrid, looks: inout LookTable)
    throws -> ZoomSymbols
  {
    var symbols = ZoomSymbols()
    var placement = LabelPlacement(grid: grid, shaper: shaper)
    let found = sources.flatMap { source in
      groups(of: source.id, zoom: grid.zoom).map { (source: source, layers: $0) }
    }
    // Layers, not groups, decide what covers what; so groups come in the order in which their
    // labels look for places, upper layers first.
    let order = found.indices.sorted {
      found[$1].layers.top < found[$0].layers.top
    }
    for index in order {
      try append(
        found[index].source, found[index].layers, grid, &looks, &placement, to: &symbols)
    }
    return symbols
  }

  /// The layers of a source that show at a zoom, so grouped that one order of features serves all
  /// layers of a group: a layer with a sort key stands alone.
  private func groups(of source: String, zoom: Int) -> [[LookResolver]] {
    var plain: [LookResolver] = []
    var sorted: [[LookResolver]] = []
    var lists = 0
    for index in style.layers(of: source) where style.layers[index].shows(at: zoom) {
      let resolver = LookResolver(
        style.layers[index], index: index, zoom: zoom, shaper: shaper, nextList: &lists)
      if resolver.hasSortKey { sorted.append([resolver]) } else { plain.append(resolver) }
    }
    return (plain.isEmpty ? [] : [plain]) + sorted
  }

  private func append(
    _ source: SymbolSource, _ group: [LookResolver], _ grid: PixelGrid, _ looks: inout LookTable,
    _ placement: inout LabelPlacement, to symbols: inout ZoomSymbols
  ) throws {
    let feature = FeatureView(
      points: source.points, level: source.level, aggregateNames: source.aggregateNames)
    symbols.reserve(symbols.count + feature.count)
    var memo = CountMemo(group: group, source: source)
    let positions = source.level?.positions ?? source.points.positions
    for row in order(of: feature, by: group[0]) {
      feature.row = row
      let center = grid.symbolCenter(positions[row])
      let stack: UInt32
      if let known = memo.stack(of: feature.pointCount) {
        stack = known
      } else {
        stack = looks.number(of: try Self.stack(of: feature, group))
        memo.remember(stack, for: feature.pointCount)
      }
      guard stack != 0 else { continue }
      let placed = try placement.place(
        stack, at: center, feature, group, looks: &looks)
      if placed != 0 { symbols.append(stack: placed, x: center.x, y: center.y) }
    }
  }

  /// Rows in drawing order: as they stand, or by ascending sort key, ties as they stand.
  private func order(of feature: FeatureView, by layer: LookResolver) -> [Int] {
    guard layer.hasSortKey else { return Array(0..<feature.count) }
    let keys = (0..<feature.count).map { row in
      feature.row = row
      return layer.sortKey(of: feature) ?? 0
    }
    return keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
  }

  static func stack(of feature: any LookFeature, _ group: [LookResolver]) throws -> LookStack {
    try group.compactMap { resolver in
      try resolver.look(of: feature).map { StackedLook(layer: resolver.index, look: $0) }
    }
  }
}

extension [LookResolver] {
  /// The uppermost layer of a group, as its index in the style.
  fileprivate var top: Int { last?.index ?? -1 }
}

/// Look stacks by point count, where a group of layers reads nothing else of a feature.
private struct CountMemo {
  /// Properties of clusters that follow from the count.
  private static let countNames: Set = ["cluster", "point_count", "point_count_abbreviated"]

  private let servesPoints: Bool
  private let servesClusters: Bool
  private var stacks: [Int: UInt32] = [:]
  /// Counts below this are looked up in an array.
  private var small = [UInt32?](repeating: nil, count: 1024)

  init(group: [LookResolver], source: SymbolSource) {
    let names = Set(group.flatMap { $0.layer.propertyNames })
    let readsMore = group.contains {
      $0.layer.usesID || $0.layer.usesAllProperties || $0.layer.usesGeometry
    }
    let columns = Set(source.points.columns.map(\.name))
    servesPoints = !readsMore && names.isDisjoint(with: columns)
    let aggregates = Set(source.aggregateNames).union(["cluster_id"])
    servesClusters =
      !readsMore && names.subtracting(Self.countNames).isDisjoint(with: aggregates)
  }

  @inline(__always)
  func stack(of count: Int) -> UInt32? {
    count < small.count ? small[count] : stacks[count]
  }

  mutating func remember(_ stack: UInt32, for count: Int) {
    guard count == 1 ? servesPoints : servesClusters else { return }
    if count < small.count { small[count] = stack } else { stacks[count] = stack }
  }
}
