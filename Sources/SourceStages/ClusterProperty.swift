import Clustering
import Definition
import Expressions
import Features
import OrderedCollections
import Runs
import Scenes

/// A compiled entry of `clusterProperties`: `[operator, map]`, `[operator, map, options]`, or
/// `[reduce, map]` with `["accumulated"]` in reduce.
struct ClusterProperty {
  /// The rule that joins the values of points.
  private enum Rule {
    case reduced(AggregateOperation)
    case gathered(GatheringOperator, GatheringOptions, order: CompiledExpression?)
  }

  /// The name under which layers find the cluster's value.
  package let name: String

  /// The expressions that are evaluated for each record.
  let nodes: [DocumentNode]

  private let map: CompiledExpression
  private let rule: Rule

  /// - Throws: ``PipelineError`` where the entry is invalid, or yields values that its operator
  ///   cannot join.
  package init(_ member: DocumentMember) throws(PipelineError) {
    name = member.key
    guard let parts = member.node.items, (2...3).contains(parts.count) else {
      throw PipelineError(
        .definition,
        "the cluster property '\(name)' must be [operator, map expression], "
          + "such as [\"+\", [get, rooms]].", at: member.node.place)
    }
    map = try Self.compile(parts[1], Self.specification)
    let options = parts.count > 2 ? parts[2] : nil
    if let kind = parts[0].text.flatMap(GatheringOperator.init) {
      let options = try GatheringOptions(options, of: kind, at: member.node.place)
      nodes = [parts[1]] + [options.orderBy].compactMap(\.self)
      rule = .gathered(kind, options, order: try options.orderBy.map(Self.order))
      return
    }
    nodes = [parts[1]]
    if let options {
      throw options.place.fault(
        "the operator of the cluster property '\(name)' has no options. Those that have some are "
          + "first, quantile, list-distinct and string-agg.")
    }
    let operation = try Self.operation(parts[0], name: name)
    switch operation {
    case .min, .max: break
    default: try Self.requireJoinable(map.type, name, at: parts[1].place)
    }
    rule = .reduced(operation)
  }

  private static let specification = PropertySpecification(type: nil, parameters: [.zoom])

  /// Compiles the property or expression by which values are ordered.
  private static func order(_ node: DocumentNode) throws(PipelineError) -> CompiledExpression {
    let property = node.text.map { PropertyValue.array([.string("get"), .string($0)]) }
    return try compile(node, specification, as: property)
  }

  /// The properties of records that the entry reads.
  package var propertyNames: [String] {
    guard case .gathered(_, _, let order?) = rule else { return map.propertyNames }
    return map.propertyNames + order.propertyNames.filter { !map.propertyNames.contains($0) }
  }

  /// The properties that the map expression uses as numbers.
  var quantityUses: [String: QuantityUse] {
    switch rule {
    // Sums and quantiles ignore other values.
    case .reduced(.sum), .reduced(.product), .reduced(.min), .reduced(.max),
      .gathered(.median, _, _), .gathered(.quantile, _, _):
      map.quantityUses(ofResult: .value)
    case .reduced, .gathered: map.quantityUses()
    }
  }

  /// Computes the value of each point.
  ///
  /// - Throws: ``PipelineError`` where a custom reduce expression would join texts.
  /// - Complexity: O(points).
  func column(of points: PointSet) throws(PipelineError) -> AggregateColumn {
    var isCustom = false
    if case .reduced(.custom) = rule { isCustom = true }
    let (values, texts) = Self.values(of: map, points)
    // The operators ignore values that they cannot join.
    if isCustom, texts.count > 0 { throw Self.notJoinable(name, at: nodes[0].place) }
    switch rule {
    case .reduced(let operation):
      return AggregateColumn(name: name, values: values, rule: .reduced(operation), texts: texts)
    case .gathered(let kind, let options, let order):
      let gathered = GatheredValues(
        kind.measure(options), of: values, by: order.map { Self.values(of: $0, points).values },
        isDescending: options.isDescending)
      return AggregateColumn(
        name: name, values: values, rule: .gathered(gathered), texts: texts,
        separator: kind == .joinedText ? options.separator : nil)
    }
  }

