import Expressions
package import Features
import Ingest
import SQLite

/// A reader of a table of features or attributes of a GeoPackage, in the order of its primary key.
///
/// Memory is bounded by a batch and the largest record. An unusable record is counted in ``ledger``
/// under its key: a broken geometry or one of curves (`invalidGeometry`), a NaN or infinite
/// coordinate (`invalidCoordinate`), too many bytes, positions or parts (`tooLarge`), a text that
/// is not UTF-8 (`invalidEncoding`). An empty or null geometry counts as missing; ``WKBReader``
/// describes what else is accepted. Z and M are skipped.
///
/// Properties have the types of the stored values: numbers, texts (dates too), and 0 and 1 of a
/// BOOLEAN column as truth values. Columns of blobs are not read, and a blob elsewhere is null and
/// counted in ``blobs``. The integer primary key is the feature's id. The `line` of a record is its
/// key, or the number that SQLite gives the row.
///
/// Envelopes and the spatial index are trusted where `bounds` or a filter need a box.
package final class GeoPackageReader: FeatureReader {
  package private(set) var ledger = SourceLedger()
  package internal(set) var bytesRead = 0

  /// The table that is read.
  package let table: GeoPackageTable

  /// The number of blobs in each property's column, read as null, by the positions of
  /// ``propertyNames``.
  package internal(set) var blobs: [Int]

  /// The number of rows that SQLite delivered, including rejected ones and those outside the boxes.
  package private(set) var rowsRead = 0

  let file: GeoPackageFile
  private let options: GeoPackageOptions
  let plan: GeoPackagePlan
  var rows: GeoPackageRows
  /// Texts that are not UTF-8, a line each, up to a limit.
  package internal(set) var foreignTexts: [UInt8] = []
  private var lastKey: Int64?
  private var recordsUsed = 0
  private var isAtEnd = false
  /// Whether the geometry read last has rings that are open in the file.
  var closesRings = false
  /// The bytes of texts, blobs and geometries that SQLite delivered.
  var payloadBytes = 0
  /// The seconds that reading has taken so far, for views.
  private var secondsUsed = 0.0

  /// Creates a reader of one table.
  ///
  /// - Throws: ``SourceError`` where the table or a column does not exist, its reference system is
  ///   not supported, or the file is damaged.
  package init(
    _ file: GeoPackageFile, options: GeoPackageOptions = GeoPackageOptions()
  ) throws(SourceError) {
    let table = try file.table(options.table)
    var plan = try GeoPackagePlan(options, of: table, in: file)
    var keys: [Int64]?
    if !plan.native.isEmpty, let index = try GeoPackageIndex(of: table, in: file),
      case .ids(let found) = try index.search(plan.native, in: file)
    {
      keys = found
    }
    file.permit(tables: [table.name], includingView: table.isView)
    let names = plan.columns.map(\.name)
    if plan.condition != nil,
      (try? file.prepareRows(table, names, keys: keys, condition: plan.condition)) == nil
    {
      // The query exceeds a limit of SQLite; the caller checks the filter itself.
      plan.dropCondition()
    }
    rows = try file.prepareRows(table, names, keys: keys, condition: plan.condition)
    self.table = table
    self.file = file
    self.options = options
    self.plan = plan
    blobs = Array(repeating: 0, count: plan.columns.count)
  }

  package var layer: String { table.name }

  package var propertyNames: [String] { plan.columns.map(\.name) }

  package var columnNames: [String] { plan.selected }

  /// The properties with their types, in the order of ``propertyNames``.
  package var schema: [GeoPackageColumn] { plan.columns }

  /// Whether the filters are checked exactly, so that the caller need not check them again.
  package var checksFilters: Bool { plan.isExact }

  /// Clears the batch and fills it with the next records.
  ///
  /// - Returns: `false` at the end, with an empty batch.
  /// - Throws: ``SourceError`` `badData` where the table cannot be read further.
  package func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    batch.removeAll()
    if batch.columns.count != plan.columns.count {
      batch.columns = plan.columns.map { PropertyColumn(name: $0.name) }
    }
    if isAtEnd { return false }
    let start = ContinuousClock.now
    let seconds = table.isView ? max(0, file.limits.viewSeconds - secondsUsed) : nil
    let bytesBefore = bytesRead
    var damage: String?
    let payloadLimit = file.limits.inflation * file.byteCount + 1 << 20
    try file.run("read '\(GeoPackageFile.singleLine(table.name))'", seconds: seconds) {
      _ throws(SQLiteError) in
      while batch.count < options.batchRecords, bytesRead - bytesBefore < options.batchBytes {
        guard try rows.next() else {
          isAtEnd = true
          return
        }
        rowsRead += 1
        let key = rows.statement.kind(0) == .integer ? rows.statement.integer(0) : nil
        if let key {
          // In a damaged file the table can be cyclic.
          if let lastKey, key <= lastKey {
            damage = "its rows are out of order"
            return
          }
          lastKey = key
        }
        take(key, into: &batch)
        // Views compute their values, and have a time limit instead.
        if payloadBytes > payloadLimit, !table.isView {
          damage = "its rows hold more than the file"
          return
        }
      }
    }
    if let damage {
      throw file.bad(
        "cannot read '\(GeoPackageFile.singleLine(table.name))': the file is damaged "
          + "(\(damage)). Check it with: sqlite3 '\(file.name)' 'PRAGMA integrity_check'")
    }
    secondsUsed += (ContinuousClock.now - start) / .seconds(1)
    if isAtEnd, options.countsFiltered { try countFiltered() }
    return batch.count > 0
  }

  /// Appends the current row to the batch, or counts it as rejected.
  private func take(_ key: Int64?, into batch: inout FeatureBatch) {
    let line = key.map { Int(max(0, $0)) } ?? rowsRead
    do throws(GeometryRefusal) {
      let positionsBefore = batch.geometry.positions.count
      let kind: GeometryColumn.Kind
      do throws(GeometryRefusal) {
        kind = try geometry(into: &batch.geometry)
        if !isInside(batch.geometry, from: positionsBefore, kind) {
          batch.geometry.abandonRecord()
          return
        }
        try checkTexts()
      } catch {
        batch.geometry.abandonRecord()
        throw error
      }
      batch.geometry.endRecord(kind)
      if closesRings { ledger.repair(.closedRings) }
      bytesRead += (batch.geometry.positions.count - positionsBefore) * 16
      appendProperties(to: &batch)
      append(table.key == nil ? nil : key, to: &batch.ids)
      batch.lines.append(line)
      recordsUsed += 1
    } catch {
      recordsUsed += 1
      ledger.read += 1
      ledger.reject(
        SourceLedger.Example(reason: error.reason, line: line, column: 0, message: error.message),
        as: error.reason)
    }
  }

  /// Counts the rows that conditions and boxes kept from being read.
  private func countFiltered() throws(SourceError) {
    let quoted = SQLName.quoted(table.name) ?? ""
    // Not `count(*)`, which is a single instruction that no deadline can interrupt.
    let total = try file.run("count '\(GeoPackageFile.singleLine(table.name))'") {
      database throws(SQLiteError) in
      try database.integer("SELECT sum(1) FROM \(quoted)") ?? 0
    }
    let missing = max(0, Int(clamping: total) - recordsUsed)
    ledger.read += missing
    ledger.filtered += missing
  }
}

extension GeoPackageFile {
  fileprivate func prepareRows(
    _ table: GeoPackageTable, _ columns: [String], keys: [Int64]?, condition: SQLCondition?
  ) throws(SourceError) -> GeoPackageRows {
    let maximumBytes = limits.valueBytes
    return try run("read '\(Self.singleLine(table.name))'") { database throws(SQLiteError) in
      try GeoPackageRows(
        of: table, columns: columns, keys: keys, condition: condition, maximumBytes: maximumBytes,
        on: database)
    }
  }
}
