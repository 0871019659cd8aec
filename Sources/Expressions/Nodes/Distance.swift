import Features

/// The operator `distance`: metres from the feature to the nearest of some shapes, 0 inside
/// polygons.
///
/// Measured at the latitude of the feature's first position; NaN for a feature without one.
final class Distance: Node {
  private let shapes: [MeasuredShape]
  let traits = Traits([], reading: [.feature, .geometry])
  var type: ExpressionType { .number }

  init(_ shapes: [PlanarShape]) {
    self.shapes = shapes.map(MeasuredShape.init)
  }

  static func parse(_ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    parser.geometryArgument(of: "distance", items).map(Distance.init)
  }

  func number(_ context: EvaluationContext) -> Double {
    let plane = MercatorPlane(steps: context.positionSteps)
    let parts = PlanarShape.parts(of: context.feature?.geometry ?? .none)
      .map { $0.mapped(plane.snapped) }
    guard let first = parts.first?.first else { return .nan }
    let ruler = CheapRuler(latitude: first.y)
    var best = Double.infinity
    for part in parts.map(MeasuredShape.init) {
      for shape in shapes {
        best = part.distance(to: shape, ruler, below: best)
        if best == 0 { return 0 }
      }
    }
    return best
  }

  func value(_ context: EvaluationContext) -> ExpressionValue { .number(number(context)) }
}
