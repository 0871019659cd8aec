package import Features

extension CompiledExpression {
  /// Compiles the JSON of a style property: a constant, a legacy function or an expression.
  ///
  /// - Parameters:
  ///   - json: the property's value as the style has it.
  ///   - specification: what values the property takes.
  ///   - globalState: what `global-state` reads, by name.
  /// - Throws: everything that is wrong, each with its place.
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

  /// Compiles an expression or a legacy function, as the expression language alone has them.
  ///
  /// - Throws: everything that is wrong, each with its place.
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

  /// Lists are constants unless their first item is an operator; a list that cannot be a constant is
  /// taken for an expression too, whose errors say what is wrong.
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
