/// The effect of a log entry on the record of its key.
package enum EditOperation: String, CaseIterable, Sendable {
  /// The entry is the whole record from now on, whether or not there was one.
  case upsert
  /// The values of the entry replace the record's; the others stay.
  case update
  /// The record is removed.
  case delete
}
