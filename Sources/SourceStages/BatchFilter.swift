import Expressions
import Features
import OrderedCollections

/// A compiled filter applied to the rows of a batch.
final class BatchFilter {
  private let filter: CompiledFilter
  private let feature: BatchFeature

  /// - Parameter id: the property that holds the records' id; `nil` without one.
  package init(_ filter: CompiledFilter, id: String? = nil) {
    self.filter = filter
    feature = BatchFeature(names: filter.propertyNames, idName: id)
  }

  /// Returns a test that a row passes if it passes all filters; `nil` if there are no filters.
  ///
  /// - Parameter id: the property that is the records' id, if one is.
  static func test(
    _ filters: [CompiledFilter], id: String?
  ) -> ((FeatureBatch, Int) -> Bool)? {
    guard !filters.isEmpty else { return nil }
    let compiled = filters.map { BatchFilter($0, id: id) }
    return { batch, row in compiled.allSatisfy { $0.matches(batch, row) } }
  }

  /// Whether a record passes.
  func matches(_ batch: FeatureBatch, _ row: Int) -> Bool {
    feature.batch = batch
    feature.row = row
    return filter.matches(EvaluationContext(zoom: 0, feature: feature))
  }
}

/// A record of a batch in the form that expressions evaluate.
private final class BatchFeature: PropertySource {
  private let names: [String]
  private let idName: String?
  private var columns: [Int?] = []
  private var idColumn: Int?
  private var columnCount = -1
  var row = 0
  var batch = FeatureBatch() {
    didSet {
      guard batch.columns.count != columnCount else { return }
      columnCount = batch.columns.count
      columns = names.map { name in batch.columns.firstIndex { $0.name == name } }
      idColumn = idName.flatMap { name in batch.columns.firstIndex { $0.name == name } }
    }
  }

  package init(names: [String], idName: String?) {
    self.names = names
    self.idName = idName
  }

  func property(_ slot: Int) -> PropertyValue? {
    columns[slot].flatMap { batch.columns[$0].value(row) }
  }

  func spelling(_ slot: Int) -> String? {
    columns[slot].flatMap { batch.columns[$0].spelling(row) }
  }

  var id: PropertyValue? { batch.id(row, column: idColumn) }
  var idSpelling: String? { batch.idSpelling(row, column: idColumn) }

  var geometryType: String? { batch.geometry.kinds[row].featureType }

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
