import Features
import SpatialIndex
import Styling

/// The symbols of those layers of one source that share one order of features.
struct SymbolGroup {
  /// The layers, back to front.
  let layers: [LookResolver]

  /// One row per feature and place, in drawing order; a row whose stack is 0 has nothing left to
  /// show.
  var symbols: ZoomSymbols

  /// The feature of each symbol, for labels that look for room and for taps: a row of the points
  /// or, from their number on, of the shapes.
  var features: Column<UInt32>

  /// Whether ``features`` is filled.
  let keepsFeatures: Bool

  /// The index of the source among the sources of the build.
  let sourceIndex: Int

  private let points: FeatureView
  private let shapes: FeatureView?

  init(
    layers: [LookResolver], source: SymbolSource, sourceIndex: Int, keepsFeatures: Bool
  ) {
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

  /// Sorts the symbols from north to south; ties keep their order.
  mutating func sortByLatitude() {
    let scratch = symbols.scratch
    // The sorter is stable, and its keys have no sign.
    var keys = Column(
      symbols.ys.lazy.map { UInt64(bitPattern: Int64($0)) ^ 1 << 63 }, in: scratch)
    var order = Column(0..<UInt32(symbols.count), in: scratch)
    var sorter = RadixSorter()
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
