/// Some thousand records as columns: what a reader hands on and reuses.
///
/// Row i of every column, of ``geometry``, ``ids``, ``lines`` and ``origins`` belongs to record i.
package struct FeatureBatch: Sendable {
  /// The properties, in the order of the reader's schema; all have `count` rows.
  package var columns: [PropertyColumn] = []

  package var geometry = GeometryColumn()

  /// The feature ids that the file itself gives (GeoJSON `id`), `missing` where it gives none.
  package var ids = PropertyColumn(name: "id")

  /// What ``FeatureIdentifiers`` call records that have no id or that of an earlier one, `missing` for
  /// the others; without rows where nobody asked for it.
  package var identifiers = PropertyColumn(name: "identifier")

  /// The line of the file on which each record begins, from 1.
  package var lines = ContiguousArray<Int>()

  /// Files beside the reader's own that records come from: logs of edits.
  package var otherFiles: [String] = []

  /// The file of each record: 0 is the reader's own, others count ``otherFiles`` from 1. Empty
  /// where all come from the reader's own.
  package var origins = ContiguousArray<UInt16>()

  package init() {}

  /// The number of records.
  @inlinable
  package var count: Int { lines.count }

  /// Forgets all records and keeps the memory.
  package mutating func removeAll() {
    for index in columns.indices { columns[index].removeAll() }
    geometry.removeAll()
    ids.removeAll()
    identifiers.removeAll()
    lines.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
  }

  /// The id of a record as expressions see it: that of a column, else the one that the file gives;
  /// `nil` for none.
  ///
  /// - Parameter column: the place of the property that is the id, if one is.
  package func id(_ row: Int, column: Int?) -> PropertyValue? {
    if let column, !columns[column].isNull(row) { return columns[column].value(row) }
    return ids.value(row)
  }

  /// The file of a record, `nil` for the reader's own.
  package func file(_ row: Int) -> String? {
    guard !origins.isEmpty, origins[row] > 0 else { return nil }
    return otherFiles[Int(origins[row]) - 1]
  }
}
