/// The limits of the texts that expressions make: a few nested `let` double a text at every level.
enum TextLimit {
  /// The most bytes of a text; a label shows 2,000 letters.
  static let bytes = 1 << 20

  /// The maximum size of a constant that replaces its expression, in bytes. A longer value is
  /// computed again at each use, so that a short style cannot fill the memory.
  static let foldedBytes = 4 << 10

  /// Appends to a text.
  ///
  /// - Throws: where it becomes longer than ``bytes``.
  static func append(_ more: String, to text: inout String) throws(EvaluationError) {
    guard text.utf8.count + more.utf8.count <= bytes else {
      throw .message(
        "The text is longer than \(bytes) bytes, the most that an expression may make.")
    }
    text += more
  }
}

extension ExpressionValue {
  /// The number of bytes that a value takes beyond those of a number.
  var byteCount: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .formatted(let formatted): formatted.sections.reduce(0) { $0 + 64 + $1.text.utf8.count }
    case .array(let items): items.reduce(0) { $0 + 16 + $1.byteCount }
    default: 0
    }
  }
}
