import Features
import Raster
import Styling

/// The symbols of those layers of one source that share one order of features.
struct SymbolGroup {
  /// The layers, back to front.
  let layers: [LookResolver]

  /// One row per feature and place, in drawing order; a row whose stack is 0 has nothing left to
  /// show.
  var symbols = ZoomSymbols()

  /// The feature of each symbol, for labels that look for room and for taps: a row of the points
  /// or, from their number on, of the shapes.
  var features = ContiguousArray<UInt32>()

  /// Whether ``features`` is filled.
  let keepsFeatures: Bool

  /// The index of the source among those of the build.
  let sourceIndex: Int

  private let points: FeatureView
  private let shapes: FeatureView?

  init(
    layers: [LookResolver], source: SymbolSource, sourceIndex: Int, keepsFeatures: Bool
  ) {
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
    let order = symbols.ys.indices.sorted { (symbols.ys[$0], $0) < (symbols.ys[$1], $1) }
    var sorted = ZoomSymbols()
    for row in order {
      sorted.append(stack: symbols.stacks[row], x: symbols.xs[row], y: symbols.ys[row])
    }
    if keepsFeatures { features = ContiguousArray(order.map { features[$0] }) }
    symbols = sorted
  }
}
