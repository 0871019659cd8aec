import Expressions
import Features
import OrderedCollections

/// A compiled filter on the rows of a batch.
final class BatchFilter {
  private let filter: CompiledFilter
  private let feature: BatchFeature

  init(_ filter: CompiledFilter) {
    self.filter = filter
    feature = BatchFeature(names: filter.propertyNames)
  }

  /// Whether a record passes.
  func matches(_ batch: FeatureBatch, _ row: Int) -> Bool {
    feature.batch = batch
    feature.row = row
    return filter.matches(EvaluationContext(zoom: 0, feature: feature))
  }
}

/// A record of a batch as expressions see it.
private final class BatchFeature: PropertySource {
  private let names: [String]
  private var columns: [Int?] = []
  private var columnCount = -1
  var row = 0
  var batch = FeatureBatch() {
    didSet {
      guard batch.columns.count != columnCount else { return }
      columnCount = batch.columns.count
      columns = names.map { name in batch.columns.firstIndex { $0.name == name } }
    }
  }

  init(names: [String]) {
    self.names = names
  }

  func property(_ slot: Int) -> PropertyValue? {
    columns[slot].flatMap { batch.columns[$0].value(row) }
  }

  var id: PropertyValue? { batch.ids.value(row) }

  var geometryType: String? {
    switch batch.geometry.kinds[row] {
    case .none, .collection: nil
    case .point, .multiPoint: "Point"
    case .lineString, .multiLineString: "LineString"
    case .polygon, .multiPolygon: "Polygon"
    }
  }

  var geometry: RecordGeometry {
    batch.geometry.kinds[row] == .none ? .none : .shape(batch.geometry, record: row)
  }

  var allProperties: PropertyValue {
    .object(
      .init(batch.columns.compactMap { column in column.value(row).map { (column.name, $0) } }) {
        first, _ in first
      })
  }
}
