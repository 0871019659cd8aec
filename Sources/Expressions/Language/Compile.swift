package import Features

extension CompiledExpression {
  /// Compiles the JSON of a style property: a constant, a legacy function or an expression.
  ///
  /// - Parameters:
  ///   - json: the property's value in the style.
  ///   - specification: the values that the property accepts.
  ///   - globalState: the values that `global-state` reads, by name.
  /// - Throws: all errors, each with its place.
  package static func compile(
    _ json: PropertyValue, for specification: PropertySpecification,
    globalState: [String: PropertyValue] = [:]
  ) throws(ExpressionErrors) -> CompiledExpression {
    let state = ParserState(specification: specification, globalState: globalState)
    let root: (any Node)?
    switch json {
    case _ where specification.listsSlices: root = SliceList.compile(json, state)
    case .object(let members):
      root = compileFunction(members, state)
    case .array where isExpression(json, for: specification):
      root = compileExpression(json, state)
    default:
      root = Constant(specification, state).compile(json)
    }
    do {
      return try finish(root, state)
    } catch {
      throw error.advised(in: json)
    }
  }

  /// Compiles an expression or a legacy function, as in the expression language alone.
  ///
  /// - Throws: all errors, each with its place.
  package static func compileExpression(
    _ json: PropertyValue, for specification: PropertySpecification,
    globalState: [String: PropertyValue] = [:]
  ) throws(ExpressionErrors) -> CompiledExpression {
    let state = ParserState(specification: specification, globalState: globalState)
    if case .object(let members) = json {
      return try finish(compileFunction(members, state), state)
    }
    return try finish(compileExpression(json, state), state)
  }

  private static func compileFunction(
    _ members: LegacyFunction.Members, _ state: ParserState
  ) -> (any Node)? {
    do {
      let converted = try LegacyFunction(members, state.specification).convert()
      return compileExpression(converted, state, isConverted: true)
    } catch {
      state.errors.append(error)
      return nil
    }
  }

  private static func compileExpression(
    _ json: PropertyValue, _ state: ParserState, isConverted: Bool = false
  ) -> (any Node)? {
    let specification = state.specification
    let parser = Parser(state, path: isConverted ? nil : [], expected: specification.type)
    return parser.parse(
      json, annotation: specification.coercesToString ? .coerce : .automatic)
  }

  /// Whether the value is an expression. Lists are constants unless their first item is an
  /// operator; a list that is not a valid constant is also treated as an expression, whose errors
  /// explain the problem.
  private static func isExpression(
    _ json: PropertyValue, for specification: PropertySpecification
  ) -> Bool {
    if Operators.isExpression(json) { return true }
    switch specification.type {
    case .array, .padding, .numberArray, .colorArray, .variableAnchorOffsetCollection,
      .projectionDefinition, .verticalGradient, nil:
      return false
    default: return true
    }
  }

  private static func finish(
    _ root: (any Node)?, _ state: ParserState
  ) throws(ExpressionErrors) -> CompiledExpression {
    guard let root else {
      throw ExpressionErrors(
        state.errors.isEmpty ? [ExpressionError("Expression is too large.")] : state.errors)
    }
    let isFeatureConstant = !root.traits.inputs.contains(.feature)
    if !isFeatureConstant, !state.specification.isDataDriven {
      throw ExpressionErrors([ExpressionError("data expressions not supported")])
    }
    if let message = ZoomCurve.check(root, for: state.specification) {
      throw ExpressionErrors([ExpressionError(message)])
    }
    return CompiledExpression(root, state)
  }
}

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
    // Each child is visited once: visiting the result of a `let` twice would double the work at
    // every level.
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
