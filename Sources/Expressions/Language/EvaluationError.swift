/// Why an expression has no value for one feature.
///
/// The sentence is made only when somebody asks for it: of a million features without the property
/// each throws one of these.
package struct EvaluationError: Error, Hashable, Sendable {
  enum Reason: Hashable, Sendable {
    case message(String)
    case mismatch(expected: ExpressionType, found: ExpressionType)
  }

  let reason: Reason
  /// The operation that had no value; `nil` where MapLibre too knows only the whole expression.
  private(set) var place: ExpressionPlace?

  static func message(_ message: String, at place: ExpressionPlace? = nil) -> EvaluationError {
    EvaluationError(reason: .message(message), place: place)
  }

  /// The error of a value that has not the type it should; where it stands the caller knows.
  static func mismatch(expected: ExpressionType, found: ExpressionType) -> EvaluationError {
    EvaluationError(reason: .mismatch(expected: expected, found: found), place: nil)
  }

  package var message: String {
    switch reason {
    case .message(let message): message
    case .mismatch(let expected, let found):
      "Expected value to be of type \(expected.name), but found \(found.name) instead."
    }
  }

  /// The place as MapLibre writes it, such as `[2][1]`; empty for the whole expression.
  package var keyString: String { place?.text ?? "" }

  /// A mismatch that nobody has placed yet, placed.
  func placed(at place: ExpressionPlace) -> EvaluationError {
    guard case .mismatch = reason, self.place == nil else { return self }
    return EvaluationError(reason: reason, place: place)
  }
}

/// Where an operation stands in an expression, as MapLibre counts: indexes from the root on.
struct ExpressionPlace: Hashable, Sendable {
  let key: [Int]

  /// `[2][1]`, empty for the root.
  var text: String { key.map { "[\($0)]" }.joined() }
}
