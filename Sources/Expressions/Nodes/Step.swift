import Features

/// The operator `step`: the output of the last stop at or below the input.
final class Step: Curve, Branching {
  let input: any Node
  let stops: Stops
  let type: ExpressionType
  let traits: Traits
  var outputs: [any Node] { stops.outputs }
  var children: [any Node] { [input] + stops.outputs }

  init(_ input: any Node, _ stops: Stops, type: ExpressionType) {
    self.input = input
    self.stops = stops
    self.type = type
    traits = Traits([input] + stops.outputs)
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard parser.checkCurve(items), let input = parser.parse(items, 1, as: .number) else {
      return nil
    }
    var type = parser.outputType
    var stops = Stops()
    for index in stride(from: 1, to: items.count, by: 2) {
      let label = index == 1 ? .number(-.infinity) : items[index]
      guard
        let output = stops.parse(
          label, at: index, items, outputAt: index + 1, of: "step", as: type, parser)
      else { return nil }
      type = type ?? output.type
    }
    return Step(input, stops, type: type ?? .value)
  }

  func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any Node {
    stops.outputs[stops.index(atOrBelow: try input.number(context))]
  }
}
