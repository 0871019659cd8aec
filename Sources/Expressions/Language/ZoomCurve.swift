/// The check of the single `step` or `interpolate` on the zoom that a property's expression may
/// have.
enum ZoomCurve {
  enum Outcome {
    case none
    case found(any Curve)
    case failed(String)
  }

  private static let misplaced =
    "\"zoom\" expression may only be used as input to a top-level \"step\" or \"interpolate\" "
    + "expression."
  private static let repeated =
    "Only one zoom-based \"step\" or \"interpolate\" subexpression may be used in an expression."

  /// Searches for the curve: at the top, or inside `let` and `coalesce` there, and nowhere else.
  static func find(in node: any Node) -> Outcome {
    // Each child once: a `let` that visited its result twice would double the work per level.
    let outcomes = node.children.map(find)
    var outcome = Outcome.none
    switch node {
    case is Let: outcome = outcomes.last ?? .none
    case is Coalesce:
      outcome = outcomes.first { if case .none = $0 { false } else { true } } ?? .none
    case let node as any Curve where node.input is Zoom: outcome = .found(node)
    default: break
    }
    if case .failed = outcome { return outcome }

    for child in outcomes {
      switch (outcome, child) {
      case (_, .none): break
      case (_, .failed(let message)): outcome = .failed(message)
      case (.none, .found): outcome = .failed(misplaced)
      case (.found(let curve), .found(let other)) where curve !== other:
        outcome = .failed(repeated)
      case (.found, .found), (.failed, .found): break
      }
    }
    return outcome
  }

  /// Returns the reason why the property does not allow the expression's use of the zoom; `nil` if
  /// it does.
  static func check(_ root: any Node, for specification: PropertySpecification) -> String? {
    let isZoomConstant = !root.traits.inputs.contains(.zoom)
    if !isZoomConstant, !specification.parameters.contains(.zoom) {
      return "zoom expressions not supported"
    }
    switch find(in: root) {
    case .none: return isZoomConstant ? nil : misplaced
    case .failed(let message): return message
    case .found(let curve):
      guard curve is Interpolate, !specification.isInterpolated else { return nil }
      return "\"interpolate\" expressions cannot be used with this property"
    }
  }
}
