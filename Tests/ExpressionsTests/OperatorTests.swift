import Testing

@Suite struct OperatorTests {
  @Test(
    "arithmetic follows IEEE and the specification",
    arguments: [
      ("['+']", "0"), ("['+', 1]", "1"), ("['+', 1, 2, 3]", "6"), ("['*', 2, 3, 4]", "24"),
      ("['*']", "1"), ("['-', 5]", "-5"), ("['-', 5, 7]", "-2"), ("['/', 1, 4]", "0.25"),
      ("['%', -7, 3]", "-1"), ("['%', 7, -3]", "1"), ("['^', 2, 10]", "1024"),
      ("['^', 2, -1]", "0.5"), ("['e']", "2.718281828459045"), ("['pi']", "3.141592653589793"),
      ("['ln2']", "0.6931471805599453"), ("['sqrt', 9]", "3"), ("['abs', -2]", "2"),
      ("['round', 2.5]", "3"), ("['round', -2.5]", "-3"), ("['floor', -2.5]", "-3"),
      ("['ceil', -2.5]", "-2"), ("['min', 3, 1, 2]", "1"), ("['max', 3, 1, 2]", "3"),
      ("['ln', ['e']]", "1"), ("['log10', 1000]", "3"), ("['log2', 8]", "3"),
      ("['sin', 0]", "0"), ("['cos', 0]", "1"), ("['tan', 0]", "0"), ("['asin', 0]", "0"),
      ("['acos', 1]", "0"), ("['atan', 0]", "0"), ("['/', 1, 0]", "null"),
    ])
  func arithmetic(expression: String, expected: String) {
    #expect(outcome(expression) == expected)
  }

  @Test(
    "comparisons compare values of the same type",
    arguments: [
      ("['==', 1, 1]", "true"), ("['!=', 1, 1]", "false"), ("['<', 1, 2]", "true"),
      ("['>=', 'b', 'a']", "true"), ("['==', null, null]", "true"), ("['==', true, true]", "true"),
      ("['==', ['get', 'n'], 3]", "true"), ("['==', ['get', 'n'], '3']", "false"),
      ("['<', ['get', 'n'], ['get', 'm']]", "true"),
      (
        "['<', ['get', 'n'], ['get', 's']]",
        "! Expected arguments for \"<\" to be (string, string) or (number, number), but found "
          + "(number, string) instead."
      ),
      (
        "['<', ['get', 's'], 3]", "! Expected value to be of type number, but found string instead."
      ),
      ("['==', 1, 'a']", ": Cannot compare types 'number' and 'string'."),
      ("['<', 1, true]", "[2]: \"<\" comparisons are not supported for type 'boolean'."),
      (
        "['==', ['literal', []], 1]",
        "[1]: \"==\" comparisons are not supported for type 'array<value, 0>'."
      ),
      ("['==', 1]", ": Expected two or three arguments."),
    ])
  func comparison(expression: String, expected: String) {
    #expect(outcome(expression, "{'n': 3, 'm': 4, 's': 'x'}") == expected)
  }

  @Test(
    "conditions, case, match and coalesce choose their result",
    arguments: [
      ("['all']", "true"), ("['any']", "false"), ("['all', true, false]", "false"),
      ("['any', false, true, false]", "true"), ("['!', true]", "false"),
      ("['any', true, ['<', ['get', 'none'], 1]]", "true"),
      ("['case', false, 1, true, 2, 3]", "2"), ("['case', false, 1, false, 2, 3]", "3"),
      ("['match', 'b', 'a', 1, ['b', 'c'], 2, 3]", "2"), ("['match', 7, 1, 'x', 'y']", "\"y\""),
      ("['match', ['get', 's'], 'x', 1, 0]", "1"), ("['match', ['get', 'none'], 'x', 1, 0]", "0"),
      ("['match', 1, 'a', 2, 3]", "[1]: Expected string but found number instead."),
      ("['match', 1, 1, 2, 1, 3, 4]", "[4]: Branch labels must be unique."),
      ("['match', 1, 1.5, 2, 3]", "[2]: Numeric branch labels must be integer values."),
      ("['match', 1, [], 2, 3]", "[2]: Expected at least one branch label."),
      ("['match', 1, 1, 2]", ": Expected at least 4 arguments, but found only 3."),
      ("['case', 1, 2, 3]", "[1]: Expected boolean but found number instead."),
      ("['coalesce', ['get', 'none'], ['get', 's'], 1]", "\"x\""),
      ("['coalesce', null, null]", "null"),
      ("['coalesce']", ": Expected at least one argument."),
    ])
  func choices(expression: String, expected: String) {
    #expect(outcome(expression, "{'s': 'x'}") == expected)
  }

