import Clustering
import Columns
import Features
import Raster
import Styling
import Tiling

/// A resolver that adds the features of a source to the group of layers that shows them.
struct FeatureResolver {
  private let source: SymbolSource
  private let positions: Column<WorldPoint>
  private let grid: PixelGrid
  private let layers: [LookResolver]

  /// The layers that show points, which excludes labels along lines.
  private let pointLayers: [LookResolver]
  private var memo: CountMemo
  private var valueMemo: ValueMemo

  /// The later points of records with several points, and the layers that show these, too; `nil`
  /// if all of ``pointLayers`` show them.
  private let laterPoints: RepeatedPoints?

  /// Whether a layer asks for images, so that features whose image is missing are counted one by
  /// one.
  private let countsMissedImages: Bool

  /// The writers of symbols along lines, by the layer's place in the group.
  private let lineSymbols: [LineSymbols?]

  /// The lines along which layers write, by the layer's place in the group; `nil` for a layer that
  /// writes along the lines of each feature.
  private var mergedLines: [MergedLines?] = []

  /// The shape that carries the symbols of a collection, for layers that mark only the largest
  /// part: by the layer's index in the group and the first shape of the record.
  private var bearers: [[Int: Int]]

  /// - Parameter repeats: the texts that must not be repeated; `nil` if repeated texts are dropped
  ///   later.
  init(
    _ group: SymbolGroup, source: SymbolSource, grid: PixelGrid, shaper: TextShaper,
    repeats: LabelRepeats?
  ) {
    self.source = source
    positions = source.positions
    self.grid = grid
    layers = group.layers
    pointLayers = group.layers.filter { $0.layer.kind != .symbol || $0.placement == .point }
    memo = CountMemo(group: pointLayers, source: source)
    valueMemo = ValueMemo(group: pointLayers)
    laterPoints = RepeatedPoints(of: source, layers: pointLayers)
    countsMissedImages = pointLayers.contains { $0.layer.showsImages }
    bearers = group.layers.map { _ in [:] }
    lineSymbols = group.layers.map { layer in
      guard layer.layer.kind == .symbol, layer.placement != .point else { return nil }
      return LineSymbols(layer: layer, grid: grid, shaper: shaper, repeats: repeats)
    }
  }

  /// Appends the symbols of all features, in the order of the features or of their sort keys.
  mutating func resolve(into group: inout SymbolGroup, looks: inout LookTable) throws {
    group.symbols.reserve(group.pointCount)
    if group.pointCount > 0 { group.feature(0).setValues(of: valueMemo.names) }
    mergedLines = layers.map { mergedLines(of: $0, in: group) }
    if layers.contains(where: \.hasSortKey) {
      for index in order(of: group, by: layers[0]) {
        try append(index, to: &group, looks: &looks)
      }
    } else {
      if !pointLayers.isEmpty { try appendPoints(to: &group, looks: &looks) }
      for index in group.pointCount..<group.featureCount {
        try appendShape(index, to: &group, looks: &looks)
      }
    }
  }

  /// Returns the features by ascending sort key; ties keep their order.
  private func order(of group: SymbolGroup, by layer: LookResolver) -> [Int] {
    let keys = (0..<group.featureCount).map { layer.sortKey(of: group.feature($0)) ?? 0 }
    let rows = pointOrder(of: group) + Array(group.pointCount..<group.featureCount)
    return rows.indices.sorted { (keys[rows[$0]], $0) < (keys[rows[$1]], $1) }.map { rows[$0] }
  }

  /// Returns the points in the order in which they are drawn.
  private func pointOrder(of group: SymbolGroup) -> [Int] {
    source.stacks?.order.map { Int($0) } ?? Array(0..<group.pointCount)
  }

  private mutating func append(_ index: Int, to group: inout SymbolGroup, looks: inout LookTable)
    throws
  {
    if index < group.pointCount {
      if !pointLayers.isEmpty { try appendPoint(index, to: &group, looks: &looks) }
    } else {
      try appendShape(index, to: &group, looks: &looks)
    }
  }

