/// A batch of some thousand records as columns, which a reader fills and its consumer reuses.
///
/// Row i of every column, of ``geometry``, ``ids``, ``lines`` and ``origins`` belongs to record i.
@usableFromInline
package struct FeatureBatch: Sendable {
  /// The properties, in the order of the reader's schema; all have `count` rows.
  package var columns: [PropertyColumn] = []

  package var geometry = GeometryColumn()

  /// The feature ids in the file itself (GeoJSON `id`), `missing` where there is none.
  package var ids = PropertyColumn(name: "id")

  /// The fallback identifiers of ``FeatureIdentifiers`` for records whose id is missing or already
  /// taken, `missing` for the others; without rows if they were not requested.
  package var identifiers = PropertyColumn(name: "identifier")

  /// The line of the file on which each record begins, from 1.
  @usableFromInline
  package var lines = ContiguousArray<Int>()

  /// The bytes of each record in the file, if they were requested and the reader knows any; without
  /// rows otherwise. The extent of a record that has no bytes of its own is empty.
  package var extents = ContiguousArray<RecordExtent>()

  /// Files other than the reader's own that records come from: logs of edits.
  package var otherFiles: [String] = []

  /// The file of each record: 0 is the reader's own, others index ``otherFiles`` from 1. Empty if
  /// all come from the reader's own.
  package var origins = ContiguousArray<UInt16>()

  package init() {}

  /// The number of records.
  @inlinable
  package var count: Int { lines.count }

  /// Inserts the names of the columns in which a record has a value into those that were met before.
  package func insertNames(into met: inout Set<String>) {
    for column in columns
    where !met.contains(column.name) && column.kinds.contains(where: { $0 != .missing }) {
      met.insert(column.name)
    }
  }

  /// Removes all records and keeps the memory.
  package mutating func removeAll() {
    for index in columns.indices { columns[index].removeAll() }
    geometry.removeAll()
    ids.removeAll()
    identifiers.removeAll()
    lines.removeAll(keepingCapacity: true)
    extents.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
  }

  /// Returns the id of a record as expressions see it: that of a column, otherwise the one in the
  /// file; `nil` if it has none.
  ///
  /// - Parameter column: the position of the id property, if there is one.
  package func id(_ row: Int, column: Int?) -> PropertyValue? {
    if let column, !columns[column].isNull(row) { return columns[column].value(row) }
    return ids.value(row)
  }

  /// Returns the text of a record's id if that is a number in a field without a type of its own.
  package func idSpelling(_ row: Int, column: Int?) -> String? {
    if let column, !columns[column].isNull(row) { return columns[column].spelling(row) }
    return ids.spelling(row)
  }

  /// Returns the file of a record, `nil` for the reader's own.
  package func file(_ row: Int) -> String? {
    guard !origins.isEmpty, origins[row] > 0 else { return nil }
    return otherFiles[Int(origins[row]) - 1]
  }
}
