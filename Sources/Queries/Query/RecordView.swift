import Expressions
import Features
import OrderedCollections

/// One record of a batch: what a query tests, sorts and writes. Moved from row to row.
final class RecordView {
  /// The number of the record's source among those of the query.
  let source: Int

  private(set) var batch = FeatureBatch()
  var row = 0

  /// The text of the record's ``FeatureKey``; `nil` where nobody asked for it, and for clusters.
  var key: String?

  /// The places of the columns that are written.
  private(set) var columns: [Int] = []

  /// Which batch this is; rises with each.
  private(set) var generation = 0

  let choice: PropertyChoice

  /// The property that is the record's id, if one is.
  let idName: String?

  init(source: Int, choice: PropertyChoice, idName: String? = nil) {
    self.source = source
    self.choice = choice
    self.idName = idName
  }

  /// Takes a batch, from its first row on.
  func look(at batch: FeatureBatch) {
    // Batches of clusters have the columns that their rows need, and other ones of the same number.
    let isKnown = batch.columns.lazy.map(\.name).elementsEqual(self.batch.columns.lazy.map(\.name))
    if !isKnown || generation == 0 {
      columns = choice.places(in: batch)
      generation += 1
    }
    self.batch = batch
    row = 0
  }

  /// Gives the batch back, so that its reader can use the memory again without copying.
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

/// Which properties of a source are written.
struct PropertyChoice: Sendable {
  /// The names in their order, `nil` for all but ``hidden``.
  var select: [String]?
  /// Properties that are written only when they are selected.
  var hidden: [String] = []

  /// - Complexity: O(columns), or O(columns · names) with a selection.
  func places(in batch: FeatureBatch) -> [Int] {
    guard let select else {
      return batch.columns.indices.filter { !hidden.contains(batch.columns[$0].name) }
    }
    return select.compactMap { name in batch.columns.firstIndex { $0.name == name } }
  }

  /// The names that are written, of those that a reader knows.
  func names(among known: [String]) -> [String] {
    select.map { $0.filter(known.contains) } ?? known.filter { !hidden.contains($0) }
  }
}

/// A condition on records, compiled.
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

/// A view's record as an expression sees it that reads some names.
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

  /// Looks the names up again if the columns are others.
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

  var id: PropertyValue? { view.batch.id(view.row, column: idColumn) }

  var geometryType: String? {
    switch view.kind {
    case .none, .collection: nil
    case .point, .multiPoint: "Point"
    case .lineString, .multiLineString: "LineString"
    case .polygon, .multiPolygon: "Polygon"
    }
  }

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