  /// The cases of the published suite of the specification, and some more.
  @Test(
    "semiliteral evaluates the items of a list, and takes anything else literally",
    arguments: [
      ("['semiliteral', [1, 2, 3]]", "[1,2,3]"), ("['semiliteral', []]", "[]"),
      ("['semiliteral', [['*', 2, 3], ['concat', 'x', 'y']]]", "[6,\"xy\"]"),
      ("['semiliteral', [['get', 'n'], null, true]]", "[3,null,true]"),
      ("['semiliteral', [['literal', [1]], ['semiliteral', [['get', 'n']]]]]", "[[1],[3]]"),
      ("['semiliteral', 'get']", "\"get\""), ("['semiliteral', null]", "null"),
      ("['semiliteral', {'x': ['get', 'n']}]", "{\"x\":[\"get\",\"n\"]}"),
      ("['at', 0, ['semiliteral', [1, 2]]]", "1"),
      ("['in', ['get', 'n'], ['semiliteral', [1, ['+', 1, 2]]]]", "true"),
      ("['length', ['semiliteral', [['get', 'none']]]]", "1"),
      (
        "['semiliteral', 1, 2]",
        ": 'semiliteral' expression requires exactly one argument, but found 2 instead."
      ),
      (
        "['semiliteral', [0, ['semiliteral', [['unknown']]]]]",
        "[1][1][1][0][0]: Unknown expression \"unknown\". If you wanted a literal array, use "
          + "[\"literal\", [...]]."
      ),
      (
        "['semiliteral', [['sqrt', 'x'], ['foo']]]",
        "[1][0][1]: Expected number but found string instead.; [1][1][0]: Unknown expression "
          + "\"foo\". If you wanted a literal array, use [\"literal\", [...]]."
      ),
      (
        "['semiliteral', [['number', ['get', 's']]]]",
        "! Expected value to be of type number, but found string instead."
      ),
    ])
  func semiliteral(expression: String, expected: String) {
    #expect(outcome(expression, "{'n': 3, 's': 'x'}") == expected)
  }

  @Test(
    "a semiliteral has the type of its items if they share one",
    arguments: [
      ("[['number', ['get', 'n']], 2]", "[3,2]"),
      ("[1, 'top']", ": Expected array<number, 2> but found array<value, 2> instead."),
      ("[1, ['get', 'n']]", ": Expected array<number, 2> but found array<value, 2> instead."),
      ("[1]", ": Expected array<number, 2> but found array<number, 1> instead."),
    ])
  func semiliteralType(items: String, expected: String) {
    #expect(outcome("['semiliteral', \(items)]", "{'n': 3}", for: .offset) == expected)
  }

  @Test(
    "errors of operators have their place",
    arguments: [
      (
        "['foo', 1]",
        "[0]: Unknown expression \"foo\". If you wanted a literal array, use [\"literal\", [...]]."
      ),
      (
        "[1, 2]",
        "[0]: Expression name must be a string, but found number instead. If you wanted a literal "
          + "array, use [\"literal\", [...]]."
      ),
      (
        "[]",
        ": Expected an array with at least one element. If you wanted a literal array, use "
          + "[\"literal\", []]."
      ),
      ("['+', 1, {'a': 1}]", "[2]: Bare objects invalid. Use [\"literal\", {...}] instead."),
      ("['+', 1, ['sqrt', 'x']]", "[2][1]: Expected number but found string instead."),
      (
        "['sqrt', 1, 2]",
        ": Expected arguments of type (number), but found (number, number) instead."
      ),
      (
        "['all', 1, true]",
        ": Expected arguments of type (boolean, boolean) | (boolean...), but found (number, boolean) "
          + "instead."
      ),
      ("['all', true, true, 'a']", "[3]: Expected boolean but found string instead."),
      (
        "['rgb', 300, 0, 0]",
        ": Invalid rgba value [300, 0, 0, 1]: 'r', 'g', and 'b' must be between 0 and 255."
      ),
    ])
  func errors(expression: String, expected: String) {
    #expect(outcome(expression) == expected)
  }

  @Test(
    "operators that need a live map are refused by name",
    arguments: ["feature-state", "elevation"])
  func unsupported(name: String) {
    #expect(outcome("['\(name)', 'x']").hasPrefix("[0]: \"\(name)\" is not supported: "))
  }

  @Test("depth, breadth and repetition of expressions are limited")
  func limits() {
    let deep = String(repeating: "['-', ", count: 300) + "1" + String(repeating: "]", count: 300)
    #expect(outcome(deep).contains("too large"))
    let wrong =
      String(repeating: "['all', true, ", count: 90) + "1" + String(repeating: "]", count: 90)
    #expect(outcome(wrong).contains("too large") || outcome(wrong).contains("Expected"))
    var nested = "['var', 'v59']"
    for level in stride(from: 59, through: 0, by: -1) {
      let bound =
        level == 0
        ? "['number', ['get', 'x']]" : "['+', ['var', 'v\(level - 1)'], ['var', 'v\(level - 1)']]"
      nested = "['let', 'v\(level)', \(bound), \(nested)]"
    }
    #expect(outcome(nested, "{'x': 1}").contains("too complex"))
  }
}
