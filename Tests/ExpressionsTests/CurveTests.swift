import Features
import Raster
import Testing

@testable import Expressions

@Suite struct CurveTests {
  @Test(
    "step returns the last stop at or below the input",
    arguments: [(-5.0, "a"), (0, "a"), (9.9, "a"), (10, "b"), (19, "b"), (20, "c"), (1e9, "c")])
  func step(input: Double, expected: String) {
    let json = "['step', ['get', 'x'], 'a', 10, 'b', 20, 'c']"
    #expect(outcome(json, "{'x': \(input)}") == "\"\(expected)\"")
  }

  @Test(
    "interpolate is linear between stops and constant beyond them",
    arguments: [
      ("['linear']", 5, "0"), ("['linear']", 15, "5"), ("['linear']", 30, "10"),
      ("['exponential', 2]", 11, "0.009775171065493646"), ("['exponential', 1]", 15, "5"),
      ("['cubic-bezier', 0.5, 0, 0.5, 1]", 15, "5"),
      ("['cubic-bezier', 0, 0, 1, 1]", 12, "2"),
    ])
  func interpolate(easing: String, input: Double, expected: String) {
    let json = "['interpolate', \(easing), ['get', 'x'], 10, 0, 20, 10]"
    let result = Double(outcome(json, "{'x': \(input)}")) ?? .nan
    #expect(abs(result - (Double(expected) ?? 0)) < 1e-9)
  }

  @Test("the fraction of an easing is 0 at the lower stop, 1 at the upper, and increases")
  func easing() {
    let easings: [Easing] = [
      .linear, .exponential(base: 0.5), .exponential(base: 3),
      .cubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1),
    ]
    for easing in easings {
      let fractions = (0...100).map { easing.fraction(Double($0), from: 0, to: 100) }
      #expect(abs(fractions[0]) < 1e-9 && abs(fractions[100] - 1) < 1e-9)
      #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test("a Bézier curve agrees with points computed from its parameter")
  func bezier() {
    let easing = Easing.cubicBezier(x1: 0.3, y1: 0.9, x2: 0.6, y2: 0.1)
    for step in 0...50 {
      let t = Double(step) / 50
      let u = 1 - t
      let x = 3 * u * u * t * 0.3 + 3 * u * t * t * 0.6 + t * t * t
      let y = 3 * u * u * t * 0.9 + 3 * u * t * t * 0.1 + t * t * t
      #expect(abs(easing.fraction(x, from: 0, to: 1) - y) < 1e-9)
    }
  }

  @Test(
    "faulty curves are refused at their place",
    arguments: [
      (
        "['step', 1, 'a', 'b', 'c']",
        "[3]: Input/output pairs for \"step\" expressions must be defined using literal numeric values (not computed expressions) for the input values."
      ),
      (
        "['step', 1, 'a', 2, 'b', 1, 'c']",
        "[5]: Input/output pairs for \"step\" expressions must be arranged with input values in strictly ascending order."
      ),
      ("['step', 1, 'a']", ": Expected at least 4 arguments, but found only 2."),
      ("['interpolate', 'linear', 1, 0, 0]", "[1]: Expected an interpolation type expression."),
      ("['interpolate', ['foo'], 1, 0, 0]", "[1][0]: Unknown interpolation type foo"),
      (
        "['interpolate', ['exponential'], 1, 0, 0]",
        "[1][1]: Exponential interpolation requires a numeric base."
      ),
      (
        "['interpolate', ['cubic-bezier', 0, 2, 0, 1], 1, 0, 0]",
        "[1]: Cubic bezier interpolation requires four numeric arguments with values between 0 and 1."
      ),
      ("['interpolate', ['linear'], 1, 0, 'a']", ": Type string is not interpolatable."),
      ("['interpolate', ['linear'], 1, 0, 'a', 1]", ": Expected an even number of arguments."),
      ("['interpolate', ['linear'], 'x', 0, 1]", "[2]: Expected number but found string instead."),
    ])
  func faults(expression: String, expected: String) {
    #expect(outcome(expression) == expected)
  }

  @Test(
    "the zoom is only allowed at the top of an expression",
    arguments: [
      ("['interpolate', ['linear'], ['zoom'], 0, 1, 10, 11]", "6"),
      ("['let', 'a', 2, ['step', ['zoom'], 0, 3, ['var', 'a']]]", "2"),
      ("['coalesce', ['step', ['zoom'], 0, 3, 7]]", "7"),
      (
        "['+', ['zoom'], 1]",
        ": \"zoom\" expression may only be used as input to a top-level \"step\" or \"interpolate\" expression."
      ),
      (
        "['+', ['step', ['zoom'], 0, 3, 7], 1]",
        ": \"zoom\" expression may only be used as input to a top-level \"step\" or \"interpolate\" expression."
      ),
      (
        "['step', ['zoom'], 0, 3, ['step', ['zoom'], 1, 4, 2]]",
        ": Only one zoom-based \"step\" or \"interpolate\" subexpression may be used in an expression."
      ),
    ])
  func zoom(expression: String, expected: String) {
    #expect(outcome(expression, zoom: 5) == expected)
  }

  @Test("a property may forbid the zoom, the feature or interpolation")
  func specification() {
    let curve = "['interpolate', ['linear'], ['zoom'], 0, 1, 10, 11]"
    let noZoom = PropertySpecification(type: .number, parameters: [])
    #expect(outcome(curve, for: noZoom) == ": zoom expressions not supported")
    let steps = PropertySpecification(type: .number, isInterpolated: false)
    #expect(
      outcome(curve, for: steps)
        == ": \"interpolate\" expressions cannot be used with this property")
    let constant = PropertySpecification(type: .number, isDataDriven: false)
    #expect(outcome("['get', 'x']", for: constant) == ": data expressions not supported")
    #expect(outcome("['heatmap-density']", for: .number).contains("only in the color ramp"))
  }

