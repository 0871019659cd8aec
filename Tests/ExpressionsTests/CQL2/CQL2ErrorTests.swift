import Expressions
import TestSupport
import Testing

@Suite struct CQL2ErrorTests {
  /// The first error of a text as `line:column message`, or `none`.
  private func fault(_ text: String) -> String {
    do {
      _ = try CompiledFilter.compile(cql2: text)
      return "none"
    } catch {
      return "\(error.line):\(error.column) \(error.message)"
    }
  }

  @Test(
    "every CQL2 fault has its place and a reason",
    arguments: [
      ("", "1:1 a condition is expected."), ("  \n ", "1:1 a condition is expected."),
      ("a =", "1:4 a property or a value is expected, but found the end."),
      ("a = 1 b = 2", "1:7 AND, OR or the end is expected, but found 'b'."),
      ("a = b c = 2", "1:7 AND, OR or the end is expected, but found 'c'."),
      ("a = New York", "1:5 a text needs single quotes; write 'New York'."),
      ("a <> New York City AND b = 1", "1:6 a text needs single quotes; write 'New York City'."),
      ("a = 1 AND\n  b = AND", "2:7 a property or a value is expected, but found 'AND'; put"),
      ("1 < a < 3", "1:7 comparisons do not chain; join two with AND."),
      ("a = 'x", "1:5 this text has no closing quote"),
      ("\"a = 1", "1:1 this name has no closing quote."),
      ("\"\" = 1", "1:1 a name cannot be empty."),
      ("a != 1", "1:3 '!=' is no operator; write '<>'."),
      ("a == 1", "1:3 '==' is no operator; write '='."),
      ("a = 1 && b", "1:7 '&&' is no operator; write 'AND'."),
      ("a ~ 1", "1:3 the character '~' means nothing here."),
      ("größe = 1 ; b", "1:11 the character ';' means nothing here."),
      ("2nd = 1", "1:1 a name cannot begin with a digit"), ("1e = 1", "1:1 this number lacks"),
      ("a = 1e999", "1:5 this number is too large."),
      ("a = NULL", "1:5 nothing is equal to NULL; write 'IS NULL' or 'IS NOT NULL'."),
      ("a IS 5", "1:6 NULL is expected, but found the number 5."),
      ("a NOT = 5", "1:7 BETWEEN, IN, LIKE or ILIKE is expected, but found '='."),
      ("1 = 'a'", "1:5 a number and a text cannot be compared."),
      ("CASEI(a) = 5", "1:12 a text and a number cannot be compared."),
      ("a + 1 > 'x'", "1:9 a number and a text cannot be compared."),
      ("5 IN (1, 'a')", "1:10 a number and a text cannot be compared."),
      ("a BETWEEN 1 AND 'b'", "1:17 a number and a text cannot be compared."),
      ("DATE('2014-01-19') > '2014'", "1:22 an instant and a text cannot be compared. Write TIME"),
      ("(a > 1) = 5", "1:11 a truth value and a number cannot be compared."),
      ("a AND 5", "1:7 a condition is expected, but this is a number; compare it"),
      ("'yes'", "1:1 a condition is expected, but this is a text; compare it"),
      ("NOT a + 1", "1:5 a condition is expected, but this is a number; compare it"),
      ("a * 'x' = 1", "1:5 '*' is for numbers, but this is a text."),
      ("(a = 1) + 1 = 2", "1:1 '+' is for numbers, but this is a truth value."),
      ("-'x' = 1", "1:2 '-' is for numbers, but this is a text."),
      ("(a = 1", "1:7 AND, OR or ')' is expected, but found the end."),
      ("a IN ()", "1:7 a property or a value is expected, but found ')'."),
      ("a IN 5", "1:6 '(' is expected, but found the number 5."),
      ("a IN (1 2)", "1:9 ',' or ')' is expected, but found the number 2."),
      ("a BETWEEN 1, 2", "1:12 AND is expected, but found ','."),
      ("a LIKE b", "1:8 a pattern such as 'A%' is expected, but found 'b'."),
      ("a LIKE 'x\\'", "1:8 the pattern ends with a lone backslash"),
      ("5 LIKE 'x'", "1:1 LIKE is for texts, but this is a number."),
      ("CASEI(5) = 'x'", "1:7 CASEI is for texts, but this is a number."),
      ("DATE('2014-01-19T00:00:00Z') > a", "1:6 DATE takes a text such as '2014-01-19'"),
      ("TIMESTAMP('2014-02-30T00:00:00Z') > a", "1:11 TIMESTAMP takes a text such as"),
      ("T_AFTER(a, '2014-01-01')", "1:12 an instant is expected, but this is a text; write TIME"),
      ("T_DURING(a, INTERVAL('2015-01-01', '2014-01-01'))", "1:13 this interval ends before"),
      ("T_DURING(a, INTERVAL('x', '..'))", "1:22 an interval ends at an instant"),
      ("INTERVAL('..', '..') = a", "1:1 INTERVAL is only for T_INTERSECTS"),
      ("foo(a) = 1", "1:1 there is no 'foo'; functions are not supported."),
      ("ST_Within(geom, BBOX(0,0,1,1))", "1:1 there is no 'ST_Within'; did you mean S_WITHIN?"),
      ("intersects(geom, BBOX(0,0,1,1))", "1:1 there is no 'intersects'; did you mean S_INTERS"),
      ("lower(a) = 'x'", "1:1 there is no 'lower'; did you mean CASEI?"),
      ("S_TOUCHES(geometry, POINT(1 2))", "1:1 S_TOUCHES is not supported; the spatial"),
      ("A_CONTAINS(a, ['x'])", "1:1 A_CONTAINS is not supported: this version has no"),
      ("a = ['x']", "1:5 lists of values in brackets are not supported."),
      ("BBOX(0, 0, 1, 1)", "1:1 BBOX is no condition; write S_INTERSECTS(geometry, BBOX(…))."),
      ("S_INTERSECTS(geometry, geom)", "1:1 S_INTERSECTS compares the record's geometry"),
      ("S_WITHIN(geometry, 5)", "1:20 'geometry', BBOX(…) or a geometry such as"),
      ("S_WITHIN(geometry, CIRCLE(1))", "1:20 BBOX or POINT, LINESTRING"),
      ("S_WITHIN(geometry, BBOX(0, 5, 1, 1))", "1:28 the south of a box is above its north"),
      ("S_WITHIN(geometry, BBOX(0, 95, 1, 99))", "1:28 the latitude 95 is not within ±90"),
      ("S_WITHIN(geometry, BBOX(0, 5, 1))", "1:32 ',' is expected, but found ')'."),
      ("S_WITHIN(geometry, POINT(51.5, 7))", "1:30 a number is expected, but found ','."),
      ("S_WITHIN(geometry, POINT(7 100))", "1:28 the latitude 100 is not within ±90"),
      ("S_WITHIN(geometry, LINESTRING(7 50))", "1:30 a line has two positions or more."),
      ("S_WITHIN(geometry, POLYGON((0 0, 1 0, 1 1)))", "1:28 a ring has four positions or more"),
      ("S_WITHIN(geometry, POINT EMPTY)", "1:26 an empty geometry has no relation"),
    ])
  func places(text: String, message: String) {
    #expect(fault(text).hasPrefix(message), "\(text): \(fault(text))")
  }

