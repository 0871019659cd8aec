/// The result of a child process that ended by itself.
package struct ChildOutcome: Hashable, Sendable {
  /// The way in which it ended.
  package enum End: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  package let end: End

  /// The bytes of its standard output.
  package let output: [UInt8]

  /// The beginning of its standard error.
  package let messages: String
}
