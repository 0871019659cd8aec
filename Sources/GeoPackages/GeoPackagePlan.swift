import Expressions
import Features
import Ingest

/// The parts of a reader's query: columns, condition and boxes.
struct GeoPackagePlan {
  /// The columns of the properties, in the order of the table.
  let columns: [GeoPackageColumn]

  /// The names of the columns that may be properties, whether or not they will be read.
  let selected: [String]

  /// The part of the filters that SQLite checks; `nil` for nothing.
  private(set) var condition: SQLCondition?

  /// Whether the condition is true for exactly the records that pass all filters.
  private(set) var isExact: Bool

  /// The search that each record's geometry must touch, in the units of the table.
  let native: [GeoPackageSearch]
  /// The same searches in degrees.
  let degrees: [GeoPackageSearch]

  /// Creates the plan.
  ///
  /// - Throws: ``SourceError`` `configuration` for a selected column that does not exist.
  init(
    _ options: GeoPackageOptions, of table: GeoPackageTable, in file: GeoPackageFile
  ) throws(SourceError) {
    let selected = try Self.columns(options, of: table, in: file)
    columns = selected.filter { options.wanted?.contains($0.name) ?? true }
    self.selected = selected.map(\.name)
    let conditions = Self.conditions(options, of: table, in: file)
    condition = Self.joined(conditions.compactMap(\.self))
    isExact = conditions.allSatisfy { $0?.isExact ?? false }
    let bounds = [options.bounds].compactMap(\.self) + options.filters.flatMap(\.requiredBounds)
    guard table.geometry != nil else {
      native = []
      degrees = []
      return
    }
    native = bounds.map { GeoPackageSearch($0, in: table.referenceSystem) }
    degrees = bounds.map { GeoPackageSearch($0, in: .degrees) }
  }

  /// Leaves the filters to the caller.
  mutating func dropCondition() {
    condition = nil
    isExact = false
  }

  /// Returns the columns of the properties. The key is one only where it is requested by name;
  /// blobs never are.
  private static func columns(
    _ options: GeoPackageOptions, of table: GeoPackageTable, in file: GeoPackageFile
  ) throws(SourceError) -> [GeoPackageColumn] {
    var available = table.columns.filter { $0.type != .blob }
    if let key = table.key {
      let isNamed =
        options.select?.contains(key) ?? options.wanted?.contains(key) ?? false
        || options.tested.contains(key)
      if isNamed { available.insert(GeoPackageColumn(name: key, declared: "INTEGER"), at: 0) }
    }
    for name in options.select ?? [] where !available.contains(where: { $0.name == name }) {
      throw SourceError(
        UnknownColumn(
          .column(name), " in '\(GeoPackageFile.singleLine(table.name))'",
          known: available.map { GeoPackageFile.singleLine($0.name) }, key: "select"),
        file: file.name)
    }
    return available.filter { column in
      options.select?.contains(column.name) ?? true || options.tested.contains(column.name)
    }
  }

  /// Returns the condition of each filter, `nil` for those that SQL cannot express.
  private static func conditions(
    _ options: GeoPackageOptions, of table: GeoPackageTable, in file: GeoPackageFile
  ) -> [SQLCondition?] {
    var columns: [String: SQLColumn] = [:]
    for column in table.columns where column.type != .blob {
      columns[column.name] = SQLName.quoted(column.name).map {
        SQLColumn(quoted: $0, isBoolean: column.type == .boolean)
      }
    }
    if let key = table.key, let quoted = SQLName.quoted(key) {
      columns[key] = SQLColumn(quoted: quoted, isBoolean: false)
    }
    let texts = Set(table.columns.lazy.filter { $0.type == .text }.map(\.name))
    return options.filters.map { [columns] filter in
      // Texts of UTF-16 files compare in another order. Texts that a filter uses as numbers are
      // counted where it is evaluated.
      guard file.isUTF8, texts.isDisjoint(with: filter.quantityUses.keys) else { return nil }
      return filter.sqlCondition { columns[$0] }
    }
  }

  private static func joined(_ conditions: [SQLCondition]) -> SQLCondition? {
    guard !conditions.isEmpty else { return nil }
    return SQLCondition(
      text: conditions.map { "(\($0.text))" }.joined(separator: " AND "),
      parameters: conditions.flatMap(\.parameters), isExact: conditions.allSatisfy(\.isExact))
  }
}
