import Features
import SpatialIndex
import Styling
import Tiling

/// The symbols of those layers of one source that share one order of features.
struct SymbolGroup {
  /// The layers, back to front.
  let layers: [LookResolver]

  /// One row per feature and place, in drawing order; a row with stack 0 shows nothing any more.
  var symbols: ZoomSymbols

  /// The feature of each symbol, for labels to be placed and for taps: a row of the points, or
  /// from ``pointCount`` on a row of the shapes.
  var features: Column<UInt32>

  /// Whether ``features`` is filled.
  let keepsFeatures: Bool

  /// The tiles by which symbols are ordered; `nil` for features that do not come from tiles, and
  /// if a sort key orders the features of all tiles together.
  let tiles: SourceTileRaster?

  /// Whether the features come from tiles.
  let isOfTiles: Bool

  /// The index of the source among the sources of the build.
  let sourceIndex: Int

  private let points: FeatureView
  private let shapes: FeatureView?

  init(
    layers: [LookResolver], source: SymbolSource, sourceIndex: Int, grid: PixelGrid,
    keepsFeatures: Bool
  ) {
    isOfTiles = source.borders != nil
    tiles =
      layers.contains(where: \.hasSortKey)
      ? nil : source.borders.map { SourceTileRaster($0, grid) }
    symbols = ZoomSymbols(in: source.points.scratch)
    features = Column(in: source.points.scratch)
    self.layers = layers
    self.sourceIndex = sourceIndex
    self.keepsFeatures = keepsFeatures
    points = FeatureView(
      points: source.points, level: source.level, aggregateNames: source.aggregateNames)
    shapes = source.shapes.map { FeatureView(shapes: $0.shapes) }
  }

  /// The number of features: points or clusters, then shapes.
  var featureCount: Int { points.count + (shapes?.count ?? 0) }

  /// The number of points or clusters.
  var pointCount: Int { points.count }

  /// Returns a feature as expressions see it; the result is valid until the next call.
  func feature(_ index: Int) -> FeatureView {
    if let shapes, index >= points.count {
      shapes.row = index - points.count
      return shapes
    }
    points.row = index
    return points
  }

  /// Returns the feature of a symbol, as an identifier for taps.
  func tapFeature(ofSymbol row: Int) -> TapFeature {
    let feature = Int(features[row])
    let isShape = feature >= points.count
    return TapFeature(
      source: sourceIndex, row: isShape ? feature - points.count : feature, isShape: isShape)
  }

  /// Returns the feature of a symbol.
  func feature(ofSymbol row: Int) -> FeatureView { feature(Int(features[row])) }

  @inline(__always)
  mutating func append(_ stack: UInt32, feature: Int, x: Int, y: Int) {
    guard stack != 0 else { return }
    symbols.append(stack: stack, x: x, y: y)
    if keepsFeatures { features.append(UInt32(truncatingIfNeeded: feature)) }
  }

  /// Returns the rows of each tile, in drawing order; all as one without tiles.
  ///
  /// - Complexity: O(symbols) with tiles.
  func rowsByTile() -> [Range<Int>] {
    guard let tiles, symbols.count > 0 else { return [0..<symbols.count] }
    func tile(_ row: Int) -> UInt64 { tiles.tile(x: symbols.xs[row], y: symbols.ys[row]) }
    var runs: [Range<Int>] = []
    var start = 0
    for row in 1..<symbols.count where tile(row) != tile(start) {
      runs.append(start..<row)
      start = row
    }
    return runs + [start..<symbols.count]
  }

  /// Whether drawing starts with the last feature: in MapLibre, the first of a tile's symbols at
  /// one latitude is drawn last.
  var isFromLast: Bool {
    tiles != nil && layers.contains { $0.isOrderedByLatitude || $0.isDrawnFromNorth }
  }

  /// Whether the drawing order is that of latitudes.
  var isByLatitude: Bool { layers.contains(where: \.isOrderedByLatitude) }

  /// Sorts the symbols from the order of their features into drawing order.
  mutating func sortForDrawing() {
    if isFromLast { reverse() }
    if isByLatitude { sortByLatitude() }
    if let tiles { sortByTile(tiles) }
  }

  /// Sorts the symbols from north to south; ties keep their order.
  private mutating func sortByLatitude() {
    // Radix keys are unsigned, so the sign bit is flipped.
    sort(by: symbols.ys.lazy.map { UInt64(bitPattern: Int64($0)) ^ 1 << 63 })
  }

  /// Puts the symbols in the opposite order.
  private mutating func reverse() {
    sort(by: (0..<UInt64(symbols.count)).reversed())
  }

  /// Sorts the symbols by the tiles they come from, row by row from the north-west to the south-east;
  /// those of one tile keep their order.
  private mutating func sortByTile(_ raster: SourceTileRaster) {
    sort(by: zip(symbols.xs, symbols.ys).lazy.map { raster.tile(x: $0, y: $1) })
  }

  private mutating func sort(by keys: some Sequence<UInt64>) {
    let scratch = symbols.scratch
    var keys = Column(keys, in: scratch)
    var order = Column(0..<UInt32(symbols.count), in: scratch)
    var sorter = RadixSorter()
    // The sorter is stable.
    sorter.sort(&keys, &order)
    var sorted = ZoomSymbols(in: scratch)
    for row in order.lazy.map({ Int($0) }) {
      sorted.append(stack: symbols.stacks[row], x: symbols.xs[row], y: symbols.ys[row])
    }
    if keepsFeatures {
      var moved = Column<UInt32>(in: scratch)
      for row in order { moved.append(features[Int(row)]) }
      features = moved
    }
    symbols = sorted
  }
}
