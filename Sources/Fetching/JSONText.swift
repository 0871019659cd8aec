import JSON

/// A writer of the small JSON files of the cache and of lock files, with the same bytes on every
/// system.
struct JSONText {
  /// A value of a member; absent ones are not written.
  enum Scalar {
    case string(String?)
    case integer(Int64?)
  }

  /// Returns an object with a line for each member, in the given order.
  static func object(_ members: [(String, Scalar)], indent: String = "") -> String {
    let lines = members.compactMap { name, value -> String? in
      switch value {
      case .string(let text): text.map { "\(indent)  \(quoted(name)): \(quoted($0))" }
      case .integer(let number): number.map { "\(indent)  \(quoted(name)): \($0)" }
      }
    }
    return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
  }

  /// Returns a text in quotes, with control characters escaped (RFC 8259, section 7).
  static func quoted(_ text: String) -> String {
    JSONWriter.text(text, escapes: .lineFeed)
  }
}
