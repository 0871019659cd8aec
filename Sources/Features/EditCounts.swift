/// The effects of a log of edits on the records of a source.
package struct EditCounts: Hashable, Sendable {
  /// The number of records of the source whose content the log changed.
  package var edited = 0

  /// The number of records of the source that the log removed.
  package var deleted = 0

  /// The number of records that only the log has.
  package var inserted = 0

  /// The number of entries of the log without a record to change or delete.
  package var dangling = 0

  /// The first of the dangling entries.
  package var firstDangling: LedgerNote?

  package init() {}

  /// Returns the sums of two parts of one source; the first part's note counts.
  package func adding(_ other: EditCounts) -> EditCounts {
    var sum = self
    sum.edited += other.edited
    sum.deleted += other.deleted
    sum.inserted += other.inserted
    sum.dangling += other.dangling
    sum.firstDangling = firstDangling ?? other.firstDangling
    return sum
  }
}