  @Test("depth, length and number of words of a CQL2 filter are limited")
  func limits() {
    func nest(_ count: Int) -> String {
      String(repeating: "(", count: count) + "a = 1" + String(repeating: ")", count: count)
    }
    #expect(fault(nest(64)) == "none")
    #expect(fault(nest(65)) == "1:66 a filter may be nested 64 levels deep at most.")
    #expect(fault(nest(10_000)).hasSuffix("levels deep at most."))
    for prefix in ["NOT ", "- ", "+", "CASEI(", "2 ^ ", "S_WITHIN(geometry, GEOMETRYCOLLECTION("] {
      let text = String(repeating: prefix, count: 60_000 / prefix.utf8.count)
      #expect(fault(text) != "none" && !fault(text).isEmpty, "\(prefix)")
    }
    let nested =
      "S_WITHIN(g, " + String(repeating: "GEOMETRYCOLLECTION(", count: 70) + "POINT(1 2)"
      + String(repeating: ")", count: 71)
    #expect(fault(nested).hasSuffix("levels deep at most."))
    #expect(
      fault("a = '" + String(repeating: "x", count: 65_531) + "'").hasPrefix("1:1 a filter may"))
    #expect(fault("a = '" + String(repeating: "x", count: 65_530) + "'") == "none")
    #expect(fault(String(repeating: "(", count: 40_000)).hasSuffix("words and signs at most."))
  }

  @Test("long CQL2 chains do not recurse deeply")
  func chains() throws {
    let record = CQL2Record(json: "{'a': 1}")
    let sum = String(repeating: "a + ", count: 13_000) + "a = 13001"
    #expect(try record.truth(of: sum) == "T")
    let alternatives = String(repeating: "a = 0 OR ", count: 6_000) + "a = 1"
    #expect(try record.truth(of: alternatives) == "T")
    let list = (0..<11_000).map { "\($0)" }.joined(separator: ",")
    #expect(try record.truth(of: "a IN (\(list))") == "T")
  }

  @Test("no random CQL2 words crash, and each text compiles or has an error with its place")
  func fuzz() {
    var random = SplitMix64(seed: 8)
    let words = [
      "a", "\"b c\"", "1", "-2.5", ".5e3", "'x'", "'%_'", "TRUE", "NULL", "AND", "OR", "NOT", "IN",
      "LIKE", "ILIKE", "BETWEEN", "IS", "(", ")", ",", "=", "<>", "<", ">=", "+", "-", "*", "/",
      "%",
      "DIV", "^", "[", "]", "CASEI(", "ACCENTI(", "DATE('2014-01-19')", "TIMESTAMP(", "INTERVAL(",
      "T_AFTER(", "S_WITHIN(", "S_INTERSECTS(geometry,", "BBOX(0,0,1,1)", "POINT(1 2)", "POLYGON((",
      "GEOMETRYCOLLECTION(", "geometry", "é", "\n", "\u{0}", "'", "\"", "foo(",
    ]
    let record = CQL2Record(json: "{'a': 1, 'b c': 'x'}", at: .point(0.5, 0.5))
    var compiled = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &random)
      let text = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
      do {
        let filter = try CompiledFilter.compile(cql2: text)
        compiled += 1
        _ = record.passes(filter)
      } catch {
        #expect(error.line >= 1 && error.column >= 1 && !error.message.isEmpty)
        #expect(error.line <= text.split(separator: "\n", omittingEmptySubsequences: false).count)
      }
    }
    #expect(compiled > 20)
  }
}
