import Clustering
import Definition
import Expressions
import Features
import OrderedCollections
import Runs
import Scenes

/// A compiled entry of `clusterProperties`: `[operator, map]`, or `[reduce, map]` with
/// `["accumulated"]` in reduce.
struct ClusterProperty {
  /// The name under which layers find the cluster's value.
  let name: String

  private let map: CompiledExpression
  private let mapPlace: DocumentPlace
  private let operation: AggregateOperation

  /// - Throws: ``PipelineError`` where the entry is invalid, or yields other values than numbers
  ///   and Booleans.
  init(_ member: DocumentMember) throws(PipelineError) {
    name = member.key
    guard let parts = member.node.items, parts.count == 2 else {
      throw PipelineError(
        .definition,
        "the cluster property '\(name)' must be [operator, map expression], "
          + "such as [\"+\", [get, rooms]].", at: member.node.place)
    }
    let specification = PropertySpecification(type: nil, parameters: [.zoom])
    map = try Self.compile(parts[1], specification)
    mapPlace = parts[1].place
    try Self.requireJoinable(map.type, name, at: parts[1].place)
    operation = try Self.operation(parts[0], name: name)
  }

  /// The properties that the map expression uses as numbers.
  var quantityUses: [String: QuantityUse] {
    switch operation {
    // Sums and extremes ignore other values.
    case .sum, .product, .min, .max: map.quantityUses(ofResult: .value)
    case .any, .all, .custom: map.quantityUses()
    }
  }

  /// Computes the value of each point.
  ///
  /// - Throws: ``PipelineError`` where a custom reduce expression would join texts.
  /// - Complexity: O(points).
  func column(of points: PointSet) throws(PipelineError) -> AggregateColumn {
    let feature = FeatureView(points: points, level: nil)
    feature.bind(map.propertyNames, list: 0)
    var values = Column<AggregateValue>(in: points.scratch)
    values.reserveCapacity(points.count)
    for row in 0..<points.count {
      feature.row = row
      let value = map.evaluate(EvaluationContext(zoom: 0, feature: feature))
      // The operators ignore values other than numbers and Booleans.
      if case .custom = operation, case .string = value {
        throw Self.notJoinable(name, at: mapPlace)
      }
      values.append(AggregateValue(value))
    }
    return AggregateColumn(name: name, values: values, operation: operation)
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
      "the cluster property '\(name)' would join texts, but clusters join numbers and true or "
        + "false only. Make numbers of them, such as with [to-number, [get, name]] or "
        + "[case, condition, 1, 0].", at: place)
  }
}

/// The variables of a reduce expression: the property under its own name, with the next value.
private struct ReducedFeature: PropertySource {
  let name: String
  let value: AggregateValue
  let names: [String]

  func property(_ slot: Int) -> PropertyValue? {
    names[slot] == name ? PropertyValue(value) : nil
  }

  var id: PropertyValue? { nil }
  var geometryType: String? { "Point" }
  var allProperties: PropertyValue { .object([name: PropertyValue(value)]) }
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

extension ExpressionValue {
  fileprivate init(_ value: AggregateValue) {
    self.init(PropertyValue(value))
  }
}