  @Test("variables are seen inside their let and nowhere else")
  func variables() {
    #expect(outcome("['let', 'a', 1, 'b', 2, ['+', ['var', 'a'], ['var', 'b']]]") == "3")
    #expect(outcome("['let', 'a', 1, ['let', 'a', 2, ['var', 'a']]]") == "2")
    #expect(
      outcome("['+', ['let', 'a', 1, ['var', 'a']], ['var', 'a']]").hasPrefix(
        "[2][1]: Unknown variable \"a\"."))
    #expect(
      outcome("['let', 'a-b', 1, 2]")
        == "[1]: Variable names must contain only alphanumeric characters or '_'.")
    #expect(outcome("['let', 1, 1, 2]") == "[1]: Expected string, but found number instead.")
    #expect(outcome("['let', 'a', 1]") == ": Expected at least 3 arguments, but found 2 instead.")
  }

  @Test("lists are interpolated item by item and colours in three spaces")
  func others() {
    let list = PropertySpecification(type: .array(of: .number, count: 2))
    #expect(
      outcome(
        "['interpolate', ['linear'], ['zoom'], 0, ['literal', [0, 10]], 10, ['literal', [10, 20]]]",
        zoom: 5, for: list) == "[5,15]")
    func middle(_ name: String, _ from: String, _ to: String) -> String {
      outcome(
        "['\(name)', ['linear'], ['get', 'x'], 0, '\(from)', 1, '\(to)']", "{'x': 0.5}", for: .color
      )
    }
    #expect(middle("interpolate", "red", "blue") == "rgba(128,0,128,1)")
    #expect(middle("interpolate", "rgba(255, 0, 0, 0)", "red") == "rgba(255,0,0,0.5)")
    #expect(middle("interpolate-lab", "black", "white") == "rgba(119,119,119,1)")
    #expect(middle("interpolate-lab", "red", "lime") == "rgba(200,172,0,1)")
    #expect(middle("interpolate-hcl", "red", "blue") == "rgba(245,0,134,1)")
    #expect(middle("interpolate-hcl", "gray", "gray") == "rgba(128,128,128,1)")
  }
}
