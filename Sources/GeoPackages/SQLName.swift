/// A name as SQL text, in double quotes: nothing in it can end the quotes.
enum SQLName {
  /// Returns the quoted name, `nil` where it contains a NUL, at which SQLite would stop reading.
  static func quoted(_ name: String) -> String? {
    guard !name.utf8.contains(0) else { return nil }
    return "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// Whether two names are equal to SQLite, which ignores the case of ASCII letters.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { Self.folded($0) == Self.folded($1) }
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}
