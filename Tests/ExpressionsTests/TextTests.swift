import Testing

@testable import Expressions
@testable import expression_fixture

@Suite struct TextTests {
  @Test(
    "texts are sliced, searched and joined by code points",
    arguments: [
      ("['concat']", "\"\""), ("['concat', 'a', 1, true, null]", "\"a1true\""),
      (
        "['concat', ['literal', [1, 'x']], ['literal', {'k': null}]]",
        "\"[1,\\\"x\\\"]{\\\"k\\\":null}\""
      ),
      ("['upcase', 'straße']", "\"STRASSE\""), ("['downcase', 'ÄB']", "\"äb\""),
      ("['downcase', 'ΟΔΟΣ, ΣΑΣ Σ 3Σ ΑΣ.Α']", "\"οδος, σας σ 3σ ασ.α\""),
      ("['length', '😀a']", "2"), ("['length', ['literal', [1, 2, 3]]]", "3"),
      ("['slice', '😀abc', 1, 3]", "\"ab\""), ("['slice', 'abc', -2]", "\"bc\""),
      ("['slice', 'abc', 2, 1]", "\"\""), ("['slice', ['literal', [1, 2, 3]], 0, -1]", "[1,2]"),
      ("['slice', 'abc', ['/', 0, 0]]", "\"abc\""),
      ("['index-of', 'b', '😀b']", "1"), ("['index-of', 'z', 'abc']", "-1"),
      ("['index-of', 'a', 'abca', 1]", "3"), ("['index-of', 2, ['literal', [1, 2]]]", "1"),
      ("['index-of', 1, ['literal', [1, 2, 1]], -1]", "2"), ("['index-of', '', 'abc', 9]", "3"),
      ("['in', 'b', 'abc']", "true"), ("['in', 3, ['literal', [1, 2]]]", "false"),
      ("['in', 'x', ['get', 'none']]", "false"),
      (
        "['in', ['literal', [1]], ['literal', [1]]]",
        ": Expected first argument to be of type boolean, string, number or null, but found array<number, 1> instead"
      ),
      (
        "['in', 'x', ['get', 'n']]",
        "! Expected second argument to be of type array or string, but found number instead."
      ),
      ("['split', 'a,b,,c', ',']", "[\"a\",\"b\",\"\",\"c\"]"),
      ("['split', 'ab', '']", "[\"a\",\"b\"]"),
      ("['join', ['literal', ['a', 'b']], '-']", "\"a-b\""),
      ("['join', ['literal', []], '-']", "\"\""),
      ("['at', 1, ['literal', ['a', 'b']]]", "\"b\""),
      ("['at', 2, ['literal', ['a', 'b']]]", ": Array index out of bounds: 2 > 1."),
      ("['at', -1, ['literal', ['a']]]", ": Array index out of bounds: -1 < 0."),
      (
        "['at', 0.5, ['literal', ['a', 'b']]]",
        ": Array index must be an integer, but found 0.5 instead."
      ),
      ("['typeof', ['get', 'none']]", "\"null\""),
      ("['typeof', ['literal', [1, 2]]]", "\"array<number, 2>\""),
      ("['typeof', ['literal', [1, 'a']]]", "\"array<value, 2>\""),
      ("['typeof', ['literal', {}]]", "\"object\""),
      ("['is-supported-script', 'a']", "true"),
      ("['resolved-locale', ['collator', {'locale': 'DE-at'}]]", "\"de-AT\""),
    ])
  func texts(expression: String, expected: String) {
    #expect(outcome(expression, "{'n': 3}") == expected)
  }

