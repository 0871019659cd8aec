package import Features
import JSON

/// A layer's or source's filter, ready to be evaluated for many features.
package struct CompiledFilter: Sendable {
  /// The properties that the filter reads by name, in order of first appearance: see
  /// ``CompiledExpression/propertyNames``.
  package let propertyNames: [String]
  /// See ``CompiledExpression/specimens``.
  package let specimens: [String: [PropertyValue]]
  let root: any Node

  /// Compiles a filter: an expression of type boolean, or a legacy filter. `null` accepts all
  /// features.
  ///
  /// - Throws: all errors, each with its place.
  package static func compile(
    _ json: PropertyValue, globalState: [String: PropertyValue] = [:]
  ) throws(ExpressionErrors) -> CompiledFilter {
    let state = ParserState(
      specification: PropertySpecification(
        type: .boolean, default: .bool(false), isInterpolated: false),
      globalState: globalState)
    guard let root = parse(json, Parser(state, expected: .boolean)) else {
      throw ExpressionErrors(
        state.errors.isEmpty ? [ExpressionError("Filter is too large.")] : state.errors
      ).advised(in: json)
    }
    return CompiledFilter(root, state)
  }

  private init(_ root: any Node, _ state: ParserState) {
    self.root = root
    propertyNames = state.properties.names
    specimens = SampleInputs.collect(from: root)
  }

  /// Compiles a filter in CQL2 text (OGC 21-065); it accepts only features for which it is true.
  ///
  /// - Throws: the first error, with its place in the text.
  package static func compile(cql2 text: String) throws(CQL2Error) -> CompiledFilter {
    var parser = try CQL2Parser(text)
    let predicate = try parser.filter()
    let root = PredicateRoot(predicate)
    guard root.traits.isConstant else {
      return CompiledFilter(root, propertyNames: parser.properties.names)
    }
    let answer = root.bool(EvaluationContext(zoom: 0))
    return CompiledFilter(Literal(.bool(answer)), propertyNames: [])
  }

  private init(_ root: any Node, propertyNames: [String]) {
    self.root = root
    self.propertyNames = propertyNames
    specimens = [:]
  }

  private static func parse(_ json: PropertyValue, _ parser: Parser) -> (any Node)? {
    if json == .null { return Literal(.bool(true)) }
    guard json.depth(limit: ParserState.depthLimit) <= ParserState.depthLimit else {
      parser.fail("A filter may be nested \(ParserState.depthLimit) levels deep at most.")
      return nil
    }
    if LegacyFilter.form(of: json) == .legacy { return LegacyFilter.convert(json, parser) }
    if let part = LegacyFilter.firstLegacyPart(of: json) {
      let place = part.path.reduce(parser) { $0.child($1) }
      place.fail(
        "Mixing deprecated filter syntax with expression syntax is not supported. Convert "
          + "\(JSONWriter.text(part.filter)) to expression syntax.")
      return nil
    }
    if case .array(let items) = json, items.first == .string("none") {
      return parser.expressionNone(items)
    }
    return parser.parse(json)
  }

  /// Whether a feature passes; one for which the filter has no value does not.
  package func matches(_ context: EvaluationContext) -> Bool {
    (try? root.bool(context)) ?? false
  }

  /// The result if it is the same for every feature and zoom.
  package var constant: Bool? {
    guard let literal = root as? Literal, case .bool(let answer) = literal.value else { return nil }
    return answer
  }

  package var usesAllProperties: Bool { root.traits.inputs.contains(.allProperties) }
  package var usesID: Bool { root.traits.inputs.contains(.id) }
  package var usesGeometryType: Bool { root.traits.inputs.contains(.geometryType) }
  /// See ``CompiledExpression/usesGeometry``.
  package var usesGeometry: Bool { root.traits.inputs.contains(.geometry) }
  /// Whether the result is the same at every zoom.
  package var isZoomConstant: Bool { !root.traits.inputs.contains(.zoom) }
}

extension Parser {
  /// Parses `none`, which is not an operator of expressions, but whose parts may be expressions.
  fileprivate func expressionNone(_ items: [PropertyValue]) -> (any Node)? {
    var parts: [any Node] = []
    for index in items.indices.dropFirst() {
      guard let part = parse(items, index, as: .boolean) else { return nil }
      parts.append(part)
    }
    return Not(Junction(parts, decidedBy: true))
  }
}
