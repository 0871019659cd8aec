import Features
import Platform
import Raster

/// The operators `interpolate`, `interpolate-hcl` and `interpolate-lab`.
final class Interpolate: Curve {
  let easing: Easing
  let input: any Node
  let stops: Stops
  private let space: ColorSpace
  let type: ExpressionType
  let traits: Traits
  private let place: ExpressionPlace
  var children: [any Node] { [input] + stops.outputs }

  init(
    _ easing: Easing, _ space: ColorSpace, _ input: any Node, _ stops: Stops, type: ExpressionType,
    at place: ExpressionPlace
  ) {
    self.place = place
    self.easing = easing
    self.space = space
    self.input = input
    self.stops = stops
    self.type = type
    traits = Traits([input] + stops.outputs)
  }

  /// Returns the outputs on both sides of the input and the fraction between them; a single one
  /// where there is only one, or where the input is beyond the stops.
  private func position(
    _ context: EvaluationContext
  ) throws(EvaluationError) -> (lower: any Node, upper: (any Node)?, fraction: Double) {
    let count = stops.inputs.count
    guard count > 1 else { return (stops.outputs[0], nil, 0) }
    let value = try input.number(context)
    if value <= stops.inputs[0] { return (stops.outputs[0], nil, 0) }
    if value >= stops.inputs[count - 1] { return (stops.outputs[count - 1], nil, 0) }
    let index = stops.index(atOrBelow: value)
    let fraction = easing.fraction(
      value, from: stops.inputs[index], to: stops.inputs[index + 1])
    return (stops.outputs[index], stops.outputs[index + 1], fraction)
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    let (lower, upper, fraction) = try position(context)
    let from = try lower.number(context)
    guard let upper else { return from }
    return lerp(from, try upper.number(context), fraction)
  }

  func color(_ context: EvaluationContext) throws(EvaluationError) -> Color {
    let (lower, upper, fraction) = try position(context)
    let from = try lower.color(context)
    guard let upper else { return from }
    // A colour with NaN cannot be drawn; a negative base can leave the range between the two.
    guard !fraction.isNaN else { throw .message("Cannot interpolate colors at NaN.") }
    return space.mix(from, try upper.color(context), min(max(fraction, 0), 1))
  }

  func value(_ context: EvaluationContext) throws(EvaluationError) -> ExpressionValue {
    switch type {
    case .number: return .number(try number(context))
    case .color: return .color(try color(context))
    default:
      let (lower, upper, fraction) = try position(context)
      let from = try lower.value(context)
      guard let upper else { return from }
      return try from.mixed(with: try upper.value(context), fraction, in: space, at: place)
    }
  }
}

extension Interpolate {
  static func parse(_ name: String, _ items: [PropertyValue], _ parser: Parser) -> (any Node)? {
    guard items.count > 1, case .array(let kind) = items[1], let word = kind.first else {
      parser.fail("Expected an interpolation type expression.", at: 1)
      return nil
    }
    guard let easing = easing(word, kind, parser), parser.checkCurve(items),
      let input = parser.parse(items, 2, as: .number)
    else { return nil }

    let space: ColorSpace =
      switch name {
      case "interpolate-hcl": .hcl
      case "interpolate-lab": .lab
      default: .rgb
      }
    var type = parser.outputType
    if space != .rgb, parser.expected != .colorArray { type = .color }
    var stops = Stops()
    for index in stride(from: 3, to: items.count, by: 2) {
      guard
        let output = stops.parse(
          items[index], at: index, items, outputAt: index + 1, of: "interpolate", as: type, parser)
      else { return nil }
      type = type ?? output.type
    }
    guard let type, type.isInterpolatable else {
      parser.fail("Type \((type ?? .value).name) is not interpolatable.")
      return nil
    }
    return Interpolate(easing, space, input, stops, type: type, at: parser.place)
  }

  private static func easing(
    _ word: PropertyValue, _ kind: [PropertyValue], _ parser: Parser
  ) -> Easing? {
    switch word {
    case .string("linear"): return .linear
    case .string("exponential"):
      guard kind.count > 1, case .number(let base) = kind[1] else {
        parser.fail("Exponential interpolation requires a numeric base.", at: 1, 1)
        return nil
      }
      return .exponential(base: base)
    case .string("cubic-bezier"):
      var points: [Double] = []
      for item in kind.dropFirst() {
        if case .number(let number) = item, (0...1).contains(number) { points.append(number) }
      }
      guard points.count == 4, kind.count == 5 else {
        parser.fail(
          "Cubic bezier interpolation requires four numeric arguments with values between 0 and 1.",
          at: 1)
        return nil
      }
      return .cubicBezier(x1: points[0], y1: points[1], x2: points[2], y2: points[3])
    default:
      let name = word == .null ? "null" : ExpressionValue(word).text
      parser.fail("Unknown interpolation type \(name)", at: 1, 0)
      return nil
    }
  }
}

extension ExpressionType {
  fileprivate var isInterpolatable: Bool {
    switch self {
    case .number, .color, .projectionDefinition, .padding, .numberArray, .colorArray,
      .variableAnchorOffsetCollection, .array(of: .number, count: .some):
      true
    default: false
    }
  }
}

/// The interpolation between one stop and the next.
package enum Easing: Hashable, Sendable {
  case linear
  /// An exponential curve through both stops; base 1 is linear, above 1 it rises late.
  case exponential(base: Double)
  /// A cubic Bézier curve from (0, 0) to (1, 1) with two control points, as in CSS.
  case cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double)

  /// Returns the weight of the upper stop's output at an input, 0 at `lower` and 1 at `upper`.
  package func fraction(_ input: Double, from lower: Double, to upper: Double) -> Double {
    let difference = upper - lower
    guard difference != 0 else { return 0 }
    let progress = input - lower
    switch self {
    case .linear, .exponential(base: 1): return progress / difference
    // (b^x − b^x₀) / (b^x₁ − b^x₀), divided by b^x₀.
    case .exponential(let base): return (pow(base, progress) - 1) / (pow(base, difference) - 1)
    case .cubicBezier(let x1, let y1, let x2, let y2):
      return CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2).solve(progress / difference)
    }
  }
}

/// A Bézier curve from (0, 0) to (1, 1) in polynomial form.
private struct CubicBezier {
  private var x: (a: Double, b: Double, c: Double)
  private var y: (a: Double, b: Double, c: Double)

  init(x1: Double, y1: Double, x2: Double, y2: Double) {
    func coefficients(_ first: Double, _ second: Double) -> (a: Double, b: Double, c: Double) {
      let c = 3 * first
      let b = 3 * (second - first) - c
      return (1 - c - b, b, c)
    }
    x = coefficients(x1, x2)
    y = coefficients(y1, y2)
  }

  /// Returns the height of the curve above `position` 0 … 1.
  ///
  /// x increases with the parameter since the control points lie within 0 … 1, so bisection finds
  /// it: 60 halvings leave less than one unit in the last place.
  func solve(_ position: Double) -> Double {
    var low = 0.0
    var high = 1.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if ((x.a * middle + x.b) * middle + x.c) * middle < position {
        low = middle
      } else {
        high = middle
      }
    }
    let t = (low + high) / 2
    return ((y.a * t + y.b) * t + y.c) * t
  }
}
