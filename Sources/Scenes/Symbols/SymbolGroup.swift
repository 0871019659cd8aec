import Features
import Raster
import Styling

/// The symbols of some layers of one source that share one order of features.
struct SymbolGroup {
  /// Back to front.
  let layers: [LookResolver]

  /// One row a feature and place, in drawing order; where the stack is 0, nothing is left to see.
  var symbols = ZoomSymbols()

  /// The feature of each symbol, where labels look for room or taps are answered: a row of the points or, from their
  /// number on, of the shapes.
  var features = ContiguousArray<UInt32>()

  /// Whether ``features`` is wanted.
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

  /// A feature as expressions see it, until the next one is asked for.
  func feature(_ index: Int) -> FeatureView {
    if let shapes, index >= points.count {
      shapes.row = index - points.count
      return shapes
    }
    points.row = index
    return points
  }

  /// The feature of a symbol, as taps name it.
  func tapFeature(ofSymbol row: Int) -> TapFeature {
    let feature = Int(features[row])
    let isShape = feature >= points.count
    return TapFeature(
      source: sourceIndex, row: isShape ? feature - points.count : feature, isShape: isShape)
  }

  /// The feature of a symbol.
  func feature(ofSymbol row: Int) -> FeatureView { feature(Int(features[row])) }

  @inline(__always)
  mutating func append(_ stack: UInt32, feature: Int, x: Int, y: Int) {
    guard stack != 0 else { return }
    symbols.append(stack: stack, x: x, y: y)
    if keepsFeatures { features.append(UInt32(truncatingIfNeeded: feature)) }
  }

  /// Brings the symbols into order from north to south, as they stand where none is farther north.
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
