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
    case .object(let members):
      root = compileFunction(members, state)
    case .array where isExpression(json, for: specification):
      root = compileExpression(json, state)
    default:
      root = Constant(specification, state).compile(json)
    }
    return try finish(root, state)
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
