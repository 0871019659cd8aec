package import Features
package import Ingest
import Tiling

/// Records that were read without a log of edits, over which the log can be laid: only the records
/// that it names are changed and judged.
///
/// The result is that of reading the source with the log. This needs that every record that the log
/// could name is there as one point, so that none of the others depends on the log.
package struct EditOverlay {
  private let points: PointSet
  private let ledger: SourceLedger
  private let key: String

  /// - Returns: `nil` where a record was left out after its reader had delivered it, is not one point,
  ///   or cannot be found by a property.
  package init?(_ points: PointSet, _ shapes: ShapeSet, ledger: SourceLedger) {
    guard let column = points.idColumn, shapes.count == 0, points.owners.records == nil,
      points.records.ids == nil, points.records.identifiers == nil, ledger.isOfUsedRecords
    else { return nil }
    self.points = points
    self.ledger = ledger
    key = points.columns[column].name
  }

  /// The names of the records' properties.
  package var propertyNames: [String] { points.columns.map(\.name) }

  /// Returns the records after a log has been applied.
  ///
  /// - Parameters:
  ///   - file: the file as the user named it, for messages.
  ///   - options: those with which the records were read; they have no filter.
  /// - Returns: `nil` where the source must be read with the log: for new properties, other
  ///   geometries than points, or too many rejected records.
  /// - Complexity: O(records) to find those that the log names, and to copy the others.
  package func edited(
    by log: EditLog, file: String, options: IngestOptions
  ) -> IngestedSource? {
    guard log.key == key, options.id == key, options.filter == nil, options.identifiers == nil,
      options.keeps == nil, !options.comparesGivenIDs,
      log.ownColumns.allSatisfy({ !propertyNames.contains($0) })
    else { return nil }
    let rows = rows(namedBy: log)
    var reader = EditedReader(ReadRecords(points, rows: rows), log: log)
    // Whatever fails is told where the source is read with the log.
    guard let part = try? IngestStage.read(&reader, file: file, options: options),
      reader.propertyNames == propertyNames, part.shapes.count == 0,
      let edited = points.applying(patch(rows, by: part.points), from: part.points)
    else { return nil }
    var ledger = ledger
    ledger.read -= rows.count
    ledger.used -= rows.count
    ledger.add(part.ledger)
    ledger.sortExamples()
    guard ledger.rejectedTotal <= options.tolerance.count else { return nil }
    return IngestedSource(points: edited, shapes: part.shapes, ledger: ledger)
  }

  /// Returns the rows whose keys the log names, ascending.
  private func rows(namedBy log: EditLog) -> [Int] {
    var keys = FeatureBatch()
    keys.columns = points.columns
    keys.ids.append(.missing, count: points.count)
    var search = EditSearch(log)
    search.search(keys)
    return search.hits.map(\.row)
  }

  /// Returns the places of the edited records: one that still has the key of a row takes its place,
  /// and those that only the log has come last.
  ///
  /// - Parameter rows: the rows that were edited; their keys differ.
  private func patch(_ rows: [Int], by edited: PointSet) -> RowPatch {
    var next = 0
    let changes = rows.map { row in
      guard next < edited.count, edited.records.id(next) == points.records.id(row) else {
        return RowPatch.Change(row: row, replacement: nil)
      }
      defer { next += 1 }
      return RowPatch.Change(row: row, replacement: next)
    }
    return RowPatch(changes: changes, added: next..<edited.count)
  }
}

extension SourceLedger {
  /// Whether every record that reached the judge was used.
  fileprivate var isOfUsedRecords: Bool {
    filtered == 0 && noGeometry == 0 && beyondMap == 0 && limited == 0 && repeated == 0
      && matched == nil && !isCut
      && rejectedUnexplained == 0 && edits == nil && joins.isEmpty && numbers.isEmpty
      && RejectReason.ofJudge.allSatisfy { rejected[$0, default: 0] == 0 }
  }
}

/// A reader of some records that have been read before.
private struct ReadRecords: FeatureReader {
  private let points: PointSet
  private var rows: ArraySlice<Int>

  /// Maximum number of records in one batch.
  private static let batchRecords = 4096

  init(_ points: PointSet, rows: [Int]) {
    self.points = points
    self.rows = rows[...]
  }

  var propertyNames: [String] { points.columns.map(\.name) }
  var ledger: SourceLedger { SourceLedger() }
  var bytesRead: Int { 0 }

  mutating func read(into batch: inout FeatureBatch) -> Bool {
    batch.removeAll()
    if batch.columns.isEmpty { batch.columns = propertyNames.map { PropertyColumn(name: $0) } }
    for row in rows.prefix(Self.batchRecords) {
      for (place, column) in points.columns.enumerated() {
        batch.columns[place].append(row, of: column)
      }
      let position = LngLat(longitude: points.longitudes[row], latitude: points.latitudes[row])
      withUnsafePointer(to: position) {
        batch.geometry.appendPoints(UnsafeBufferPointer(start: $0, count: 1))
      }
      batch.ids.append(.missing)
      batch.lines.append(Int(points.lines[row]))
    }
    rows = rows.dropFirst(Self.batchRecords)
    return batch.count > 0
  }
}