  @Test(
    "types are asserted and converted",
    arguments: [
      ("['number', ['get', 's'], ['get', 'n']]", "3"),
      (
        "['string', ['get', 'n']]",
        "! Expected value to be of type string, but found number instead."
      ),
      ("['string', ['get', 'none'], 'd']", "\"d\""), ("['boolean', ['get', 'b']]", "true"),
      ("['object', ['get', 'o']]", "{\"k\":1}"), ("['array', ['get', 'a']]", "[1,2]"),
      ("['array', 'number', 2, ['get', 'a']]", "[1,2]"),
      (
        "['array', 'string', ['get', 'a']]",
        "! Expected value to be of type array<string>, but found array<number, 2> instead."
      ),
      (
        "['array', 'number', 3, ['get', 'a']]",
        "! Expected value to be of type array<number, 3>, but found array<number, 2> instead."
      ),
      (
        "['array', 'object', ['get', 'a']]",
        "[1]: The item type argument of \"array\" must be one of string, number, boolean"
      ),
      (
        "['array', 'number', -1, ['get', 'a']]",
        "[2]: The length argument to \"array\" must be a positive integer literal"
      ),
      ("['to-number', 'x', '12']", "12"), ("['to-number', null]", "0"),
      ("['to-number', true]", "1"),
      ("['to-number', ['literal', ['7']]]", "7"),
      ("['to-number', 'x']", ": Could not convert \"x\" to number."),
      ("['to-boolean', '']", "false"), ("['to-boolean', 'a']", "true"),
      ("['to-boolean', 0]", "false"),
      ("['to-boolean', ['literal', []]]", "true"), ("['to-string', null]", "\"\""),
      ("['to-string', 1e21]", "\"1e+21\""),
      ("['to-string', ['rgba', 255, 0, 0, 0.5]]", "\"rgba(255,0,0,0.5)\""),
      ("['to-color', 'nope', 'red']", "rgba(255,0,0,1)"),
      ("['to-color', ['literal', [0, 255, 0, 0.5]]]", "rgba(0,255,0,0.5)"),
      ("['to-color', 'nope']", ": Could not parse color from value 'nope'"),
      ("['to-rgba', 'rgba(255, 0, 51, 0.4)']", "[255,0,51,0.4]"),
      ("['get', 'k', ['get', 'o']]", "1"), ("['has', 'z', ['object', ['get', 'o']]]", "false"),
      ("['get', ['concat', 'n', '']]", "3"), ("['has', 'n']", "true"), ("['has', 'none']", "false"),
      ("['properties']", "{\"n\":3,\"s\":\"x\",\"b\":true,\"a\":[1,2],\"o\":{\"k\":1}}"),
    ])
  func types(expression: String, expected: String) {
    #expect(
      outcome(expression, "{'n': 3, 's': 'x', 'b': true, 'a': [1, 2], 'o': {'k': 1}}") == expected)
  }

  @Test(
    "numbers are formatted for a language",
    arguments: [
      ("1234567.891, {}", "1,234,567.891"), ("1234.5, {'locale': 'de'}", "1.234,5"),
      ("1234.5, {'locale': 'es'}", "1234,5"), ("12345.5, {'locale': 'es'}", "12.345,5"),
      ("1234.5, {'locale': 'fr'}", "1\u{202F}234,5"), ("1234567, {'locale': 'en-IN'}", "12,34,567"),
      ("-1234.5, {'currency': 'USD'}", "-$1,234.50"), ("1.005, {'max-fraction-digits': 2}", "1.01"),
      ("2, {'min-fraction-digits': 2}", "2.00"),
      ("1234.5, {'locale': 'de', 'currency': 'EUR'}", "1.234,50\u{A0}€"),
      ("1234.5, {'locale': 'ja-JP', 'currency': 'JPY'}", "￥1,235"),
      ("0.5, {'currency': 'CHF'}", "CHF\u{A0}0.50"),
      ("3.5, {'unit': 'kilometer'}", "3.5 km"), ("80, {'unit': 'mile-per-hour'}", "80 mph"),
      ("0, {}", "0"), ("1e21, {}", "1,000,000,000,000,000,000,000"), ("0.0004, {}", "0"),
      ("999.9999, {}", "1,000"),
      ("1, {'unit': 'day'}", "1 day"), ("2, {'unit': 'day'}", "2 days"),
    ])
  func numberFormat(arguments: String, expected: String) {
    #expect(outcome("['number-format', \(arguments)]") == "\"\(expected)\"")
  }

  @Test(
    "collators compare by letter, diacritic and case",
    arguments: [
      ("==", "a", "Ä", "{}", "true"), ("==", "a", "A", "{'case-sensitive': true}", "false"),
      ("==", "a", "ä", "{'diacritic-sensitive': true}", "false"),
      ("==", "ue", "ü", "{'locale': 'de', 'case-sensitive': true}", "true"),
      ("==", "u", "ü", "{'locale': 'de'}", "false"),
      ("<", "a", "ä", "{'diacritic-sensitive': true}", "true"),
      ("<", "äa", "b", "{'diacritic-sensitive': true}", "true"),
      ("<", "a", "A", "{'case-sensitive': true}", "true"), (">", "ab", "a", "{}", "true"),
      ("<", "z", "ö", "{'locale': 'sv'}", "true"), ("<", "9", "a", "{}", "true"),
      ("<", "z", "ø", "{'locale': 'sv'}", "true"), ("==", "ö", "ø", "{'locale': 'sv'}", "true"),
      ("<", "ö", "å", "{'locale': 'da'}", "true"), ("==", "ü", "y", "{'locale': 'nb'}", "true"),
      ("<", "nz", "ñ", "{'locale': 'es'}", "true"), ("<", "ñ", "o", "{'locale': 'es'}", "true"),
      ("<", "_", "-", "{}", "true"), ("<", "$", "1", "{}", "true"),
      ("<", "ae", "ä", "{'locale': 'de', 'diacritic-sensitive': true}", "true"),
      ("!=", "é", "e\u{301}", "{'diacritic-sensitive': true}", "false"),
    ])
  func collator(_ operation: String, _ lhs: String, _ rhs: String, options: String, result: String)
  {
    // Properties keep the comparison from being folded away.
    let json = "['\(operation)', ['string', ['get', 'l']], ['get', 'r'], ['collator', \(options)]]"
    #expect(outcome(json, "{'l': '\(lhs)', 'r': '\(rhs)'}") == result)
  }

  @Test("format creates sections with their own looks")
  func format() {
    let json =
      "['format', 'a', {'font-scale': 2, 'text-font': ['literal', ['X', 'Y']]}, ['get', 'n'], {'text-color': 'red'}]"
    let fixture = ExpressionFixture.run(
      json: TestJSON.parse("{'expression': \(json), 'inputs': [[{}, {'properties': {'n': 1.5}}]]}"))
    let look = "\"verticalAlign\":null"
    #expect(
      fixture.json.contains(
        "{\"text\":\"a\",\"image\":null,\"scale\":2,\"fontStack\":\"X,Y\",\"textColor\":null,\(look)},"
          + "{\"text\":\"1.5\",\"image\":null,\"scale\":null,\"fontStack\":null,"
          + "\"textColor\":{\"r\":1,\"g\":0,\"b\":0,\"a\":1},\(look)}"))
    #expect(outcome("['format', {'font-scale': 2}]").hasSuffix("an image or text section."))
    #expect(
      outcome("['format', 'a', {'text-font': 'X'}]")
        == "[1]: Expected array<string> but found string instead.")
  }
}
