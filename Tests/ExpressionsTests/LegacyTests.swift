import Features
import Testing

@testable import Expressions

@Suite struct LegacyFunctionTests {
  @Test(
    "legacy functions yield their values",
    arguments: [
      ("{'stops': [[0, 1], [10, 11]]}", 5, "{}", "6"),
      ("{'stops': [[0, 1], [10, 11]], 'base': 2}", 20, "{}", "11"),
      ("{'stops': [[0, 1], [10, 11]], 'type': 'interval'}", 9, "{}", "1"),
      ("{'stops': [[3, 7]]}", 0, "{}", "7"),
      ("{'stops': [[3, 7]], 'type': 'interval'}", 9, "{}", "7"),
      ("{'stops': [[0, 1], [0, 2], [10, 11]]}", 0, "{}", "1"),
      ("{'property': 'x', 'stops': [[0, 0], [10, 100]]}", 0, "{'x': 5}", "50"),
      ("{'property': 'x', 'stops': [[0, 0], [10, 100]], 'default': 9}", 0, "{}", "9"),
      (
        "{'property': 'x', 'stops': [[0, 0], [10, 100]]}", 0, "{}",
        "! Expected value to be of type number, but found null instead."
      ),
      (
        "{'property': 'x', 'type': 'categorical', 'stops': [['a', 1], ['b', 2]], 'default': 3}", 0,
        "{'x': 'b'}", "2"
      ),
      (
        "{'property': 'x', 'type': 'categorical', 'stops': [[true, 1], [false, 2]]}", 0,
        "{'x': false}", "2"
      ),
      (
        "{'property': 'x', 'base': 2, 'stops': [[{'zoom': 0, 'value': 0}, 0], "
          + "[{'zoom': 0, 'value': 10}, 20], [{'zoom': 1, 'value': 0}, 0]]}", 0, "{'x': 5}", "10"
      ),
      ("{'property': 'x', 'type': 'identity'}", 0, "{'x': 4}", "4"),
      ("{'property': 'x', 'type': 'identity', 'default': 8}", 0, "{'x': 'no'}", "8"),
      (
        "{'property': 'x', 'stops': [[{'zoom': 0, 'value': 0}, 0], [{'zoom': 0, 'value': 1}, 10], [{'zoom': 10, 'value': 0}, 100]]}",
        5, "{'x': 1}", "55"
      ),
    ])
  func functions(json: String, zoom: Double, properties: String, expected: String) {
    #expect(outcome(json, properties, zoom: zoom, for: .number) == expected)
  }

  @Test(
    "faulty legacy functions are refused",
    arguments: [
      "{'stops': []}", "{'stops': 3}", "{'stops': [[1]]}", "{'type': 'identity'}", "{}",
      "{'stops': [[0, 1]], 'type': 'categorical'}", "{'stops': [[0, 1]], 'type': 'nope'}",
      "{'property': 'x', 'stops': [[{'zoom': 1}, 1]]}", "{'property': 'x', 'stops': [['a', 1]]}",
      "{'property': 'x', 'stops': [[0, 1]], 'type': 'identity'}",
    ])
  func faults(json: String) {
    #expect(throws: ExpressionErrors.self) {
      try CompiledExpression.compile(TestJSON.parse(json), for: .number)
    }
  }

  @Test(
    "a legacy function with texts as stops needs a type, in MapLibre's words",
    arguments: [
      (
        "{'property': 'x', 'stops': [['a', 1], ['b', 2]]}",
        "number expected, string found. If you intended to use a categorical function, specify "
          + "\"type\": \"categorical\""
      ),
      (
        "{'property': 'x', 'stops': [['a', 1]], 'type': 'exponential'}",
        "number expected, string found"
      ),
      ("{'stops': [[true, 1]]}", "number expected, boolean found"),
    ])
  func untyped(json: String, message: String) throws {
    let errors = try #require(throws: ExpressionErrors.self) {
      try CompiledExpression.compile(TestJSON.parse(json), for: .number)
    }
    #expect(errors.errors.map(\.message) == [message])
  }

  @Test("a categorical function without a fallback misses an operand")
  func absent() {
    let json = "{'property': 'x', 'type': 'categorical', 'stops': [['a', 'red']]}"
    #expect(
      outcome(json, for: PropertySpecification(type: .color))
        == "[4]: 'undefined' value invalid. Use null instead.")
  }

  @Test(
    "tokens stand for properties",
    arguments: [
      ("no token", "null"), ("{name}", "[\"to-string\",[\"get\",\"name\"]]"),
      ("a {b} c", "[\"concat\",\"a \",[\"get\",\"b\"],\" c\"]"),
      ("{{b}}", "[\"concat\",\"{\",[\"get\",\"b\"],\"}\"]"), ("{}", "null"), ("{a", "null"),
      ("{a}{b}", "[\"concat\",[\"get\",\"a\"],[\"get\",\"b\"]]"),
    ])
  func tokens(text: String, expected: String) {
    #expect((LegacyTokens.expression(for: text) ?? .null).json == expected)
  }
}

