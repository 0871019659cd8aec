import Expressions
import Features
import OrderedCollections

/// A record of a batch as a query tests, sorts and writes it. The view is moved from row to row.
final class RecordView {
  /// The index of the record's source among the sources of the query.
  let source: Int

  private(set) var batch = FeatureBatch()
  var row = 0

  /// The text of the record's ``FeatureKey``; `nil` where it was not needed, and for clusters.
  var key: String?

  /// The indices of the columns that are written.
  private(set) var columns: [Int] = []

  /// The number of the batch; increases with each.
  private(set) var generation = 0

  let choice: PropertyChoice

  /// The property that is the record's id; `nil` without one.
  let idName: String?

  init(source: Int, choice: PropertyChoice, idName: String? = nil) {
    self.source = source
    self.choice = choice
    self.idName = idName
  }

  /// Sets the batch, starting at its first row.
  func look(at batch: FeatureBatch) {
    // Batches of clusters have only the columns of their rows, and those of two batches may differ
    // while their number is the same.
    let isKnown = batch.columns.lazy.map(\.name).elementsEqual(self.batch.columns.lazy.map(\.name))
    if !isKnown || generation == 0 {
      columns = choice.places(in: batch)
      generation += 1
    }
    self.batch = batch
    row = 0
  }

  /// Releases the batch, so that its reader can reuse the memory without copying.
  func release() {
    let empty = FeatureBatch()
    batch.geometry = empty.geometry
    batch.ids = empty.ids
    batch.lines = empty.lines
    for place in batch.columns.indices {
      batch.columns[place] = PropertyColumn(name: batch.columns[place].name)
    }
  }

  var kind: GeometryColumn.Kind { batch.geometry.kinds[row] }
}

/// The choice of a source's properties that are written.
struct PropertyChoice: Sendable {
  /// The names in their order; `nil` for all but ``hidden``.
  var select: [String]?
  /// The properties that are written only when they are selected.
  var hidden: [String] = []

  /// - Complexity: O(columns), or O(columns · names) with a selection.
  func places(in batch: FeatureBatch) -> [Int] {
    guard let select else {
      return batch.columns.indices.filter { !hidden.contains(batch.columns[$0].name) }
    }
    return select.compactMap { name in batch.columns.firstIndex { $0.name == name } }
  }

  /// Returns the names that are written, of those that a reader knows.
  func names(among known: [String]) -> [String] {
    select.map { $0.filter(known.contains) } ?? known.filter { !hidden.contains($0) }
  }
}

/// A compiled condition on records.
final class RecordFilter {
  private let filter: CompiledFilter
  private let record: BoundRecord
  private let context: EvaluationContext

  init(_ filter: CompiledFilter, on view: RecordView) {
    self.filter = filter
    record = BoundRecord(view, names: filter.propertyNames)
    context = EvaluationContext(zoom: 0, feature: record)
  }

  /// Whether the view's row passes.
  func matches() -> Bool {
    record.bind()
    return filter.matches(context)
  }
}

/// A view's record in the form that an expression evaluates, with the names that it reads.
private final class BoundRecord: PropertySource {
  private let view: RecordView
  private let names: [String]
  private var columns: [Int?] = []
  private var idColumn: Int?
  private var generation = -1

  init(_ view: RecordView, names: [String]) {
    self.view = view
    self.names = names
  }

  /// Looks up the names again if the columns have changed.
  func bind() {
    guard generation != view.generation else { return }
    generation = view.generation
    columns = names.map { name in view.batch.columns.firstIndex { $0.name == name } }
    idColumn = view.idName.flatMap { name in
      view.batch.columns.firstIndex { $0.name == name }
    }
  }

  func property(_ slot: Int) -> PropertyValue? {
    columns[slot].flatMap { view.batch.columns[$0].value(view.row) }
  }

  func spelling(_ slot: Int) -> String? {
    columns[slot].flatMap { view.batch.columns[$0].spelling(view.row) }
  }

  var id: PropertyValue? { view.batch.id(view.row, column: idColumn) }
  var idSpelling: String? { view.batch.idSpelling(view.row, column: idColumn) }

  var geometryType: String? { view.kind.featureType }

  var geometry: RecordGeometry {
    view.kind == .none ? .none : .shape(view.batch.geometry, record: view.row)
  }

  var allProperties: PropertyValue {
    .object(
      .init(
        view.batch.columns.compactMap { column in
          column.value(view.row).map { (column.name, $0) }
        }
      ) { first, _ in first })
  }
}