  /// Appends the symbols of all points. If the look follows from the count alone, a known count
  /// does not evaluate the properties again.
  private mutating func appendPoints(to group: inout SymbolGroup, looks: inout LookTable) throws {
    guard laterPoints == nil, source.keptPoints == nil, source.stacks == nil, grid.scaling == nil
    else {
      for index in pointOrder(of: group) { try appendPoint(index, to: &group, looks: &looks) }
      return
    }
    let (counts, step) = (source.level?.counts, grid.step)
    for index in 0..<group.pointCount {
      let count = counts.map { Int($0[index]) } ?? 1
      guard let stack = memo.stack(of: count) else {
        try appendPoint(index, to: &group, looks: &looks)
        continue
      }
      let center = grid.center(positions[index], step: step)
      group.append(stack, feature: index, x: center.x, y: center.y)
    }
  }

  @inline(__always)
  private mutating func appendPoint(
    _ index: Int, to group: inout SymbolGroup, looks: inout LookTable
  ) throws {
    guard source.keptPoints?[index] != false else { return }
    let feature = group.feature(index)
    let center = grid.symbolCenter(positions[index])
    feature.leg = leg(of: index, from: center)
    let stack: UInt32
    if let laterPoints, laterPoints.isLater[index] {
      stack = looks.number(of: try laterPoints.layers.stack(of: feature))
    } else if feature.leg == nil, let known = memo.stack(of: feature.pointCount) {
      stack = known
    } else {
      stack = try pointStack(of: feature, &looks)
    }
    guard stack != 0 else { return }
    for x in grid.turns(of: center.x) { group.append(stack, feature: index, x: x, y: center.y) }
  }

  /// Returns the stack of a point or cluster in all layers.
  private mutating func pointStack(
    of feature: FeatureView, _ looks: inout LookTable
  ) throws -> UInt32 {
    let values = valueMemo.isInUse && feature.leg == nil ? feature.values : nil
    if let known = values.flatMap({ valueMemo.stack(of: $0) }) { return known }
    let missed = missedImages
    let stack = looks.number(of: try pointLayers.stack(of: feature))
    if missedImages == missed, feature.leg == nil {
      memo.remember(stack, for: feature.pointCount)
      if let values { valueMemo.remember(stack, for: values) }
    }
    return stack
  }

  /// Returns the leg of a spread point, in style pixels.
  private func leg(of index: Int, from center: (x: Int, y: Int)) -> SIMD2<Double>? {
    guard let middle = source.stacks?.middle(of: index) else { return nil }
    let end = grid.symbolCenter(middle)
    let world = grid.worldPixels * PixelGrid.phases
    // The short way across the antimeridian.
    let east = (end.x - center.x) % world
    let turns = east > world / 2 ? -world : east < -world / 2 ? world : 0
    let unit = Double(PixelGrid.phases * grid.scale)
    return SIMD2(Double(east + turns) / unit, Double(end.y - center.y) / unit)
  }

  private var missedImages: Int {
    countsMissedImages ? pointLayers.reduce(0) { $0 + $1.values.missedImages } : 0
  }

  // MARK: Shapes

  /// Returns the merged lines of the features of a layer; `nil` if they stay as they are.
  private func mergedLines(of layer: LookResolver, in group: SymbolGroup) -> MergedLines? {
    guard layer.mergesLines, let shapes = source.shapes else { return nil }
    var merged = MergedLines(shapes, worldSide: grid.worldSide / grid.magnification)
    for shape in 0..<shapes.count where source.keptShapes?[shape] != false {
      let feature = group.feature(group.pointCount + shape)
      if let text = layer.mergedText(of: feature) { merged.add(shape, text: text) }
    }
    return merged
  }