@Suite struct FilterTests {
  static let feature = TestFeature(
    "{'class': 'park', 'n': 3, 'flag': true, 'empty': null}", id: .number(7),
    geometryType: "MultiPolygon")

  func matches(_ json: String, zoom: Double = 0) throws -> Bool {
    let filter = try CompiledFilter.compile(TestJSON.parse(json))
    let feature = Self.feature.bound(to: filter.propertyNames)
    return filter.matches(EvaluationContext(zoom: zoom, feature: feature))
  }

  @Test(
    "legacy filters select features",
    arguments: [
      ("null", true), ("true", true), ("false", false), ("['all']", true), ("['any']", false),
      ("['none']", true), ("['==', 'class', 'park']", true), ("['!=', 'class', 'park']", false),
      ("['==', 'n', '3']", false), ("['<', 'n', 4]", true), ("['<', 'n', '4']", false),
      ("['>=', 'n', 3]", true), ("['>', 'class', 'a']", true), ("['==', 'flag', true]", true),
      ("['==', 'empty', null]", true), ("['==', 'none', null]", false), ("['<', 'none', 1]", false),
      ("['!=', 'none', 1]", true), ("['in', 'class', 'wood', 'park']", true),
      ("['in', 'class']", false),
      ("['!in', 'class', 'wood']", true), ("['has', 'n']", true), ("['!has', 'n']", false),
      ("['has', '$id']", true), ("['==', '$id', 7]", true), ("['in', '$id', 1, 7]", true),
      ("['==', '$type', 'Polygon']", true), ("['in', '$type', 'Point', 'Polygon']", true),
      ("['==', ['geometry-type'], 'MultiPolygon']", true),
      ("['all', ['==', 'class', 'park'], ['>', 'n', 2]]", true),
      ("['any', ['==', 'class', 'x'], ['>', 'n', 2]]", true),
      ("['none', ['==', 'class', 'x'], ['>', 'n', 5]]", true),
      ("['none', ['==', ['get', 'class'], 'park'], false]", false),
      ("['==', ['get', 'class'], 'park']", true), ("['all', ['has', 'n'], true]", true),
      ("['>', ['get', 'none'], 3]", false), ("['boolean', ['get', 'class']]", false),
      ("['in', ['get', 'class'], ['literal', ['park']]]", true), ("['>=', ['zoom'], 5]", false),
      ("['!', ['has', 'none']]", true), ("['all', ['has', 'n'], ['==', 'n', 3]]", true),
      ("['none', ['has', 'n']]", false), ("['==', ['id'], 7]", true),
    ])
  func filters(json: String, expected: Bool) throws {
    #expect(try matches(json) == expected)
  }

  @Test(
    "a missing value counts as null for the id and as present for the type",
    arguments: [
      ("['==', '$id', null]", true), ("['!in', '$id', null, 1]", false), ("['!has', '$id']", true),
      ("['has', '$type']", true), ("['!has', '$type']", false), ("['==', '$type', 'Point']", false),
      ("['==', 'x', null]", false), ("['!=', ['geometry-type'], 'Point']", true),
      ("['==', ['geometry-type'], 'Point']", false),
    ])
  func missing(json: String, expected: Bool) throws {
    let filter = try CompiledFilter.compile(TestJSON.parse(json))
    let feature = TestFeature().bound(to: filter.propertyNames)
    #expect(filter.matches(EvaluationContext(zoom: 0, feature: feature)) == expected)
  }

  @Test(
    "faulty legacy filters are refused at their place",
    arguments: [
      (
        "['all', ['==', 'a', 1], ['==', ['get', 'b'], 2]]",
        "[1]: Mixing deprecated filter syntax with expression syntax is not supported. Convert [\"==\",\"a\",1] to expression syntax."
      ),
      ("['+', 1, 2]", ": Expected boolean but found number instead."),
      ("['==', 'a']", ": Expected two or three arguments."),
      ("['<', '$type', 'Point']", "[0]: \"$type\" cannot be used"),
      ("['!in', 3]", "[1]: \"in\" filter must name a property"),
      ("'park'", ": filter must be"),
      (
        "['==', ['get'], 1]",
        "[1]: Expected arguments of type (string) | (string, object), but found () instead."
      ),
    ])
  func faults(json: String, message: String) throws {
    do {
      _ = try CompiledFilter.compile(TestJSON.parse(json))
      Issue.record("compiled: \(json)")
    } catch {
      #expect("\(error.errors[0].keyString): \(error.errors[0].message)".hasPrefix(message))
    }
  }

  @Test("a legacy filter knows its inputs")
  func inputs() throws {
    let filter = try CompiledFilter.compile(
      TestJSON.parse(
        "['all', ['==', 'a', 1], ['in', 'b', 'x', 'y'], ['has', 'a'], ['<', '$id', 5]]"))
    #expect(filter.propertyNames == ["a", "b"])
    #expect(filter.specimens == ["a": [.number(1)], "b": [.string("x"), .string("y")]])
    #expect(filter.usesID && !filter.usesGeometryType && filter.isZoomConstant)
    #expect(filter.constant == nil)
    #expect(try CompiledFilter.compile(.null).constant == true)
  }
}
