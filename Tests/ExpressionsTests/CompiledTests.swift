import Features
import Raster
import Testing

@testable import Expressions
@testable import expression_fixture

@Suite struct CompiledTests {
  func compile(
    _ json: String, for specification: PropertySpecification = .any
  ) throws -> CompiledExpression {
    try CompiledExpression.compile(TestJSON.parse(json), for: specification)
  }

  func message(_ json: String, for specification: PropertySpecification) -> String {
    do {
      return "compiled: \(try compile(json, for: specification).constant?.json ?? "")"
    } catch {
      guard let errors = error as? ExpressionErrors else { return "\(error)" }
      return errors.errors.map(\.message).joined(separator: "; ")
    }
  }

  @Test("constants are checked against their property")
  func constants() {
    let width = PropertySpecification(type: .number, minimum: 0, maximum: 24)
    #expect(message("3", for: width) == "compiled: 3")
    #expect(message("-1", for: width) == "-1 is less than the minimum value 0")
    #expect(message("25", for: width) == "25 is greater than the maximum value 24")
    #expect(message("'x'", for: width) == "number expected, string found")
    let cap = PropertySpecification(allowedValues: ["butt", "round"])
    #expect(message("'round'", for: cap) == "compiled: \"round\"")
    #expect(message("'flat'", for: cap) == "expected one of [butt, round], \"flat\" found")
    #expect(message("'nope'", for: .color) == "color expected, \"nope\" found")
    let offset = PropertySpecification(type: .array(of: .number, count: 2))
    #expect(message("[1, 2]", for: offset) == "compiled: [1,2]")
    #expect(message("[1]", for: offset) == "array length 2 expected, length 1 found")
    #expect(message("[1, 'a']", for: offset) == "number expected, string found")
    let fonts = PropertySpecification(type: .array(of: .string, count: nil))
    #expect(message("['Open Sans', 'Arial']", for: fonts) == "compiled: [\"Open Sans\",\"Arial\"]")
    #expect(message("['foo', 1]", for: width).hasPrefix("Unknown expression \"foo\""))
    #expect(message("4", for: PropertySpecification(type: .padding)) == "compiled: [4,4,4,4]")
  }

  @Test("a compiled expression knows its inputs, in order of first appearance")
  func inputs() throws {
    let expression = try compile(
      "['case', ['has', 'b'], ['get', 'a'], ['==', ['geometry-type'], 'Point'], ['get', 'b'], ['id']]"
    )
    #expect(expression.propertyNames == ["b", "a"])
    #expect(expression.usesID && !expression.usesAllProperties)
    #expect(expression.isZoomConstant && !expression.isFeatureConstant)
    #expect(try compile("['get', 'k', ['properties']]").usesAllProperties)
    #expect(try compile("['+', 1, 2]").constant == .number(3))
  }

  /// Nested `let` around a text, each of which doubles it.
  private static func doubled(_ text: String, _ levels: Int, by: String = "concat") -> String {
    (0..<levels).reduce(text) { inner, _ in
      "['let', 'a', \(inner), \(operation(by))]"
    }
  }

  private static func operation(_ name: String) -> String {
    switch name {
    case "concat": "['concat', ['var', 'a'], ['var', 'a']]"
    case "format": "['to-string', ['format', ['var', 'a'], {}, ['var', 'a'], {}]]"
    default: "['join', ['split', ['concat', ['var', 'a'], ',', ['var', 'a']], ','], ['var', 'a']]"
    }
  }