  private static func values(
    of expression: CompiledExpression, _ points: PointSet
  ) -> (values: Column<AggregateValue>, texts: PropertyColumn) {
    let feature = FeatureView(points: points, level: nil)
    feature.bind(expression.propertyNames, list: 0)
    var texts = AggregateTexts()
    var values = Column<AggregateValue>(in: points.scratch)
    values.reserveCapacity(points.count)
    for row in 0..<points.count {
      feature.row = row
      switch expression.evaluate(EvaluationContext(zoom: 0, feature: feature)) {
      case .string(let text): values.append(texts.value(text))
      case let value: values.append(AggregateValue(value))
      }
    }
    let sorted = texts.sort(&values)
    return (values, sorted)
  }

  private static func operation(
    _ node: DocumentNode, name: String
  ) throws(PipelineError) -> AggregateOperation {
    switch node.text {
    case "+": return .sum
    case "*": return .product
    case "min": return .min
    case "max": return .max
    case "any": return .any
    case "all": return .all
    default: break
    }
    let reduce: PropertyValue =
      node.text.map {
        .array([
          .string($0), .array([.string("accumulated")]), .array([.string("get"), .string(name)]),
        ])
      } ?? node.propertyValue
    let specification = PropertySpecification(type: nil, parameters: [.zoom, .accumulated])
    let expression = try compile(node, specification, as: reduce)
    try requireJoinable(expression.type, name, at: node.place)
    return .custom { accumulated, value in
      let context = EvaluationContext(
        zoom: 0, feature: ReducedFeature(name: name, value: value, names: expression.propertyNames),
        accumulated: ExpressionValue(accumulated))
      return AggregateValue(expression.evaluate(context))
    }
  }

  private static func compile(
    _ node: DocumentNode, _ specification: PropertySpecification, as json: PropertyValue? = nil
  ) throws(PipelineError) -> CompiledExpression {
    do {
      return try CompiledExpression.compile(json ?? node.propertyValue, for: specification)
    } catch {
      let first = error.errors.first
      throw PipelineError(
        .definition, first?.message ?? "invalid expression",
        at: node.place(at: (first?.key ?? []).map(DocumentStep.init)))
    }
  }

  /// Refuses expressions whose values clusters can never join.
  private static func requireJoinable(
    _ type: ExpressionType, _ name: String, at place: DocumentPlace
  ) throws(PipelineError) {
    switch type {
    case .number, .boolean, .value, .null, .error: return
    default: throw notJoinable(name, at: place)
    }
  }

  private static func notJoinable(_ name: String, at place: DocumentPlace) -> PipelineError {
    PipelineError(
      .definition,
      "the cluster property '\(name)' would join texts, which this operator cannot. Use mode, first, "
        + "min, max, count-distinct, list-distinct or string-agg, or make numbers of them, such as "
        + "with [to-number, [get, name]] or [case, condition, 1, 0].", at: place)
  }
}

/// The variables of a reduce expression: the property under its own name, with the next value.
private struct ReducedFeature: PropertySource {
  package let name: String
  let value: AggregateValue
  let names: [String]

  func property(_ slot: Int) -> PropertyValue? {
    names[slot] == name ? PropertyValue(value) : nil
  }

  var id: PropertyValue? { nil }
  var geometryType: String? { "Point" }
  var allProperties: PropertyValue { .object([name: PropertyValue(value)]) }
}

extension GatheringOperator {
  fileprivate func measure(_ options: GatheringOptions) -> GatheredMeasure {
    switch self {
    case .mode: .mode
    case .first: .first
    case .median, .quantile: .quantile(options.fraction)
    case .distinctCount: .distinctCount
    case .distinctList, .joinedText:
      .list(isDistinct: options.isDistinct, limit: options.limit)
    }
  }
}

extension AggregateValue {
  /// Converts the value of an expression, as far as it can be aggregated.
  fileprivate init(_ value: ExpressionValue) {
    switch value {
    case .number(let number): self = .number(number)
    case .bool(let bool): self = .boolean(bool)
    default: self = .null
    }
  }
}

extension PropertyValue {
  /// Creates the property of a value that an expression reduces: a number or a Boolean.
  fileprivate init(_ value: AggregateValue) { self = AggregateTable().property(value) }
}

extension ExpressionValue {
  fileprivate init(_ value: AggregateValue) {
    self.init(PropertyValue(value))
  }
}
