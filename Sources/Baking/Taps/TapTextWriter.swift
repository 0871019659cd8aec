import Expressions
import Scenes

/// A writer of the texts of one source's features.
struct TapTextWriter {
  /// The member of an answer for the text.
  static let member = "text"

  let expression: CompiledExpression

  /// Returns the text of a row of a view.
  func text(of feature: FeatureView) -> String {
    feature.bind(expression.propertyNames, list: 0)
    let text = expression.formatted(EvaluationContext(zoom: 0, feature: feature))
    return text.sections.map(\.text).joined()
  }
}