  /// Appends a circle at every vertex, as in MapLibre, and icons and labels at the places that
  /// `symbol-placement` selects.
  private mutating func appendShape(
    _ index: Int, to group: inout SymbolGroup, looks: inout LookTable
  ) throws {
    guard let shapes = source.shapes else { return }
    let record = index - group.pointCount
    guard source.keptShapes?[record] != false else { return }
    for (number, layer) in layers.enumerated() where layer.layer.kind != .leg {
      guard bearsSymbols(record, of: number, in: shapes, group) else { continue }
      let feature = group.feature(index)
      let found = try layer.looks(of: feature)
      guard !found.isEmpty else { continue }
      if let symbols = lineSymbols[number] {
        let tile = shapes.tile(of: record)
        let lines =
          mergedLines[number]?.lines(of: record) ?? shapes.lines(of: record, layer.parts)
        for line in lines {
          for symbol in try symbols.symbols(found, of: feature, on: line, of: tile) {
            append(symbol.looks, of: layer, at: symbol.place, index, to: &group, &looks)
          }
        }
      } else {
        let places =
          layer.layer.kind == .circle
          ? shapes.vertices(of: record) : shapes.labelPlaces(of: record, layer.parts)
        for place in places { append(found, of: layer, at: place, index, to: &group, &looks) }
      }
    }
  }

  /// Whether a layer marks a shape. A layer that marks only the largest part of a record marks the
  /// largest of the parts that its filter lets through.
  private mutating func bearsSymbols(
    _ shape: Int, of number: Int, in shapes: SymbolShapes, _ group: SymbolGroup
  ) -> Bool {
    let layer = layers[number]
    guard layer.parts == .largest else { return true }
    let rows = shapes.shapes.owners.rows(sharingRecordOf: shape)
    guard rows.count > 1 else { return true }
    if let bearer = bearers[number][rows.lowerBound] { return bearer == shape }
    let shown = rows.filter {
      source.keptShapes?[$0] != false && layer.takes(group.feature(group.pointCount + $0))
    }
    let bearer = shapes.largest(of: shown)
    bearers[number][rows.lowerBound] = bearer ?? -1
    return bearer == shape
  }

  private func append(
    _ found: [Look], of layer: LookResolver, at place: WorldPlace, _ index: Int,
    to group: inout SymbolGroup, _ looks: inout LookTable
  ) {
    let center = grid.symbolCenter(place.point)
    let stack = looks.number(of: found.map { StackedLook(layer: layer.index, look: $0) })
    for x in grid.turns(of: center.x) { group.append(stack, feature: index, x: x, y: center.y) }
  }
}

/// The points of a source other than the first one of each record that the zoom draws, for layers
/// that mark only the first.
private struct RepeatedPoints {
  /// Whether each point is a later one.
  let isLater: [Bool]

  /// The layers that mark all points.
  let layers: [LookResolver]

  /// Finds the later points; `nil` if all layers draw them like first points.
  ///
  /// Clustered points are all first points, since the first point of a record may be a member of a
  /// cluster.
  ///
  /// - Complexity: O(points).
  init?(of source: SymbolSource, layers: [LookResolver]) {
    self.layers = layers.filter { $0.parts == .all }
    guard self.layers.count < layers.count, source.level == nil, source.points.owners.records != nil
    else { return nil }
    var last: Int?
    isLater = (0..<source.points.count).map { point in
      guard source.keptPoints?[point] != false else { return false }
      let record = source.points.record(of: point)
      defer { last = record }
      return record == last
    }
  }
}

/// The properties of clusters that follow from the count.
enum CountNames {
  static let all: Set = ["cluster", "point_count", "point_count_abbreviated"]
}

/// A cache of look stacks by point count, for a group of layers that reads nothing else of a
/// feature.
private struct CountMemo {
  private let servesPoints: Bool
  private let servesClusters: Bool
  private var stacks: [Int: UInt32] = [:]
  /// The stacks of the counts below 1,024, which are looked up in an array.
  private var small = [UInt32?](repeating: nil, count: 1024)

  init(group: [LookResolver], source: SymbolSource) {
    let names = Set(group.flatMap { $0.layer.propertyNames })
    let readsMore = group.contains {
      $0.layer.usesID || $0.layer.usesAllProperties || $0.layer.usesGeometry
    }
    let columns = Set(source.points.columns.map(\.name))
    let aggregates = Set(source.aggregateNames).union(["cluster_id"])
    servesClusters =
      !readsMore && names.subtracting(CountNames.all).isDisjoint(with: aggregates)
    servesPoints =
      source.level?.isAreal == true
      ? servesClusters : !readsMore && names.isDisjoint(with: columns)
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