  @Test(
    "a constant text counts as one of variables: a short expression makes no long one",
    arguments: ["'abcdefgh'", "['get', 'n']"], ["concat", "format", "join"])
  func longText(text: String, by: String) {
    let result = outcome(Self.doubled(text, 30, by: by), "{\"n\": \"abcdefgh\"}")
    #expect(
      result.contains("too complex") || result.contains("longer than 1048576 bytes"), "\(result)")
    // Neither the constants of a level nor those of many operands are kept.
    let many =
      "['concat', "
      + Array(repeating: Self.doubled(text, 12, by: by), count: 200)
      .joined(separator: ", ") + "]"
    let all = outcome(many, "{\"n\": \"abcdefgh\"}")
    #expect(all.contains("longer than") || all.contains("too complex"), "\(all.prefix(200))")
  }

  @Test("a constant text is folded while it is short, and made at each use when it is long")
  func folding() throws {
    let short = try compile(Self.doubled("'abcdefgh'", 9))
    #expect(short.constant == .string(String(repeating: "abcdefgh", count: 512)))
    let long = try compile(Self.doubled("'abcdefgh'", 12))
    #expect(long.constant == nil)
    #expect(
      try long.evaluateThrowing(EvaluationContext(zoom: 0))
        == .string(String(repeating: "abcdefgh", count: 4096)))
    // A text that the style has in full stays as it is.
    let own = String(repeating: "x", count: 20_000)
    #expect(try compile("'\(own)'", for: .string).constant == .string(own))
    #expect(try compile("'\(own)'", for: .formatted).constant?.text == own)
  }

  @Test("specimens are the literals that properties are compared with")
  func specimens() throws {
    let expression = try compile(
      """
      ['case', ['==', ['get', 'a'], 'x'], 1, ['<', 5, ['to-number', ['get', 'n']]], 2,
       ['in', ['get', 'a'], ['literal', ['x', 'y']]], 3,
       ['match', ['get', 'm'], ['p', 'q'], 1, 'r', 2, ['step', ['number', ['get', 'n']], 0, 10, 1]]]
      """)
    #expect(expression.specimens["a"] == [.string("x"), .string("y")])
    #expect(expression.specimens["n"] == [.number(5), .number(10)])
    #expect(expression.specimens["m"] == [.string("p"), .string("q"), .string("r")])
    let labels = (0..<100).map { "\($0), 1" }.joined(separator: ", ")
    #expect(try compile("['match', ['get', 'a'], \(labels), 0]").specimens["a"]?.count == 64)
  }

  @Test("accessors fall back to the property's default")
  func defaults() throws {
    func context(_ json: String, _ expression: CompiledExpression) -> EvaluationContext {
      EvaluationContext(zoom: 0, feature: TestFeature(json).bound(to: expression.propertyNames))
    }
    let number = try compile("['get', 'x']", for: .number)
    #expect(number.number(context("{'x': 4}", number)) == 4)
    #expect(number.number(context("{}", number)) == -1)
    #expect(number.evaluate(context("{'x': 'a'}", number)) == .number(-1))
    let quotient = try compile("['/', ['get', 'x'], 0]", for: .number)
    #expect(quotient.number(context("{'x': 0}", quotient)) == -1)
    let color = try compile("['get', 'x']", for: .color)
    #expect(color.color(context("{'x': 'lime'}", color)) == Color(red: 0, green: 1, blue: 0))
    #expect(color.color(context("{'x': 'none'}", color)) == .black)
    let cap = try compile(
      "['get', 'x']",
      for: PropertySpecification(allowedValues: ["butt", "round"], default: .string("butt")))
    #expect(cap.string(context("{'x': 'round'}", cap)) == "round")
    #expect(cap.string(context("{'x': 'flat'}", cap)) == "butt")
    #expect(cap.evaluate(context("{'x': 'flat'}", cap)) == .string("butt"))
    let text = try compile("['get', 'x']", for: .formatted)
    #expect(text.formatted(context("{'x': 1.5}", text)).text == "1.5")
    #expect(text.formatted(context("{}", text)).text == "")
  }

  @Test("numbers and colours that are drawn are finite")
  func finite() throws {
    let feature = TestFeature("{'x': 0}")
    func context(_ expression: CompiledExpression) -> EvaluationContext {
      EvaluationContext(zoom: 0, feature: feature.bound(to: expression.propertyNames))
    }
    let infinite = try compile("['/', 1, ['get', 'x']]", for: .number)
    #expect(infinite.number(context(infinite)) == -1)
    #expect(infinite.evaluate(context(infinite)) == .number(.infinity))
    let color = try compile(
      "['interpolate', ['linear'], ['/', ['get', 'x'], 0], 0, 'red', 1, 'blue']", for: .color)
    #expect(color.color(context(color)) == .black)
  }

  @Test("tokens in a constant text are replaced")
  func tokens() throws {
    let field = PropertySpecification(type: .formatted, default: .string(""), hasTokens: true)
    let expression = try compile("'{name} ({n})'", for: field)
    #expect(expression.propertyNames == ["name", "n"])
    let feature = TestFeature("{'name': 'Ulm', 'n': 3}").bound(to: expression.propertyNames)
    #expect(expression.formatted(EvaluationContext(zoom: 0, feature: feature)).text == "Ulm (3)")
  }

  @Test("global state is what the style sets")
  func globalState() throws {
    let expression = try CompiledExpression.compile(
      TestJSON.parse("['+', ['number', ['global-state', 'a'], 5], 1]"), for: .number,
      globalState: ["a": .number(2)])
    #expect(expression.number(EvaluationContext(zoom: 0)) == 3)
    #expect(outcome("['global-state', 'b']") == "null")
    #expect(
      outcome("['global-state', 3]")
        == ": Global state property must be string, but found number instead.")
  }

  @Test("grouped circles have the radius 44 / (1 + e^(-0.3 n^0.4))")
  func circleSize() throws {
    let size = try compile(
      """
      ['round', ['/', 44, ['+', 1, ['^', ['e'],
        ['*', -0.3, ['^', ['coalesce', ['get', 'point_count'], 1], 0.4]]]]]]
      """, for: .number)
    for (count, expected) in [(1.0, 25.0), (500, 43)] {
      let feature = TestFeature("{'point_count': \(count)}").bound(to: size.propertyNames)
      #expect(size.number(EvaluationContext(zoom: 0, feature: feature)) == expected)
    }
    #expect(
      size.number(EvaluationContext(zoom: 0, feature: TestFeature().bound(to: size.propertyNames)))
        == 25)
  }

  @Test("an error's key leads into the JSON, even where MapLibre's does not")
  func keys() {
    func error(_ json: String) -> ExpressionError? {
      do { _ = try compile(json) } catch let errors as ExpressionErrors {
        return errors.errors[0]
      } catch {}
      return nil
    }
    let branch = error("['match', ['get', 'x'], 'a', ['sqrt', 'no'], 1]")
    #expect(branch?.key == [.index(3), .index(1)] && branch?.keyString == "[2][1]")
    let option = error("['format', 'a', {'font-scale': 'big'}]")
    #expect(option?.key == [.index(2), .member("font-scale")] && option?.keyString == "[1]")
  }

  @Test("a fixture reports how an expression compiled and its values")
  func fixture() {
    func run(_ json: String) -> String { ExpressionFixture.run(json: TestJSON.parse(json)).json }
    #expect(
      run(
        "{'expression': ['+', ['get', 'x'], 1], 'inputs': [[{}, {'properties': {'x': 2}}], [{}, {}]]}"
      )
        == """
        {"compiled":{"result":"success","type":"number","isFeatureConstant":false,"isZoomConstant":true},\
        "outputs":[3,{"error":"Expected value to be of type number, but found null instead."}]}
        """)
    #expect(
      run(
        "{'expression': ['get', 'x'], 'propertySpec': {'type': 'color'}, 'inputs': [[{}, {'properties': {'x': 'rgba(255, 0, 0, 0.5)'}}]]}"
      )
      .hasSuffix("\"outputs\":[[0.5,0,0,0.5]]}"))
    #expect(
      run("{'expression': ['sqrt', 'x']}")
        == "{\"compiled\":{\"result\":\"error\",\"errors\":[{\"key\":\"[1]\",\"error\":\"Expected number but found string instead.\"}]}}"
    )
    for (tile, expected) in [("", "MultiPoint"), ("'canonicalID': {'z': 0}", "Point")] {
      let input = "[{\(tile)}, {'geometry': {'type': 'MultiPoint'}}]"
      #expect(
        run("{'expression': ['geometry-type'], 'inputs': [\(input)]}")
          .hasSuffix("\"outputs\":[\"\(expected)\"]}"))
    }
    #expect(run("3").contains("must be an object"))
  }
}
