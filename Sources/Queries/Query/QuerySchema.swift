import Features
import OrderedCollections

/// The properties and geometries of a result's features, found by a pass over them: for forms that
/// declare them first.
struct QuerySchema {
  /// The common type of a property's values.
  enum ValueType: Sendable {
    /// Only nulls.
    case none
    case boolean
    case integer
    case real
    /// Texts, lists and objects, or values of several types.
    case text

    /// Returns the type that holds values of both.
    func joined(with other: ValueType) -> ValueType {
      switch (self, other) {
      case (let same, other) where same == other: same
      case (.none, let type), (let type, .none): type
      case (.integer, .real), (.real, .integer): .real
      default: .text
      }
    }
  }

  /// The features of one source.
  struct Layer {
    let name: String
    /// The written properties that a feature has, including nulls, in the order of their columns.
    var columns: OrderedDictionary<String, ValueType> = [:]
    var kinds: Set<GeometryColumn.Kind> = []
    /// Whether a feature has an id that is not one of its properties.
    var hasIDs = false
    var count = 0
  }

  /// The layers, one per source, in the order of the file.
  private(set) var layers: [Layer]

  init(sources: [String]) {
    layers = sources.map { Layer(name: $0) }
  }

  /// Updates the schema with the view's row.
  ///
  /// - Complexity: O(columns).
  mutating func observe(_ view: RecordView) {
    layers[view.source].count += 1
    layers[view.source].kinds.insert(view.kind)
    if !view.batch.ids.isNull(view.row) { layers[view.source].hasIDs = true }
    for place in view.columns {
      let column = view.batch.columns[place]
      let type: ValueType? = column.valueType(view.row)
      guard let type else { continue }
      let before = layers[view.source].columns[column.name]
      guard before != type else { continue }
      layers[view.source].columns[column.name] = before?.joined(with: type) ?? type
    }
  }

  /// Adds the columns that were read if the result has no feature, so that it at least has its
  /// columns.
  mutating func takeNames(of records: StreamedRecords) {
    guard layers.allSatisfy({ $0.count == 0 }) else { return }
    for index in layers.indices {
      for name in records.choices[index].names(among: records.names[index]) {
        layers[index].columns[name] = ValueType.none
      }
    }
  }

  /// The properties of all layers, each once, in the order of the layers.
  var columnNames: [String] {
    var names = OrderedSet<String>()
    for layer in layers { names.formUnion(layer.columns.keys) }
    return Array(names)
  }
}

extension PropertyColumn {
  /// Returns the type of a row's value; `nil` where the record does not have the property.
  fileprivate func valueType(_ row: Int) -> QuerySchema.ValueType? {
    switch kinds[row] {
    case .missing: nil
    case .null: QuerySchema.ValueType.none
    case .false, .true: .boolean
    case .string, .json: .text
    case .number, .text:
      if let whole = wholeNumber(row) {
        // SQLite has 64 bits.
        Int64(whole.text) == nil ? .text : .integer
      } else {
        number(row).map { $0.wholeNumber == nil ? .real : .integer } ?? .text
      }
    }
  }
}

extension Double {
  /// The number as an integer where both mean the same in every program, up to ±2⁵³.
  var wholeNumber: Int64? {
    guard let integer = Int64(exactly: self), integer.magnitude <= 1 << 53 else { return nil }
    return integer
  }
}
