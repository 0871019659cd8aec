/// What an entry of a log does to the record of its key.
package enum EditOperation: String, CaseIterable, Sendable {
  /// The entry is the whole record from now on, whether it was there or not.
  case upsert
  /// The values that the entry has take the place of the record's; the others stay.
  case update
  /// The record goes.
  case delete
}
