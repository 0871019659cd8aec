import Expressions
package import Features
import SQLite
import Tiling

/// Reads a table of features or attributes of a GeoPackage, in the order of its primary key.
///
/// Memory is bounded by a batch and the largest record. A record that is no good is counted in
/// ``ledger`` under its key: a broken geometry or one of curves (`invalidGeometry`), a coordinate
/// that is no number (`invalidCoordinate`), too many bytes, positions or parts (`tooLarge`), a text
/// that is not UTF-8 (`invalidEncoding`). An empty or null geometry is no geometry; what else is let
/// pass says ``WKBReader``. Z and M are read over.
///
/// Properties come by what is stored: numbers, texts (dates too), and 0 and 1 of a BOOLEAN column
/// as truth values. Columns of blobs are no properties, and a blob elsewhere is null and counted in
/// ``blobs``. The integer primary key is the feature's id. The `line` of a
/// record is its key, or the number that SQLite gives the row.
///
/// Envelopes and the spatial index are believed where `bounds` or a filter ask for a box.
package final class GeoPackageReader: FeatureReader {
  package private(set) var ledger = SourceLedger()
  package private(set) var bytesRead = 0

  /// The table that is read.
  package let table: GeoPackageTable

  /// Blobs that stood where a property is read, as null; by the places of ``propertyNames``.
  package private(set) var blobs: [Int]

  /// Rows that SQLite handed over, rejected ones and those outside the boxes included.
  package private(set) var rowsRead = 0

  private let file: GeoPackageFile
  private let options: GeoPackageOptions
  private let plan: GeoPackagePlan
  private var rows: GeoPackageRows
  private var lastKey: Int64?
  private var recordsUsed = 0
  private var isAtEnd = false
  /// Seconds that reading has taken, for views.
  private var secondsUsed = 0.0

  /// A reader of one table.
  ///
  /// - Throws: ``SourceError`` where there is no such table or column, its reference system is not
  ///   read, or the file is damaged.
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
      // Beyond a limit of SQLite; the caller asks the filter itself.
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

  /// The properties with their types, in the order of ``propertyNames``.
  package var schema: [GeoPackageColumn] { plan.columns }

  /// Whether the filters are asked so exactly that nobody needs to ask them again.
  package var checksFilters: Bool { plan.isExact }

  /// Clears the batch and fills it with the next records.
  ///
  /// - Returns: `false` at the end, with an empty batch.
  /// - Throws: ``SourceError`` `badData` where the table cannot be read on.
  package func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    batch.removeAll()
    if batch.columns.count != plan.columns.count {
      batch.columns = plan.columns.map { PropertyColumn(name: $0.name) }
    }
    if isAtEnd { return false }
    let start = ContinuousClock.now
    let seconds = table.isView ? max(0, file.limits.viewSeconds - secondsUsed) : nil
    let bytesBefore = bytesRead
    var isDisordered = false
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
          // A damaged file can lead in a circle.
          isDisordered = lastKey.map { key <= $0 } ?? false
          if isDisordered { return }
          lastKey = key
        }
        take(key, into: &batch)
      }
    }
    if isDisordered {
      throw file.bad(
        "cannot read '\(GeoPackageFile.singleLine(table.name))': the file is damaged (its rows are "
          + "out of order). Check it with: sqlite3 '\(file.name)' 'PRAGMA integrity_check'")
    }
    secondsUsed += (ContinuousClock.now - start) / .seconds(1)
    if isAtEnd, options.countsFiltered { try countFiltered() }
    return batch.count > 0
  }

  /// Appends the present row to the batch, or counts it as rejected.
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
    // Not `count(*)`, which is one instruction that no deadline ends.
    let total = try file.run("count '\(GeoPackageFile.singleLine(table.name))'") {
      database throws(SQLiteError) in
      try database.integer("SELECT sum(1) FROM \(quoted)") ?? 0
    }
    let missing = max(0, Int(clamping: total) - recordsUsed)
    ledger.read += missing
    ledger.filtered += missing
  }
}

// One row.
extension GeoPackageReader {
  /// Reads the row's geometry, unless its envelope is outside the boxes.
  private func geometry(
    into column: inout GeometryColumn
  ) throws(GeometryRefusal) -> GeometryColumn.Kind {
    guard table.geometry != nil, rows.statement.kind(1) != .null else { return .none }
    switch rows.statement.kind(2) {
    case .blob: break
    case .null:
      throw GeometryRefusal(
        "the geometry has \(rows.statement.integer(1)) bytes, and \(file.limits.valueBytes) are the "
          + "limit", .tooLarge)
    default: throw GeometryRefusal("the geometry is no blob")
    }
    return try rows.statement.withBytes(2) { blob throws(GeometryRefusal) in
      let geometry = try GeoPackageGeometry(blob)
      if let envelope = geometry.envelope, !plan.native.allSatisfy({ $0.touches(envelope) }) {
        return .none
      }
      var reader = WKBReader(geometry.body, in: table.referenceSystem, limits: file.limits)
      return try reader.read(into: &column)
    }
  }

  /// Whether the positions of the record that is being built touch all boxes.
  private func isInside(
    _ column: GeometryColumn, from start: Int, _ kind: GeometryColumn.Kind
  ) -> Bool {
    if plan.degrees.isEmpty { return true }
    if kind == .none { return false }
    var box = NativeBox(
      minX: .infinity, maxX: -.infinity, minY: .infinity, maxY: -.infinity)
    for position in column.positions[start...] {
      box.minX = min(box.minX, position.longitude)
      box.maxX = max(box.maxX, position.longitude)
      box.minY = min(box.minY, position.latitude)
      box.maxY = max(box.maxY, position.latitude)
    }
    return plan.degrees.allSatisfy { $0.touches(box) }
  }

  private func checkTexts() throws(GeometryRefusal) {
    for place in plan.columns.indices {
      let column = GeoPackageRows.firstProperty + Int32(place)
      guard rows.statement.kind(column) == .text else { continue }
      let isText = rows.statement.withUTF8(column) { UTF8Validation.firstInvalid(in: $0) == nil }
      guard isText else {
        let name = GeoPackageFile.singleLine(plan.columns[place].name)
        throw GeometryRefusal("the text of '\(name)' is not UTF-8", .invalidEncoding)
      }
    }
  }

  private func appendProperties(to batch: inout FeatureBatch) {
    for place in plan.columns.indices {
      let column = GeoPackageRows.firstProperty + Int32(place)
      switch rows.statement.kind(column) {
      case .null: batch.columns[place].append(.null)
      case .integer:
        let value = rows.statement.integer(column)
        if plan.columns[place].type == .boolean, value == 0 || value == 1 {
          batch.columns[place].append(value == 1 ? .true : .false)
        } else {
          append(value, to: &batch.columns[place])
        }
      case .real:
        let value = rows.statement.double(column)
        if value.isFinite {
          batch.columns[place].append(value)
        } else {
          batch.columns[place].append(.null)
        }
      case .text:
        rows.statement.withUTF8(column) {
          batch.columns[place].append(.string, bytes: $0)
          bytesRead += $0.count
        }
      case .blob:
        blobs[place] += 1
        batch.columns[place].append(.null)
      }
      bytesRead += 8
    }
  }

  /// Appends an integer; one that a Double cannot hold keeps its digits beside the rounded value.
  private func append(_ value: Int64?, to column: inout PropertyColumn) {
    guard let value else { return column.append(.missing) }
    if value.magnitude <= 1 << 53 { return column.append(Double(value)) }
    var digits = String(value)
    digits.withUTF8 { column.append(.text, bytes: UnsafeRawBufferPointer($0)) }
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
