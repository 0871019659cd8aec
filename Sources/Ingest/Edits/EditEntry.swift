import Calendar
import Features

/// One entry of a log that is sound, without its values.
struct EditEntry: Sendable {
  var operation: EditOperation
  /// The number of its key.
  var key: UInt32
  /// Its row among the log's records; deletions have none.
  var row: UInt32?
  /// When it holds; that of the entry before where it has no time of its own.
  var time: Instant
  /// The line of its file.
  var line: Int
  /// The file, counted from 0.
  var file: UInt16
}
