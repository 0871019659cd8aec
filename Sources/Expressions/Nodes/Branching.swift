import Features
import Raster

/// An operation that takes its value from another one.
protocol Forwarding: Node {
  /// Returns the operation whose value it is.
  func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any Node
}

/// An operation that takes its value from one of its outputs.
protocol Branching: Forwarding {
  /// The outputs, one of which is chosen.
  var outputs: [any Node] { get }
}

extension Forwarding {
  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    try chosen(context).value(context)
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    try chosen(context).number(context)
  }

  func string(_ context: EvaluationContext) throws(EvaluationError) -> String {
    try chosen(context).string(context)
  }

  func bool(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    try chosen(context).bool(context)
  }

  func color(_ context: EvaluationContext) throws(EvaluationError) -> Color {
    try chosen(context).color(context)
  }

  func text(_ context: EvaluationContext) throws(EvaluationError) -> String {
    try chosen(context).text(context)
  }

  func whole(_ context: EvaluationContext) -> WholeNumber? {
    (try? chosen(context))?.whole(context)
  }
}
