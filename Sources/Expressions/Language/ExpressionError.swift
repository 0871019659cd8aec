package import Failures

/// A step of the path into a JSON value.
package enum KeyStep: Hashable, Sendable {
  case index(Int)
  case member(String)
}

/// An error in an expression, with its place.
package struct ExpressionError: Error, Hashable, Sendable {
  /// The path from the expression's root to the faulty part of the JSON as it was written; empty,
  /// or only its beginning, where a legacy function or filter was converted before it was checked.
  package var key: [KeyStep]
  /// The place as MapLibre writes it, such as `[2][1]`.
  ///
  /// It differs from ``key`` where MapLibre points at a neighbour: the outputs of `match` have the
  /// index of their label, and everything inside `format`, `number-format` and `collator` has 1.
  package var keyString: String

  /// The fault, in MapLibre's words.
  package var message: String

  /// What to write instead; `nil` where it is not known.
  package var remedy: String?

  package init(key: [KeyStep], keyString: String, message: String) {
    self.key = key
    self.keyString = keyString
    self.message = message
  }

  /// Creates an error about the whole value.
  package init(_ message: String) {
    self.init(key: [], keyString: "", message: message)
  }

  /// The fault and its remedy.
  package var sentence: String {
    guard let remedy else { return message }
    return (message.hasSuffix(".") ? String(message.dropLast()) : message) + "; " + remedy
  }
}

/// All errors of an expression, in the order of its text; never empty.
package struct ExpressionErrors: Error, Hashable, Sendable {
  package var errors: [ExpressionError]

  package init(_ errors: [ExpressionError]) {
    self.errors = errors
  }
}

extension ExpressionErrors: Failure {
  package var failureCode: FailureCode { .definition }

  /// The first fault, which often explains the others.
  package var sentence: String { errors.first?.sentence ?? "the expression is wrong." }
}
