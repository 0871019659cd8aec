import Expressions
import Scenes

/// Writes the texts of one source's features.
struct TapTextWriter {
  /// The member of an answer that holds the text.
  static let member = "text"

  let expression: CompiledExpression

  /// The text of a row of a view.
  func text(of feature: FeatureView) -> String {
    feature.bind(expression.propertyNames, list: 0)
    let text = expression.formatted(EvaluationContext(zoom: 0, feature: feature))
    return text.sections.map(\.text).joined()
  }
}
