/// Some thousand records as columns: what a reader hands on and reuses.
///
/// Row i of every column, of ``geometry``, ``ids`` and ``lines`` belongs to record i.
package struct FeatureBatch: Sendable {
  /// The properties, in the order of the reader's schema; all have `count` rows.
  package var columns: [PropertyColumn] = []

  package var geometry = GeometryColumn()

  /// The feature ids that the file itself gives (GeoJSON `id`), `missing` where it gives none.
  package var ids = PropertyColumn(name: "id")

  /// The line of the file on which each record begins, from 1.
  package var lines = ContiguousArray<Int>()

  package init() {}

  /// The number of records.
  @inlinable
  package var count: Int { lines.count }

  /// Forgets all records and keeps the memory.
  package mutating func removeAll() {
    for index in columns.indices { columns[index].removeAll() }
    geometry.removeAll()
    ids.removeAll()
    lines.removeAll(keepingCapacity: true)
  }
}
