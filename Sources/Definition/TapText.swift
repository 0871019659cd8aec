package import Expressions
package import Features
import Scenes

/// The text of a tap's answer: an expression over the feature, or a text with `{name}` in it.
package struct TapText: Hashable, Sendable {
  package let expression: PropertyValue

  /// What `global-state` reads.
  package let globalState: [String: PropertyValue]

  /// As ``StyleProperty/textField``, but for zooms: an answer is the same at all of them.
  private static let specification = PropertySpecification(
    type: .formatted, default: .string(""), isInterpolated: false, parameters: [], hasTokens: true)

  /// - Throws: an error with the way to the fault inside the expression.
  package func compiled() throws(ExpressionErrors) -> CompiledExpression {
    try CompiledExpression.compile(
      expression, for: Self.specification, globalState: globalState)
  }

  /// The properties that the expression reads; nil for all, and where it does not compile.
  package var propertyNames: [String]? {
    guard let compiled = try? compiled(), !compiled.usesAllProperties else { return nil }
    return compiled.propertyNames
  }
}

extension TapText: CustomStringConvertible {
  /// The expression alone: what an archive is made of is hashed as text, and a dictionary's text
  /// follows its seed.
  package var description: String { "TapText(\(expression))" }
}
