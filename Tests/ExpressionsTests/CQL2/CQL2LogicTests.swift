import Expressions
import Features
import OrderedCollections
import Testing

@Suite struct CQL2LogicTests {
  @Test("CQL2 conditions have the truth values of SQLite", arguments: SQLiteAnswers.answers)
  func sameAsSQLite(condition: String, truths: String) throws {
    let found = try SQLiteAnswers.records.map { try CQL2Record($0).truth(of: condition) }
    #expect(found.joined() == truths, "\(condition)")
  }

  @Test("AND, OR and NOT follow Kleene's tables")
  func kleene() throws {
    let record = CQL2Record(json: "{'t': true, 'f': false}")
    let names = ["f", "u", "t"]
    for (left, first) in names.enumerated() {
      #expect(try record.truth(of: "NOT \(first)") == ["T", "U", "F"][left])
      for (right, second) in names.enumerated() {
        let letters = ["F", "U", "T"]
        #expect(try record.truth(of: "\(first) AND \(second)") == letters[min(left, right)])
        #expect(try record.truth(of: "\(first) OR \(second)") == letters[max(left, right)])
      }
    }
  }

  @Test(
    "a comparison with null or another type is unknown, and so is its negation",
    arguments: [
      "missing = 1", "missing <> 1", "none = none", "n = s", "n <> s", "n < s", "s = 5",
      "s <> 5", "b = 1", "b = 'true'", "l = 1", "o = 'x'", "n", "s", "missing", "missing IN (1)",
      "missing NOT IN (1)", "s IN (1, 2)", "n IN ('5', 'x')", "n IN (4, missing)",
      "n LIKE '5'", "missing LIKE '%'", "n ILIKE '5'", "s BETWEEN 1 AND 9",
      "n BETWEEN missing AND 9",
      "n / 0 = 1", "n % 0 = 1", "n DIV 0 = 1", "s + 1 = 2", "1e308 * 1e308 > 0",
      "(0 - 1) ^ 0.5 = 1",
      "CASEI(n) = 'a'", "ACCENTI(missing) = 'a'", "s > TIMESTAMP('2014-01-19T06:00:00Z')",
      "n > DATE('2014-01-19')", "T_AFTER(s, DATE('2014-01-19'))", "T_EQUALS(missing, missing)",
      "(missing > 1) = TRUE",
    ])
  func unknown(condition: String) throws {
    let record = CQL2Record(
      json: "{'n': 5, 's': 'x', 'b': true, 'none': null, 'l': [1], 'o': {'k': 1}}")
    #expect(try record.truth(of: condition) == "U")
  }

  @Test(
    "IS NULL is never unknown",
    arguments: [
      ("missing IS NULL", "T"), ("none IS NULL", "T"), ("n IS NULL", "F"), ("l IS NULL", "F"),
      ("o IS NOT NULL", "T"), ("missing IS NOT NULL", "F"), ("n / 0 IS NULL", "T"),
      ("(missing > 1) IS NULL", "T"), ("(n > 1) IS NULL", "F"), ("'' IS NULL", "F"),
      ("e IS NULL", "F"),
    ])
  func null(condition: String, truth: String) throws {
    let record = CQL2Record(json: "{'n': 5, 'none': null, 'l': [], 'o': {}, 'e': ''}")
    #expect(try record.truth(of: condition) == truth)
  }

  @Test(
    "CQL2 operators have the precedence of the grammar",
    arguments: [
      "1 + 2 * 3 = 7", "(1 + 2) * 3 = 9", "10 - 4 - 3 = 3", "2 * 3 ^ 2 = 18", "2 ^ 3 ^ 2 = 512",
      "-2 ^ 2 = 4", "- (1 + 2) = -3", "7 DIV 2 = 3", "-7 DIV 2 = -3", "7 % 4 = 3", "-7 % 4 = -3",
      "8 div 2 * 4 = 16", "1 / 4 = .25", "2. = 2", "1.5E1 = 15", "25e-1 = 2.5", "+3 = 3",
      "NOT 1 = 2", "NOT 1 = 2 AND 1 = 1", "1 = 1 OR 1 = 2 AND 1 = 3", "not false", "NOT NOT TRUE",
      "TRUE OR FALSE AND FALSE", "NOT (TRUE AND FALSE)", "(1 = 2) = FALSE", "((1)) = (1)",
      "2 BETWEEN 1 AND 3 AND 1 = 1", "1 BETWEEN 1 AND 1", "3 NOT BETWEEN 4 AND 2 OR FALSE",
      "4 between 2 + 1 and 2 * 2", "'it''s' = 'it''s'", "'a' < 'b'", "FALSE < TRUE",
      "'Z' < 'a'", "x = 1", "\"x\" = 1", "\"the \"\"best\"\" name\" = 2", "a.b:c = 3", "größe = 4",
      "x\n=\t1\r\n", "\"in\" = 5", "DIV DIV div = 1", "date > 5",
    ])
  func precedence(condition: String) throws {
    let record = CQL2Record([
      "x": .number(1), "the \"best\" name": .number(2), "a.b:c": .number(3), "größe": .number(4),
      "in": .number(5), "DIV": .number(6), "div": .number(6), "date": .number(6),
    ])
    #expect(try record.truth(of: condition) == "T")
  }

  @Test("IN takes literals of each type and expressions")
  func membership() throws {
    let record = CQL2Record(json: "{'n': 5, 's': 'é', 'b': true, 'd': '2014-01-19'}")
    for (condition, truth) in [
      ("n IN (1, 5)", "T"), ("n IN (1, 6)", "F"), ("n IN (4 + 1)", "T"), ("5 IN (n, 1)", "T"),
      ("s IN ('e', 'é')", "T"), ("s IN ('e\u{301}')", "F"), ("s NOT IN ('a', 'b')", "T"),
      ("s IN ('e\u{301}', 'é')", "T"), ("b IN (FALSE, TRUE)", "T"), ("b IN (FALSE)", "F"),
      ("d IN (DATE('2014-01-18'), DATE('2014-01-19'))", "T"), ("d IN (DATE('2014-01-18'))", "F"),
      ("DATE('2014-01-19') IN (d)", "T"), ("n IN (1, 'a')", "U"), ("n IN (5, 'a', missing)", "T"),
    ] {
      #expect(try record.truth(of: condition) == truth, "\(condition)")
    }
  }

  @Test("a CQL2 filter knows its inputs")
  func inputs() throws {
    let filter = try CompiledFilter.compile(
      cql2: "b = 1 AND (a > b OR CASEI(c) LIKE 'x%') AND T_AFTER(d, DATE('2014-01-19'))")
    #expect(filter.propertyNames == ["b", "a", "c", "d"])
    #expect(!filter.usesGeometry && !filter.usesID && !filter.usesAllProperties)
    #expect(filter.isZoomConstant && filter.constant == nil)
    let spatial = try CompiledFilter.compile(cql2: "S_INTERSECTS(the_geom, POINT(1 2))")
    #expect(spatial.usesGeometry && spatial.propertyNames.isEmpty)
    #expect(try CompiledFilter.compile(cql2: "geometry IS NULL").usesGeometry)
    #expect(try CompiledFilter.compile(cql2: "\"geometry\" IS NULL").propertyNames == ["geometry"])
    #expect(try CompiledFilter.compile(cql2: "1 + 1 = 2").constant == true)
    #expect(try CompiledFilter.compile(cql2: "1 / 0 = 2").constant == false)
  }
}
