/// What a log of edits did to the records of a source.
package struct EditCounts: Hashable, Sendable {
  /// Records of the source whose content the log changed.
  package var edited = 0

  /// Records of the source that the log took away.
  package var deleted = 0

  /// Records that only the log has.
  package var inserted = 0

  /// Entries of the log that found no record to change or delete.
  package var dangling = 0

  /// The first of the dangling entries.
  package var firstDangling: LedgerNote?

  package init() {}

  /// The sums of two parts of one source; the first part's note counts.
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
