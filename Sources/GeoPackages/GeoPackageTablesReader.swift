package import Features
import Ingest

/// A reader of all tables of features of a GeoPackage, or otherwise all of attributes, one after
/// the other in the order of their names.
///
/// The properties are the union of their columns, in the order in which the tables first name them;
/// values that a table lacks are missing. ``layer`` is the table of the batch that was read last:
/// an id is unique only within its table.
package struct GeoPackageTablesReader: FeatureReader {
  package let propertyNames: [String]
  package private(set) var layer: String

  private let file: GeoPackageFile
  private let options: GeoPackageOptions
  private var waiting: ArraySlice<String>
  private var present: GeoPackageReader?
  private var scratch = FeatureBatch()
  private var ended = SourceLedger()
  private var endedBytes = 0

  /// Creates a reader of all tables.
  ///
  /// - Parameter options: the options for each table; a selected column must be in one table at
  ///   least.
  /// - Throws: ``SourceError`` where there are no tables, or one of them cannot be read.
  /// - Complexity: O(tables · columns) lookups in the file's schema.
  package init(
    _ file: GeoPackageFile, options: GeoPackageOptions = GeoPackageOptions()
  ) throws(SourceError) {
    let features = file.contents.filter { $0.kind == .features }
    let tables = features.isEmpty ? file.contents.filter { $0.kind == .attributes } : features
    guard let first = tables.first else {
      throw file.bad(
        "has no table of features or attributes"
          + file.tilesHint(besides: [.features, .attributes]))
    }
    guard tables.count <= file.limits.joinedTables else {
      throw Self.refusal(file, "\(tables.count) tables", limit: file.limits.joinedTables)
    }
    let each = Self.options(options)
    var names: [String] = []
    var known: Set<String> = []
    var kept: Set<String> = []
    for contents in tables {
      let table = try file.table(contents.table)
      known.formUnion(table.columns.filter { $0.type != .blob }.map(\.name))
      if let key = table.key { known.insert(key) }
      for column in try GeoPackagePlan(each, of: table, in: file).columns
      where kept.insert(column.name).inserted {
        names.append(column.name)
      }
    }
    guard names.count <= file.limits.columns else {
      throw Self.refusal(file, "tables with \(names.count) columns", limit: file.limits.columns)
    }
    if let name = options.select?.first(where: { !known.contains($0) }) {
      throw SourceError(
        UnknownColumn(
          .column(name), " in any table",
          known: known.sorted().map { GeoPackageFile.singleLine($0) }, key: "select"),
        file: file.name)
    }
    self.file = file
    self.options = each
    propertyNames = names
    layer = first.table
    waiting = tables.map(\.table)[...]
  }

  private static func refusal(
    _ file: GeoPackageFile, _ what: String, limit: Int
  ) -> SourceError {
    SourceError(
      code: .configuration, file: file.name,
      message: "has \(what), and \(limit) are the limit for all as one. Set 'table:' to one")
  }

  /// Returns the options of one table, which need not have all selected columns.
  private static func options(_ options: GeoPackageOptions) -> GeoPackageOptions {
    var each = options
    each.select = nil
    if let select = options.select {
      let names = select + options.tested
      each.wanted = names.filter { options.wanted?.contains($0) ?? true }
    }
    return each
  }

  package var ledger: SourceLedger {
    var ledger = ended
    if let present { ledger.add(Self.named(present)) }
    return ledger
  }

  /// Returns the ledger of one table, with its name in the examples: keys are unique only within a
  /// table.
  private static func named(_ reader: GeoPackageReader) -> SourceLedger {
    var ledger = reader.ledger
    let table = GeoPackageFile.singleLine(reader.table.name)
    ledger.rewordExamples { "in table '\(table)': \($0)" }
    return ledger
  }

  package var bytesRead: Int { endedBytes + (present?.bytesRead ?? 0) }

  package mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    batch.removeAll()
    while true {
      if present == nil {
        guard let table = waiting.popFirst() else { return false }
        var options = options
        options.table = table
        present = try GeoPackageReader(file, options: options)
        scratch = FeatureBatch()
      }
      guard let reader = present else { return false }
      guard try reader.read(into: &scratch) else {
        ended.add(Self.named(reader))
        endedBytes += reader.bytesRead
        present = nil
        continue
      }
      layer = reader.layer
      spread(into: &batch)
      return true
    }
  }

  /// Passes on the records of one table with the columns of all.
  private func spread(into batch: inout FeatureBatch) {
    batch = scratch
    batch.columns = propertyNames.map { name in
      if let column = scratch.columns.first(where: { $0.name == name }) { return column }
      var column = PropertyColumn(name: name)
      column.append(.missing, count: scratch.count)
      return column
    }
  }
}
