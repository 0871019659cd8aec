package import Expressions
package import Features

/// The text of the answer to a tap: an expression over the feature, or a text with `{name}` in it.
package struct TapText: Hashable, Sendable {
  package let expression: PropertyValue

  /// The values for `global-state`.
  package let globalState: [String: PropertyValue]

  /// The specification of ``StyleProperty/textField``, except for zooms: an answer is the same at
  /// all of them.
  private static let specification = PropertySpecification(
    type: .formatted, default: .string(""), isInterpolated: false, parameters: [], hasTokens: true)

  /// - Throws: an error with the path to the fault inside the expression.
  package func compiled() throws(ExpressionErrors) -> CompiledExpression {
    try CompiledExpression.compile(
      expression, for: Self.specification, globalState: globalState)
  }

  /// The properties that the expression reads; `nil` for all, and where it does not compile.
  package var propertyNames: [String]? {
    guard let compiled = try? compiled(), !compiled.usesAllProperties else { return nil }
    return compiled.propertyNames
  }
}

extension TapText: CustomStringConvertible {
  /// The expression alone: the inputs of an archive are hashed as text, and the order of a
  /// dictionary's text varies from run to run.
  package var description: String { "TapText(\(expression))" }
}
