/// The reason why an expression has no value for a feature.
///
/// The sentence is built only on demand: a million features without the property throw a million of
/// these.
package struct EvaluationError: Error, Hashable, Sendable {
  enum Reason: Hashable, Sendable {
    case message(String)
    case mismatch(expected: ExpressionType, found: ExpressionType)
  }

  let reason: Reason
  /// The operation without a value; `nil` where MapLibre also reports only the whole expression.
  private(set) var place: ExpressionPlace?

  static func message(_ message: String, at place: ExpressionPlace? = nil) -> EvaluationError {
    EvaluationError(reason: .message(message), place: place)
  }

  /// Returns the error for a value of the wrong type; the caller adds the place.
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

  /// Returns a mismatch without a place at a place.
  func placed(at place: ExpressionPlace) -> EvaluationError {
    guard case .mismatch = reason, self.place == nil else { return self }
    return EvaluationError(reason: reason, place: place)
  }
}

/// The place of an operation in an expression, as MapLibre counts: indexes from the root on.
struct ExpressionPlace: Hashable, Sendable {
  let key: [Int]

  /// The place as text: `[2][1]`, empty for the root.
  var text: String { key.map { "[\($0)]" }.joined() }
}
