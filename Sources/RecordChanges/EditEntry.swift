import Calendar

/// A valid entry of a log, without its values.
struct EditEntry: Sendable {
  var operation: EditOperation
  /// The number of the entry's key.
  var key: UInt32
  /// The entry's row among the log's records; `nil` for deletions.
  var row: UInt32?
  /// The time at which the entry takes effect; if it has none of its own, the time of the entry
  /// before.
  var time: Instant
  /// The entry's line in its file.
  var line: Int
  /// The number of the entry's file, from 0.
  var file: UInt16
}
